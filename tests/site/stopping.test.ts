import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takeDataFolder } from '#backend/local/postgres/data-folder.ts';
import { compare, Load } from '../bench/faults/load.ts';
import { type HurtSite, openHurtSite } from '../bench/faults/site.ts';
import { type MailServer, startMailServer } from '../fixtures/mail-server.ts';
import { makeQuickFolder } from '../fixtures/quick-folder.ts';

let dataDir: string;
let mail: MailServer;
let site: HurtSite;
beforeAll(async () => {
  dataDir = await makeQuickFolder('stopping');
  // The mail server accepts connections and never responds.
  mail = await startMailServer();
  mail.answer({ CONNECT: '' });
  site = await openHurtSite(dataDir, { SMTP_URL: mail.url }, 4);
}, 60_000);
afterAll(async () => {
  await site.process().stop('SIGKILL');
  await mail.close();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

/** Starts an upload that never finishes. */
function startUpload(): void {
  const { url, key, conversation } = site.target;
  const upload = request(`${url}/storage/v1/object/message-files/${conversation}/slow`, {
    method: 'POST',
    headers: {
      apikey: key,
      authorization: `Bearer ${site.people[0]?.token}`,
      'content-type': 'application/octet-stream',
      'content-length': 10_000_000,
    },
  });
  upload.on('error', () => {});
  upload.write(randomBytes(100_000));
}

/** Opens a Realtime socket whose client never sends a close frame. */
async function openSocket(): Promise<void> {
  const { url, key } = site.target;
  const asked = request(`${url}/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`, {
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    },
  });
  asked.on('error', () => {});
  asked.end();
  const [, socket] = await once(asked, 'upgrade');
  socket.on('error', () => {});
}

const queueMail = () =>
  site.ask(
    (sql) => sql`
      select private.send_mail('somebody@example.com', 'newsletter-welcome', '{"path": "/newsletter#leave=x"}')`,
  );

describe('The site under load, told to end', () => {
  test('ends within ten seconds, time and again, and has everything that it said it has', async () => {
    const load = new Load(site);
    await queueMail();
    for (let time = 0; time < 2; time += 1) {
      await openSocket();
      startUpload();
      // Each start retries the email that was still being sent when the site was told to stop.
      await expect.poll(() => mail.connections(), { timeout: 10_000 }).toBe(time + 1);
      await wait(500);
      const began = performance.now();
      await site.process().stop('SIGTERM');
      expect(performance.now() - began).toBeLessThan(10_000);
      const folder = await takeDataFolder(dataDir);
      folder.release();
      await site.start();
      await site.healthy();
    }
    await load.stop();
    expect(load.stored.size).toBeGreaterThan(0);
    expect(load.refused).toEqual([]);
    const found = await site.ask((sql) => compare(sql, load.stored));
    expect(found).toEqual({ lost: 0, doubled: 0 });
    const mails = await site.ask(
      (sql) => sql`select state from private.mails where template = 'newsletter-welcome'`,
    );
    expect(mails).toHaveLength(1);
    expect(['waiting', 'running']).toContain(mails[0]?.state);
  }, 180_000);

  test('ends at once when it is told a second time', async () => {
    startUpload();
    await wait(200);
    const first = site.process().stop('SIGTERM');
    await wait(1_200);
    const began = performance.now();
    expect(await site.process().stop('SIGINT')).toBe(130);
    expect(performance.now() - began).toBeLessThan(1_000);
    await first;
  }, 60_000);
});
