import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewaySite, listen, openDrawer, openSite, SITE } from './site.ts';

let site: GatewaySite;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-functions-'));
  const functions: Record<string, string> = {
    greet: `export default { async fetch(request) {
      const { name } = await request.json();
      return Response.json({ hello: name, path: new URL(request.url).pathname });
    } };`,
    form: `export default { fetch: () => new Response(null, { status: 303, headers: { location: '/thanks' } }) };`,
    broken: `export default { fetch() { throw new Error('secret detail in /etc/passwd'); } };`,
  };
  for (const [name, code] of Object.entries(functions)) {
    await mkdir(join(folder, 'functions', name), { recursive: true });
    await writeFile(join(folder, 'functions', name, 'index.ts'), code);
  }
  await writeFile(
    join(folder, 'config.toml'),
    '[functions.greet]\nenabled = true\n\n[functions.form]\nverify_jwt = false\n',
  );
  site = await openSite({ supabaseDir: folder });
});
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true, force: true });
});

/** What requests made the site log. Jobs log a try that a busy machine let time out, too. */
const loggedOfRequests = () => site.logged.filter((line) => !line.startsWith('Jobs ('));

const withKey = (more = {}) => ({ apikey: site.keys.publishableKey, ...more });
const asJson = { 'content-type': 'application/json' };

describe('The door', () => {
  test.each([
    '/',
    '/studio',
    '/static/main.js',
    '/_system/info',
    '/graphql/v1',
    '/pg/v1/query',
    '/auth/v2/user',
    '/auth',
    '/rest/v1',
    '/rest/v1/',
    '/auth/v1/../../_system/info',
    '/rest/v1/%2e%2e/%2e%2e/_system/info',
    '/constructor/v1/x',
    '/realtime/v1/websocket',
    '/realtime/v1/api/broadcast',
    '/functions/v1/missing',
    '/functions/v1/..%2f..%2fconfig',
    '/functions/v1/_shared',
    '/functions/v1/UPPER',
  ])('There is nothing at %s', async (path) => {
    const answer = await site.ask(path, { headers: withKey(asJson), json: {} });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toContain('application/json');
  });

  test.each([
    '/rest/v1/profiles',
    '/auth/v1/user',
    '/auth/v1/settings',
    '/storage/v1/bucket',
    '/functions/v1/greet',
  ])('Without the key, or with a wrong one, %s does not open', async (path) => {
    expect((await site.ask(path)).status).toBe(401);
    const wrong = await site.ask(path, { headers: { apikey: 'sb_publishable_wrong' } });
    expect(await wrong.json()).toMatchObject({ message: 'Invalid API key' });
  });

  test('The secret key is refused to a browser; from a server the database decides', async () => {
    const headers = { apikey: site.keys.secretKey };
    const browser = { ...headers, 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' };
    expect((await site.ask('/rest/v1/profiles', { headers: browser })).status).toBe(401);
    // The gateway accepts the key, but its role has no rights in the database: nothing uses it.
    const limits = await site.ask('/rest/v1/rate_limits?select=key', { headers });
    expect([limits.status, await limits.json()]).toMatchObject([403, { code: '42501' }]);
  });

  test('The key may be in the address, and is no part of the question', async () => {
    const answer = await site.ask(`/rest/v1/rpc/get_quiz?apikey=${site.keys.publishableKey}`);
    expect(answer.status).toBe(200);
  });

  test('Whatever is sent to Auth, it never falls over', async () => {
    const token = ['token?grant_type=password', 'token?grant_type=refresh_token'];
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a@example.com', 'a\0@example.com', '\0', 'signup', 'email', 'recovery'),
      fc.jsonValue(),
    );
    const names = ['email', 'password', 'token', 'token_hash', 'type', 'refresh_token', 'data'];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('signup', 'otp', 'verify', 'recover', 'resend', 'user', 'logout', ...token),
        fc.constantFrom('POST', 'PUT'),
        fc.dictionary(fc.constantFrom('create_user', '__proto__', ...names), value),
        async (path, method, json) => {
          const answer = await site.ask(`/auth/v1/${path}`, { headers: withKey(), json, method });
          expect(answer.status).toBeLessThan(500);
        },
      ),
      { numRuns: 150, seed: 20261121 },
    );
    expect(loggedOfRequests()).toEqual([]);
  });
});

