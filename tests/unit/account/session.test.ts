import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseCookieHeader } from '@supabase/ssr';
import { generateKeyPair, SignJWT } from 'jose';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { getHome } from '#data/home.ts';
import type { ServerConfig } from '#lib/app-config.ts';
import { CURRENT_BUSINESS, collectCalls } from '#lib/batch.ts';
import { AppError } from '#lib/errors.ts';
import { match } from '#lib/routing/routes.ts';
import { rpc } from '#lib/rpc.ts';
import { decodeSession, encodeSession, parseCookies } from '#lib/session-cookie.ts';
import type { Db, Session } from '#lib/supabase.ts';
import { decide, endSession, homeFor, openVisit, type Visit } from '#session/session.ts';
import { factsOf, type SessionFacts } from '#session/session-facts.ts';

const USER = '0198f0a0-1111-7222-8333-444455556666';
const KEY_ID = 'key-1';

/** Responses of the fake auth service and database, and the requests recorded. Tests set them. */
const backend = {
  refreshes: [] as string[],
  logouts: [] as string[],
  refresh: (_token: string): { status: number; body: unknown } => ({ status: 400, body: {} }),
  context: { status: 200, body: undefined as unknown },
  /** The response to `open_page`. */
  page: { status: 200, body: undefined as unknown },
  /** The procedures that were called. */
  called: [] as string[],
};

let server: Server;
let config: ServerConfig;
let sign: (seconds: number) => Promise<string>;

