import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { createClient, type EmailOtpType, type SupabaseClient } from '@supabase/supabase-js';
import { vi } from 'vitest';
import {
  createGateway,
  type Gateway,
  type GatewaySettings,
} from '#backend/local/gateway/gateway.ts';
import { type Keys, makeKeys } from '#backend/local/keys.ts';
import { createTestDatabase, type TestDatabase } from '../../../fixtures/database.ts';

export const SITE = 'http://127.0.0.1:4321';
export const PASSWORD = 'a-quiet-green-lattice';

export interface Letter {
  to: string;
  subject: string;
  text: string;
  html: string;
  sentAt: string;
}

/** Options of a test's request: the client's IP address, and JSON to use as the body. */
type Asked = RequestInit & { address?: string; json?: unknown };

/** Settings, an existing `database`, and `through`, which replaces its URL, say with a proxy's. */
export type SiteOptions = Pick<
  Partial<GatewaySettings>,
  | 'supabaseDir'
  | 'functionSettings'
  | 'siteUrl'
  | 'realtimeLimits'
  | 'trustedProxies'
  | 'bodyTimeout'
  | 'space'
> & { database?: TestDatabase; through?: (databaseUrl: string) => Promise<string> };

/** A gateway with its own database, and unmodified supabase-js clients that connect to it. */
export type GatewaySite = Awaited<ReturnType<typeof openSite>>;

export async function openSite({
  database: given,
  through = async (url) => url,
  ...options
}: SiteOptions = {}) {
  const database = given ?? (await createTestDatabase());
  const databaseUrl = await through(database.url);
  const folder = await mkdtemp(join(tmpdir(), 'trellis-gateway-'));
  const keys = await makeKeys();
  const logged: string[] = [];
  const gateways: Gateway[] = [];
  const { sql, db, url } = database;
  /** Starts another gateway on the same database, as a second process would. */
  const twin = async () => {
    const storageDir = join(folder, 'storage');
    const log = (line: string) => logged.push(line);
    const settings = { databaseUrl, keys, siteUrl: SITE, storageDir, log, ...options };
    const started = await createGateway(settings);
    gateways.push(started);
    return started;
  };
  const gateway = await twin();
  const mailbox = readMailbox(gateway);
  const visitors = visitorsOf(gateway, keys, mailbox.secretIn);

  return {
    gateway,
    keys,
    sql,
    db,
    databaseUrl: url,
    logged,
    twin,
    ...mailbox,
    ...visitors,
    /** Clears all rate limits, including the pause between emails to one address. */
    aMinutePasses: async () => void (await sql`delete from public.rate_limits`),
    async close() {
      await Promise.all(gateways.map((each) => each.close()));
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Creates clients and requests for a gateway. */
function visitorsOf(gateway: Gateway, keys: Keys, secretIn: (to: string) => Promise<string>) {
  let visitors = 0;
  /**
   * A new client with no stored session and its own IP address. With `cookies`, it identifies as a
   * browser and keeps cookies.
   */
  function browser(options: { key?: string; address?: string; cookies?: boolean } = {}) {
    visitors += 1;
    const { key = keys.publishableKey, address = `192.0.2.${visitors % 250}`, cookies } = options;
    return clientOf(gateway, key, address, cookies ? new Map() : undefined);
  }
  return {
    browser,
    /** Sends a plain request, without supabase-js. */
    ask(path: string, { address = '192.0.2.251', json, ...init }: Asked = {}): Promise<Response> {
      const sent = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) };
      // A request with a stream as its body requires `duplex`.
      const request = new Request(SITE + path, Object.assign({ duplex: 'half' }, sent, init));
      return gateway.fetch(request, { remoteAddress: address });
    },
    /** The headers of a signed-in client, for plain requests. */
    async headersOf(client: SupabaseClient): Promise<Record<string, string>> {
      const { data } = await client.auth.getSession();
      return {
        apikey: keys.publishableKey,
        authorization: `Bearer ${data.session?.access_token}`,
        'content-type': 'application/json',
      };
    },
    /** Registers and confirms a user; the returned client is signed in. */
    async person(email: string): Promise<{ browser: SupabaseClient; id: string }> {
      const client = browser();
      const signUp = await client.auth.signUp({ email, password: PASSWORD });
      if (signUp.error) throw signUp.error;
      const proof = { token_hash: await secretIn(email), type: 'signup' } as const;
      const { data, error } = await client.auth.verifyOtp(proof);
      if (error || !data.user) throw error ?? new Error('Not signed in');
      return { browser: client, id: data.user.id };
    },
    /** Verifies the token of an emailed link; returns the error code, if any. */
    verify: (token_hash: string, type: EmailOtpType, client = browser()) =>
      codeOf(client.auth.verifyOtp({ token_hash, type })),
    /** Signs in with a password; returns the error code, if any. */
    signIn: (email: string, password = PASSWORD, address?: string) =>
      codeOf(browser(address ? { address } : {}).auth.signInWithPassword({ email, password })),
  };
}

/** Reads the emails that a gateway sent. */
function readMailbox(gateway: Gateway) {
  async function letters(): Promise<Letter[]> {
    const request = new Request(`${SITE}/_local/mailbox.json`);
    const answer = await gateway.mailbox?.(request, { remoteAddress: '127.0.0.1' });
    return (await answer?.json()) as Letter[];
  }
  /** The latest email to an address, which may be on its way. @throws if none comes */
  const letterTo = (to: string): Promise<Letter> =>
    vi.waitFor(async () => {
      const letter = (await letters()).find((each) => each.to === to);
      if (!letter) throw new Error(`No mail to ${to}`);
      return letter;
    }, 10_000);
  return {
    letters,
    letterTo,
    /** The token in the link of the latest email to an address. */
    secretIn: async (to: string) => linkIn(await letterTo(to)).searchParams.get('token_hash') ?? '',
    /** The six-digit code in that email, or an empty string. */
    codeIn: async (to: string) => /\b\d{6}\b/.exec((await letterTo(to)).text)?.[0] ?? '',
  };
}

/** The error code in a supabase-js response, or undefined if it succeeded. */
export const codeOf = async (
  asked: PromiseLike<{ error: { code?: string | undefined } | null }>,
): Promise<string | undefined> => (await asked).error?.code;

/** Creates a storage bucket in which signed-in users may do everything. */
export const openDrawer = ({ sql }: Pick<GatewaySite, 'sql'>) =>
  sql.unsafe(`
    insert into storage.buckets (id, name, public) values ('drawer', 'drawer', false);
    create policy "Drawer" on storage.objects for all to authenticated
      using (bucket_id = 'drawer') with check (bucket_id = 'drawer');`);

/**
 * An unmodified supabase-js client whose requests go to a gateway.
 * @param cookies a browser's cookie jar; if omitted, the client is a script without cookies
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

/** Serves a gateway over HTTP and WebSocket, as the site does. */
export async function listen(gateway: Gateway, port = 0) {
  const server = createServer(
    getRequestListener(
      (request, { incoming }) =>
        gateway.fetch(request, { remoteAddress: incoming.socket.remoteAddress ?? '' }),
      { overrideGlobalObjects: false },
    ),
  );
  server.on('upgrade', gateway.upgrade);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    async close() {
      gateway.closeSockets();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The link in an email's plain text. */
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