describe('Another site', () => {
  test('gets no permission to read answers', async () => {
    const origin = { origin: 'https://evil.example' };
    const preflight = await site.ask('/rest/v1/profiles', {
      method: 'OPTIONS',
      headers: { ...origin, 'access-control-request-method': 'GET' },
    });
    const get = await site.ask('/rest/v1/profiles', { headers: withKey(origin) });
    for (const { headers } of [preflight, get]) {
      const names = [...headers.keys()];
      expect(names.filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    expect(get.headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site', origin: SITE },
    { origin: 'null' },
    { origin: 'https://elsewhere.test' },
  ])('changes nothing, whatever its page sends: %j', async (headers) => {
    for (const path of [
      '/auth/v1/token?grant_type=password',
      '/auth/v1/recover',
      '/functions/v1/form',
      '/rest/v1/rpc/store_claim',
      '/storage/v1/object/list/avatars',
      '/realtime/v1/api/broadcast',
    ]) {
      const sent = withKey({ 'content-type': 'text/plain', ...headers });
      const { status } = await site.ask(path, { headers: sent, json: {} });
      expect([path, status]).toEqual([path, 403]);
    }
  });

  test('may lead to an address with a link', async () => {
    const headers = withKey({ 'sec-fetch-site': 'cross-site' });
    expect((await site.ask('/auth/v1/settings', { headers })).status).toBe(200);
  });

  test.each<Record<string, string>>([
    {},
    { 'sec-fetch-site': 'same-origin', origin: SITE },
    { 'sec-fetch-site': 'none' },
    { origin: 'http://localhost:4321', host: 'localhost:4321' },
  ])('is not what our own pages and programs that are no browsers are: %j', async (headers) => {
    const answer = await site.ask('/functions/v1/form', { method: 'POST', headers, body: 'a=b' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/thanks']);
  });
});

describe('A body', () => {
  test('that trickles in is cut off, also in the middle of a file', async () => {
    const own = await openSite({ bodyTimeout: 300 });
    await openDrawer(own);
    const { browser } = await own.person('slow@example.com');
    const { authorization = '' } = await own.headersOf(browser);
    const server = await listen(own.gateway);
    for (const path of ['/auth/v1/recover', '/storage/v1/object/drawer/a.png']) {
      const socket = connect(server.port, '127.0.0.1');
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\napikey: ${own.keys.publishableKey}\r\n` +
          `authorization: ${authorization}\r\ncontent-type: image/png\r\n` +
          'content-length: 1000\r\n\r\n{',
      );
      let answer = '';
      for await (const chunk of socket) answer += chunk;
      expect([path, answer.split('\r\n')[0]]).toEqual([path, 'HTTP/1.1 408 Request Timeout']);
    }
    await server.close();
    await own.close();
  });

  test.each([
    ['/auth/v1/token?grant_type=password', 64],
    ['/auth/v1/recover', 64],
    ['/rest/v1/rpc/create_business', 2048],
    ['/rest/v1/profiles', 2048],
    ['/storage/v1/object/list/avatars', 2048],
    ['/storage/v1/object/sign/avatars', 2048],
    ['/realtime/v1/api/broadcast', 2048],
    ['/functions/v1/greet', 256],
  ])(
    'that is too large for %s is refused, announced or not, and may be %d kB',
    async (path, kilobytes) => {
      const send = async (bytes: number, isAnnounced: boolean) => {
        const body = new Blob([`{"name":"${'a'.repeat(bytes - 11)}"}`]);
        const length = isAnnounced ? { 'content-length': `${bytes}` } : {};
        const headers = withKey({ ...asJson, ...length });
        return (await site.ask(path, { method: 'POST', headers, body: body.stream() })).status;
      };
      for (const isAnnounced of [true, false]) {
        expect(await send(kilobytes * 1024 + 1, isAnnounced)).toBe(413);
      }
      expect([413, 500]).not.toContain(await send(kilobytes * 1024, false));
    },
  );

  test.each([
    ['POST', '/rest/v1/rpc/create_business'],
    ['POST', '/rest/v1/profiles'],
    ['POST', '/storage/v1/object/list/avatars'],
    ['DELETE', '/storage/v1/object/avatars'],
    ['POST', '/realtime/v1/api/broadcast'],
    ['POST', '/functions/v1/greet'],
  ])('with lists inside lists without end is a bad request: %s %s', async (method, path) => {
    const depth = 20_000;
    const lists = '['.repeat(depth) + ']'.repeat(depth);
    const objects = '{"a":'.repeat(depth) + 1 + '}'.repeat(depth);
    const send = (body: string) => site.ask(path, { method, headers: withKey(asJson), body });
    for (const body of [lists, objects, `{"p_name":${lists}}`]) {
      expect((await send(body)).status).toBe(400);
    }
    const words = await send(JSON.stringify({ p_name: '[{'.repeat(depth), name: 'Ines' }));
    expect(await words.text()).not.toContain('nested too deep');
  });

  test.each(['{', '[]', '"text"', 'null'])('that is no JSON is a bad request: %s', async (body) => {
    const answer = await site.ask('/auth/v1/recover', { method: 'POST', headers: withKey(), body });
    expect(await answer.json()).toMatchObject({ code: 'bad_json' });
  });
});

test.each([
  '/rest/v1/prof%00iles',
  '/rest/v1/profiles?a%00b=eq.1',
  '/rest/v1/profiles?order=a%00',
  '/rest/v1/%ff%fe',
  '/storage/v1/object/avatars/a%00b.png',
  '/storage/v1/object/public/ava%00tars/a.png',
  '/storage/v1/object/info/avatars/a%00b',
  '/storage/v1/bucket/a%00b',
  '/functions/v1/a%00b',
  '/auth/v1/verify?token=%00',
])('An address that is no text, %s, is a bad request', async (path) => {
  expect((await site.ask(path, { headers: withKey() })).status).toBe(400);
  expect(loggedOfRequests()).toEqual([]);
});

test.each([
  ['POST', 'object/list/avatars', { prefix: 'a\0b' }],
  ['POST', 'object/move', { bucketId: 'avatars', sourceKey: 'a\0', destinationKey: 'b' }],
  ['POST', 'object/sign/avatars', { expiresIn: 60, paths: ['a\0b'] }],
  ['DELETE', 'object/avatars', { prefixes: ['a\0b'] }],
])('The name of a file with NUL is a bad request: %s %s', async (method, path, json) => {
  const headers = withKey(asJson);
  expect((await site.ask(`/storage/v1/${path}`, { method, headers, json })).status).toBe(400);
});

describe('Functions', () => {
  test('A function answers supabase-js', async () => {
    const { functions } = site.browser();
    const { data, error } = await functions.invoke('greet', { body: { name: 'Ines' } });
    expect([error, data]).toEqual([null, { hello: 'Ines', path: '/functions/v1/greet' }]);
  });

  test('A failure tells the visitor nothing and the log everything', async () => {
    const { error, response } = await site.browser().functions.invoke('broken');
    expect(error?.name).toBe('FunctionsRelayError');
    expect(await response?.text()).not.toContain('passwd');
    expect(site.logged.join('\n')).toContain('secret detail');
  });
});

describe('The mailbox', () => {
  const open = (url: string, remoteAddress = '127.0.0.1', headers: Record<string, string> = {}) =>
    site.gateway.mailbox?.(new Request(url, { headers }), { remoteAddress });
  const MAILBOX = `${SITE}/_local/mailbox`;

  test.each<[string, string, string, Record<string, string>]>([
    ['from another machine', MAILBOX, '192.0.2.1', {}],
    ['by another name', 'http://mail.example:4321/_local/mailbox', '127.0.0.1', {}],
    ['by a name in the Host header', MAILBOX, '127.0.0.1', { host: 'evil.example' }],
    ['through a proxy', MAILBOX, '127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }],
    ['through a proxy that says so', MAILBOX, '127.0.0.1', { forwarded: 'for=x' }],
    ['through a cache', MAILBOX, '::1', { via: '1.1 cache' }],
    ['as JSON from another machine', `${MAILBOX}.json`, '10.0.0.8', {}],
  ])('It does not exist for a request %s', async (_how, url, address, headers) => {
    expect((await open(url, address, headers))?.status).toBe(404);
  });

  test('This machine sees what was sent, newest first, and nothing in it runs', async () => {
    for (const email of ['first@example.com', 'second@example.com']) {
      await site.browser().auth.signInWithOtp({ email });
    }
    const letters = await site.letters();
    expect(letters.map(({ to }) => to)).toEqual(['second@example.com', 'first@example.com']);
    expect(Object.keys(letters[0] ?? {})).toEqual(['to', 'subject', 'text', 'html', 'sentAt']);

    const page = await open(MAILBOX, '::1');
    const markup = (await page?.text()) ?? '';
    expect(page?.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(markup).not.toContain('<script');
    const [, path] = /<iframe[^>]* src="([^"]+)"/.exec(markup) ?? [];
    const frame = await open(`http://localhost:4321${path}`);
    expect(frame?.headers.get('content-security-policy')).toContain('sandbox');
    expect(await frame?.text()).toContain('Your code');
  });

  test('Behind a proxy there is none, since the proxy may call like this machine', async () => {
    const behind = await openSite({ siteUrl: 'https://trellis.example' });
    expect(behind.gateway.mailbox).toBeUndefined();
    expect(behind.gateway.mailPreviews).toBeUndefined();
    await behind.close();
  });
});
