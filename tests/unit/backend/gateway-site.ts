import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import {
  createGateway,
  type Gateway,
  type GatewaySettings,
} from '#backend/local/gateway/gateway.ts';
import { type Keys, makeKeys } from '#backend/local/keys.ts';
import { createTestDatabase, type TestDatabase } from '../../fixtures/database.ts';

export const SITE = 'http://127.0.0.1:4321';
export const PASSWORD = 'a-quiet-green-lattice';

export interface Letter {
  to: string;
  subject: string;
  text: string;
  html: string;
  sentAt: string;
}

/** A gateway over a database of its own, and unchanged supabase-js clients that talk to it. */
export interface GatewaySite {
  gateway: Gateway;
  keys: Keys;
  sql: TestDatabase['sql'];
  db: TestDatabase['db'];
  databaseUrl: string;
  logged: string[];
  /**
   * A client of its own: nothing stored, at its own network address. With `cookies` it says that it's
   * a browser, and keeps cookies as one does.
   */
  browser(options?: { key?: string; address?: string; cookies?: boolean }): SupabaseClient;
  /** A plain request, as whoever does not use supabase-js would send it. */
  ask(path: string, init?: RequestInit & { address?: string }): Promise<Response>;
  /** What a plain request of somebody who is signed in carries. */
  headersOf(browser: SupabaseClient): Promise<Record<string, string>>;
  letters(): Promise<Letter[]>;
  /** The newest mail to an address, or an error. */
  letterTo(to: string): Promise<Letter>;
  /** What the link of that mail proves; the six digits that it names. */
  secretIn(to: string): Promise<string>;
  codeIn(to: string): Promise<string>;
  /** Lets another mail go to an address at once, and forgets every other limit. */
  aMinutePasses(): Promise<unknown>;
  /** Registers and confirms someone; the browser is signed in. */
  person(email: string): Promise<{ browser: SupabaseClient; id: string }>;
  /** A second gateway over the same database, as another process would be. */
  twin(): Promise<Gateway>;
  close(): Promise<void>;
}

/** What a test may want otherwise: a database that has something in it, a way by which it is reached. */
export type SiteOptions = Pick<
  Partial<GatewaySettings>,
  'supabaseDir' | 'siteUrl' | 'realtimeLimits' | 'trustedProxies' | 'bodyTimeout' | 'space'
> & { database?: TestDatabase; through?: (databaseUrl: string) => Promise<string> };

export async function openSite({
  database: given,
  through = async (url) => url,
  ...options
}: SiteOptions = {}): Promise<GatewaySite> {
  const database = given ?? (await createTestDatabase());
  const reachedAt = await through(database.url);
  const folder = await mkdtemp(join(tmpdir(), 'trellis-gateway-'));
  const keys = await makeKeys();
  const logged: string[] = [];
  const start = () =>
    createGateway({
      databaseUrl: reachedAt,
      keys,
      siteUrl: SITE,
      storageDir: join(folder, 'storage'),
      log: (line) => logged.push(line),
      ...options,
    });
  const gateway = await start();
  const twins: Gateway[] = [];
  let visitors = 0;

  const site: GatewaySite = {
    gateway,
    keys,
    sql: database.sql,
    db: database.db,
    databaseUrl: database.url,
    logged,
    browser({ key = keys.publishableKey, address, cookies = false } = {}) {
      visitors += 1;
      const remoteAddress = address ?? `192.0.2.${visitors % 250}`;
      return clientOf(gateway, key, remoteAddress, cookies ? new Map() : undefined);
    },
    ask(path, { address = '192.0.2.251', ...init } = {}) {
      return gateway.fetch(new Request(SITE + path, init), { remoteAddress: address });
    },
    async headersOf(browser) {
      const { data } = await browser.auth.getSession();
      return {
        apikey: keys.publishableKey,
        authorization: `Bearer ${data.session?.access_token}`,
        'content-type': 'application/json',
      };
    },
    async letters() {
      const request = new Request(`${SITE}/_local/mailbox.json`);
      const answer = await gateway.mailbox?.(request, { remoteAddress: '127.0.0.1' });
      return (await answer?.json()) as Letter[];
    },
    async letterTo(to) {
      const letter = (await site.letters()).find((each) => each.to === to);
      if (!letter) throw new Error(`No mail to ${to}`);
      return letter;
    },
    secretIn: async (to) => linkIn(await site.letterTo(to)).searchParams.get('token_hash') ?? '',
    codeIn: async (to) => /\b\d{6}\b/.exec((await site.letterTo(to)).text)?.[0] ?? '',
    aMinutePasses: async () => database.sql`delete from public.rate_limits`,
    async person(email) {
      const browser = site.browser();
      const signUp = await browser.auth.signUp({ email, password: PASSWORD });
      if (signUp.error) throw signUp.error;
      const { data, error } = await browser.auth.verifyOtp({
        token_hash: await site.secretIn(email),
        type: 'signup',
      });
      if (error || !data.user) throw error ?? new Error('Not signed in');
      return { browser, id: data.user.id };
    },
    async twin() {
      const twin = await start();
      twins.push(twin);
      return twin;
    },
    async close() {
      await Promise.all([gateway, ...twins].map((each) => each.close()));
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return site;
}

/**
 * An unchanged supabase-js whose requests go to a gateway.
 * @param cookies where a browser keeps them; left out, the client is a script that has none
 */
export function clientOf(
  gateway: Gateway,
  key: string,
  remoteAddress: string,
  cookies?: Map<string, string>,
): SupabaseClient {
  return createClient(SITE, key, {
    auth: { autoRefreshToken: false, persistSession: true, storage: memory() },
    global: {
      async fetch(input, init) {
        const request = new Request(input, init);
        if (!cookies) return gateway.fetch(request, { remoteAddress });
        request.headers.set('user-agent', 'Mozilla/5.0 (X11; Linux x86_64)');
        const kept = [...cookies].map(([name, value]) => `${name}=${value}`);
        if (kept.length > 0) request.headers.set('cookie', kept.join('; '));
        const answer = await gateway.fetch(request, { remoteAddress });
        for (const line of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        return answer;
      },
    },
  });
}

/** A gateway over HTTP, as the site has it. */
export async function listen(gateway: Gateway): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(
    getRequestListener(
      (request, { incoming }) =>
        gateway.fetch(request, { remoteAddress: incoming.socket.remoteAddress ?? '' }),
      { overrideGlobalObjects: false },
    ),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The link of a mail, from its plain text. */
export function linkIn(letter: Letter): URL {
  const [, address] = /(https?:\/\/\S*token_hash=\S+)/.exec(letter.text) ?? [];
  if (!address) throw new Error(`No link in "${letter.subject}"`);
  return new URL(address);
}

function memory() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}
