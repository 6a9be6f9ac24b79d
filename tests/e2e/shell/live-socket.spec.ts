import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { createClient } from '@supabase/supabase-js';
import getPort from 'get-port';
import { WebSocket as PlainSocket } from 'ws';
import { startCuttingProxy } from '../../fixtures/cutting-proxy.ts';
import { createTestDatabase } from '../../fixtures/database.ts';
import { expect, test } from '../support/harness.ts';
import { startSite } from '../support/site-process.ts';

test.use({ changesDemo: false });

/** The state of a socket that a page opened. */
interface SocketState {
  state: 'opening' | 'answered' | 'closed' | 'refused';
  code: number;
  reason: string;
}

declare global {
  interface Window {
    socketState: SocketState;
  }
}

/** Opens a socket in a page, as supabase-js does, to the backend in the page's config. */
async function openSocket(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const state: SocketState = { state: 'opening', code: 0, reason: '' };
    window.socketState = state;
    const { supabaseUrl, publishableKey } = await (await fetch('/app-config.json')).json();
    const query = `apikey=${publishableKey}&vsn=2.0.0`;
    const address = `${supabaseUrl.replace('http', 'ws')}/realtime/v1/websocket?${query}`;
    const socket = new WebSocket(address);
    socket.onopen = () => socket.send('[null,"1","phoenix","heartbeat",{}]');
    socket.onmessage = () => {
      state.state = 'answered';
    };
    socket.onclose = ({ code, reason }) => Object.assign(state, { state: 'closed', code, reason });
  });
}

const socketOf = (page: Page) => page.evaluate(() => window.socketState);

test('A page’s socket opens on each name of the site', async ({ page, site, signIn }) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard');
  await openSocket(page);
  await expect.poll(() => socketOf(page)).toMatchObject({ state: 'answered' });
  await page.goto(`${site.url.replace('127.0.0.1', 'localhost')}/login`);
  await openSocket(page);
  await expect.poll(() => socketOf(page)).toMatchObject({ state: 'answered' });
});

test('With demo accounts no proxy and no page of another site opens a socket', async ({ site }) => {
  const { publishableKey } = await (await fetch(`${site.url}/app-config.json`)).json();
  const address = `${site.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${publishableKey}&vsn=2.0.0`;
  const outcome = (headers: Record<string, string>) =>
    new Promise<unknown>((resolve) => {
      const socket = new PlainSocket(address, { headers });
      socket.once('open', () => {
        resolve('open');
        socket.close();
      });
      socket.once('unexpected-response', (_request, answer) => resolve(answer.statusCode));
      socket.once('error', resolve);
    });
  expect(await outcome({})).toBe('open');
  expect(await outcome({ 'x-forwarded-for': '203.0.113.5' })).toBe(403);
  expect(await outcome({ host: 'rebound.example' })).toBe(403);
  expect(await outcome({ origin: 'https://evil.example' })).toBe(403);
});

test.describe('A restart', () => {
  test.use({ expectedConsole: /WebSocket connection to .* failed|ERR_/ });

  test('Behind a proxy, sockets reconnect to a stopped or killed site', async ({ page }) => {
    test.setTimeout(180_000);
    const database = await createTestDatabase();
    const port = await getPort({ host: '127.0.0.1' });
    const proxy = await startCuttingProxy({ target: port, seed: 1, mode: 'through' });
    const settings = {
      DATABASE_URL: database.url,
      DATA_DIR: await mkdtemp(path.join(process.env.TEST_SCRATCH ?? '/tmp', 'data-')),
      DEMO: '1',
      SMTP_URL: '',
      PORT: String(port),
      SITE_URL: proxy.url,
    };
    let site = await startSite(settings);
    const { publishableKey } = await (await fetch(`${proxy.url}/app-config.json`)).json();
    const db = createClient(proxy.url, publishableKey);
    try {
      const heard: string[] = [];
      const states: string[] = [];
      const channel = db.channel('restart');
      channel.on('broadcast', { event: '*' }, ({ event }) => {
        heard.push(event);
      });
      channel.subscribe((state) => {
        states.push(state);
      });
      await expect.poll(() => states).toEqual(['SUBSCRIBED']);
      await page.goto(`${proxy.url}/login`);
      // The page is hydrated.
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled();

      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        await openSocket(page);
        await expect.poll(() => socketOf(page)).toMatchObject({ state: 'answered' });
        states.length = 0;
        await site.stop(signal);
        // 1012 (service restart) on a clean stop, 1006 (abnormal closure) on a kill.
        const code = signal === 'SIGTERM' ? 1012 : 1006;
        await expect.poll(() => socketOf(page)).toMatchObject({ state: 'closed', code });
        site = await startSite(settings);
        await expect.poll(() => states.at(-1), { timeout: 30_000 }).toBe('SUBSCRIBED');
        await database.sql`select realtime.send('{}'::jsonb, ${signal}, 'restart', false)`;
        await expect.poll(() => heard.at(-1)).toBe(signal);
      }
    } finally {
      await db.removeAllChannels();
      await site.stop();
      await proxy.close();
      await database.drop();
    }
  });
});