beforeAll(async () => {
  const keys = await generateKeyPair('ES256');
  sign = (seconds) =>
    new SignJWT({ sub: USER, role: 'authenticated', session_id: crypto.randomUUID() })
      .setProtectedHeader({ alg: 'ES256', kid: KEY_ID })
      .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
      .sign(keys.privateKey);
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const reply = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (request.url?.startsWith('/auth/v1/token')) {
      const { refresh_token } = JSON.parse(text);
      backend.refreshes.push(refresh_token);
      const { status, body } = backend.refresh(refresh_token);
      return reply(status, await body);
    }
    if (request.url?.startsWith('/auth/v1/logout')) {
      backend.logouts.push(request.headers.authorization ?? '');
      return reply(204, null);
    }
    const name = request.url?.split('/').at(-1) ?? '';
    backend.called.push(name);
    const { status, body } = name === 'open_page' ? backend.page : backend.context;
    return reply(status, body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  config = {
    supabaseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    publishableKey: 'sb_publishable_test',
    siteUrl: 'http://127.0.0.1:4321',
    publicSupabaseUrl: undefined,
  };
  process.env.APP_SUPABASE_URL = config.supabaseUrl;
  process.env.APP_SUPABASE_PUBLISHABLE_KEY = config.publishableKey;
});

afterAll(() => {
  server.close();
});

beforeEach(() => {
  backend.refreshes = [];
  backend.logouts = [];
  backend.called = [];
  backend.refresh = () => ({ status: 400, body: { code: 'refresh_token_not_found' } });
  backend.context = { status: 200, body: contextOf('owner') };
});

/** What the database returns for a user with this role. */
const contextOf = (role: string) => ({
  user_id: USER,
  email: null,
  full_name: null,
  avatar_path: null,
  time_zone: null,
  locale: 'en',
  role,
  second_factor: 'none',
  businesses: [],
  deletion_due_at: null,
  unread_messages: 0,
  unread_notifications: 0,
  message_text: false,
  programs: false,
  toggles: ['registration'],
});

async function sessionOf(seconds: number, name = 'Rosa'): Promise<Session> {
  return {
    access_token: await sign(seconds),
    refresh_token: crypto.randomUUID(),
    token_type: 'bearer',
    expires_in: seconds,
    expires_at: Math.floor(Date.now() / 1000) + seconds,
    user: {
      id: USER,
      user_metadata: { full_name: name },
      app_metadata: {},
      aud: '',
      created_at: '',
    },
  } as Session;
}

const cookiesOf = (session: Session) =>
  encodeSession(session)
    .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
    .join('; ');

const asking = (cookie: string, path = '/dashboard') =>
  new Request(`http://127.0.0.1:4321${path}`, { headers: { cookie } });

const names = (lines: string[]) => lines.map((line) => line.split('=')[0]);

describe('A session on the server', () => {
  test('A visitor without cookies asks nobody', async () => {
    const visit = await openVisit(asking('theme=dark'), config);
    expect([visit.session, visit.trouble, visit.setCookies]).toEqual([null, null, []]);
  });

  test.each([3600, 100])(
    'A session that ends in %i seconds is known, and keeps its cookies',
    async (seconds) => {
      const visit = await openVisit(asking(cookiesOf(await sessionOf(seconds))), config);
      expect([visit.session?.userId, visit.setCookies]).toEqual([USER, []]);
      expect(backend.refreshes).toEqual([]);
    },
  );

  test('A session that ends within 90 seconds is renewed and sent back in cookies', async () => {
    const renewed = await sessionOf(3600);
    backend.refresh = () => ({ status: 200, body: renewed });
    const visit = await openVisit(asking(cookiesOf(await sessionOf(80))), config);
    expect(visit.session?.userId).toBe(USER);
    const line = visit.setCookies.find((each) => each.startsWith('trellis-session'));
    expect(line).toMatch(/; Max-Age=34560000; Path=\/; SameSite=Lax$/);
    const sent = parseCookieHeader(visit.setCookies.map((each) => each.split(';')[0]).join('; '));
    const read = decodeSession((name) => sent.find((each) => each.name === name)?.value);
    expect(read?.refresh_token).toBe(renewed.refresh_token);
  });

  test('Twenty pages opened at once renew a session once', async () => {
    const renewed = await sessionOf(3600);
    backend.refresh = () => ({ status: 200, body: renewed });
    const cookie = cookiesOf(await sessionOf(-5));
    const visits = await Promise.all(
      Array.from({ length: 20 }, () => openVisit(asking(cookie), config)),
    );
    expect(backend.refreshes).toHaveLength(1);
    expect(visits.every(({ session }) => session?.userId === USER)).toBe(true);
    // A request that still sends the old cookies a moment later gets the same renewed session.
    await openVisit(asking(cookie), config);
    expect(backend.refreshes).toHaveLength(1);
  });

  test('A long name makes chunks of 3,180 characters, and a shorter one takes the rest away', async () => {
    const long = await sessionOf(-5, 'Ø'.repeat(2000));
    const cookie = cookiesOf(long);
    expect(encodeSession(long).length).toBeGreaterThan(1);
    expect(encodeSession(long).every(({ value }) => value.length <= 3180)).toBe(true);
    const renewed = await sessionOf(3600);
    backend.refresh = () => ({ status: 200, body: renewed });
    const visit = await openVisit(asking(cookie), config);
    const gone = visit.setCookies.filter((line) => /Max-Age=0/.test(line));
    expect(names(gone)).toContain('trellis-session.0');
    expect(names(visit.setCookies)).toContain('trellis-session');
  });

  test('An answer that the session is gone clears the cookies', async () => {
    const visit = await openVisit(asking(cookiesOf(await sessionOf(-5))), config);
    expect([visit.session, visit.trouble]).toEqual([null, null]);
    expect(visit.setCookies).toEqual(['trellis-session=; Max-Age=0; Path=/; SameSite=Lax']);
  });

  test.each<[string, () => void, string?]>([
    ...[500, 502, 503, 429].map((status): [string, () => void] => [
      `answers ${status}`,
      () => {
        backend.refresh = () => ({ status, body: {} });
      },
    ]),
    ['is away', () => {}, 'http://127.0.0.1:9'],
    [
      'says nothing',
      () => {
        const late = () => AbortSignal.abort(new Error('late'));
        vi.spyOn(AbortSignal, 'timeout').mockImplementation(late);
        backend.refresh = () => ({ status: 200, body: new Promise(() => {}) });
      },
    ],
  ])(
    'A backend that %s clears no cookies, and is not waited for without an end',
    async (_, fail, url) => {
      fail();
      const there = { ...config, ...(url ? { supabaseUrl: url } : {}) };
      const visit = await openVisit(asking(cookiesOf(await sessionOf(-5))), there);
      expect([visit.setCookies, visit.trouble?.kind]).toEqual([[], 'network']);
    },
  );

  test('A token that still holds is used although it could not be renewed', async () => {
    backend.refresh = () => ({ status: 503, body: {} });
    const visit = await openVisit(asking(cookiesOf(await sessionOf(60))), config);
    expect([visit.session?.userId, visit.setCookies]).toEqual([USER, []]);
  });

  test('A cookie that is no session is cleared', async () => {
    const visit = await openVisit(asking('trellis-session=base64-nonsense'), config);
    expect(visit.session).toBeNull();
    expect(visit.setCookies).toHaveLength(1);
  });

  test.each(['', 'a\nb', 'a😀', 'sb_publishable_test'])(
    'A cookie whose token %j is none is cleared',
    async (access_token) => {
      const session = { ...(await sessionOf(3600)), access_token };
      const visit = await openVisit(asking(cookiesOf(session)), config);
      expect([visit.session, visit.trouble]).toEqual([null, null]);
      expect(names(visit.setCookies)).toEqual(['trellis-session']);
    },
  );

  test('A session that was ended on another device is over here too', async () => {
    backend.context = { status: 401, body: { code: 'PGRST301', message: 'JWT expired' } };
    const visit = await openVisit(asking(cookiesOf(await sessionOf(3600))), config);
    expect([visit.session, visit.trouble]).toEqual([null, null]);
    expect(names(visit.setCookies)).toEqual(['trellis-session']);
  });

  test('Cookies are Secure where people reach the site by https', async () => {
    const cookie = cookiesOf(await sessionOf(-5));
    const visit = await openVisit(asking(cookie), {
      ...config,
      siteUrl: 'https://trellis.example',
    });
    expect(visit.setCookies.every((line) => line.endsWith('; Secure'))).toBe(true);
  });

  test('The chosen business is the current one, a foreign id is not', () => {
    const businesses = [
      { id: 'a', name: 'A', role: 'owner' as const },
      { id: 'b', name: 'B', role: 'member' as const },
    ];
    expect(factsOf({ user_id: USER, businesses }, 'b').business?.id).toBe('b');
    expect(factsOf({ user_id: USER, businesses }, 'z').business?.id).toBe('a');
    expect(factsOf({ user_id: USER }, 'z').business).toBeNull();
  });
});

describe('A page that is opened together with its session', () => {
  const BAKERY = '0198f0a0-2222-7222-8333-444455556666';
  const calls = (db: Db) => collectCalls(db, () => [getHome(db, CURRENT_BUSINESS)]);
  const open = async () => openVisit(asking(cookiesOf(await sessionOf(3600))), config, calls);
  const bakery = { id: BAKERY, name: 'Bakery', role: 'owner' };

  test('asks once, and the page gets its answer without asking again', async () => {
    const answer = { called: 'Rosa', unread: [] };
    const session = { ...contextOf('owner'), businesses: [bakery] };
    backend.page = { status: 200, body: { session, business_id: BAKERY, answers: [answer] } };
    const { db, session: facts } = await open();
    expect(facts?.business?.id).toBe(BAKERY);
    const schema = v.object({ called: v.string() });
    const args = { p_business_id: BAKERY };
    expect(await rpc(db, 'get_home', schema, args)).toEqual({ called: 'Rosa' });
    expect(backend.called).toEqual(['open_page']);
    // Another business, or the same one again, is another question.
    backend.context.body = { called: 'Nobody' };
    expect(await rpc(db, 'get_home', schema, { p_business_id: USER })).toEqual({
      called: 'Nobody',
    });
    await rpc(db, 'get_home', schema, args);
    expect(backend.called).toEqual(['open_page', 'get_home', 'get_home']);
  });

  test('gets its session alone if one of its calls fails, so that the guard decides', async () => {
    backend.page = { status: 403, body: { code: '42501', message: 'Only for admins.' } };
    const visit = await open();
    expect([visit.session?.userId, visit.trouble]).toEqual([USER, null]);
    expect(backend.called).toEqual(['open_page', 'session_context']);
  });

  test('is over if the session has ended, and in trouble if the database is away', async () => {
    backend.page = { status: 200, body: { session: null, business_id: null, answers: null } };
    expect(names((await open()).setCookies)).toEqual(['trellis-session']);
    backend.page = { status: 401, body: { code: 'PT401', message: 'Your session has ended.' } };
    expect((await open()).session).toBeNull();
    backend.page = { status: 500, body: { code: '57P01', message: 'shutting down' } };
    const { session, trouble } = await open();
    expect([session, trouble?.kind]).toEqual([null, 'network']);
  });
});

describe('The guard of a page', () => {
  const someone = (
    facts: Partial<SessionFacts> | null,
    trouble: AppError | null = null,
  ): Visit => ({
    db: null as never,
    session: facts && { ...factsOf({ user_id: USER }), ...facts },
    setCookies: [],
    trouble,
    end: () => {},
  });
  const guard = (path: string, visit: Visit) => {
    const found = match(path);
    if (!found) throw new Error(path);
    return decide(found.route, visit, path);
  };

  const waiting = someone({ role: 'admin', secondFactor: 'required' });
  const away = someone(null, new AppError('network'));
  test.each<[string, string, Visit, ReturnType<typeof guard>]>([
    [
      'a visitor',
      '/dashboard/skills',
      someone(null),
      { kind: 'redirect', to: '/login?next=%2Fdashboard%2Fskills' },
    ],
    ['a visitor', '/admin', someone(null), { kind: 'redirect', to: '/login?next=%2Fadmin' }],
    ['an owner', '/dashboard', someone({ role: 'owner' }), { kind: 'go' }],
    ['an owner', '/admin', someone({ role: 'owner' }), { kind: 'forbidden' }],
    ['a coach', '/admin', someone({ role: 'coach' }), { kind: 'forbidden' }],
    ['an admin', '/admin', someone({ role: 'admin' }), { kind: 'go' }],
    [
      'an admin without the code',
      '/admin',
      waiting,
      { kind: 'redirect', to: '/login?next=%2Fadmin' },
    ],
    ['an admin without the code', '/', waiting, { kind: 'redirect', to: '/login' }],
    ['an admin without the code', '/login', waiting, { kind: 'go' }],
    ['a visitor while the backend is away', '/login', away, { kind: 'go' }],
    ['a visitor while the backend is away', '/', away, { kind: 'go' }],
  ])('answers %s at %s', (_, path, visit, decision) => {
    expect(guard(path, visit)).toEqual(decision);
  });

  test('sends nobody to the sign-in page because the backend is away', () => {
    expect(guard('/dashboard', away).kind).toBe('trouble');
  });
});

describe('The front door', () => {
  test.each([
    ['owner', '/dashboard'],
    ['coach', '/dashboard/coaching'],
    ['admin', '/admin'],
  ])('sends a signed-in %s from / to %s', async (role, home) => {
    backend.context = { status: 200, body: contextOf(role) };
    const answer = await homeFor(asking(cookiesOf(await sessionOf(3600)), '/'));
    expect([answer?.status, answer?.headers.get('location')]).toEqual([302, home]);
    expect(answer?.headers.get('cache-control')).toBe('private, no-store');
    expect(answer?.headers.get('vary')).toBe('Cookie');
  });

  test('shows the home page to a visitor, and to someone whose session is over', async () => {
    expect(await homeFor(asking('', '/'))).toBeNull();
    const over = await homeFor(asking(cookiesOf(await sessionOf(-5)), '/'));
    expect(over?.headers.get('location')).toBeNull();
    expect(names(over?.headers.getSetCookie() ?? [])).toEqual(['trellis-session']);
  });

  test('Signing out ends the session at the auth service and takes every cookie of it', async () => {
    const session = await sessionOf(3600, 'Ø'.repeat(2000));
    const cookie = `${cookiesOf(session)}; trellis-business=abc; theme=dark`;
    const answer = await endSession(asking(cookie, '/logout'));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/logout']);
    expect(backend.logouts).toEqual([`Bearer ${session.access_token}`]);
    const cleared = names(answer.headers.getSetCookie());
    const held = [...parseCookies(cookie).keys()].filter((name) => name !== 'theme');
    expect(cleared.toSorted()).toEqual(held.toSorted());
  });
});
