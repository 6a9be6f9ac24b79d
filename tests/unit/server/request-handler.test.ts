import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { publicConfig } from '#lib/app-config.ts';
import { createRequestHandler, type HandlerParts } from '#server/request-handler.ts';

let folder: string;
const running: Server[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'front-door-'));
  await writeFile(path.join(folder, 'index.html'), '<h1>Home</h1>');
});
afterAll(async () => {
  for (const server of running) server.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(parts: Partial<HandlerParts> = {}): Promise<string> {
  const server = createServer(
    createRequestHandler({
      siteUrl: 'http://127.0.0.1:4321',
      publishableKey: 'sb_publishable_test',
      supabaseUrl: undefined,
      backend: async (asked) => new Response(`backend ${new URL(asked.url).pathname}`),
      mailbox: async () => new Response('mailbox'),
      payments: async () => new Response('payments'),
      home: async () => null,
      healthy: async () => true,
      redirects: [{ from: '/flyer', to: '/events' }],
      demoAccounts: false,
      files: folder,
      pages: (_req, res) => {
        res.writeHead(404).end('page');
      },
      ...parts,
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  running.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends a path unchanged; fetch would normalize `//` and `..`. */
async function get(
  site: string,
  rawPath: string,
  headers: Record<string, string> = {},
  method = 'GET',
) {
  const asked = request(`${site}/`, { path: rawPath, headers, method });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [import('node:http').IncomingMessage];
  let body = '';
  for await (const chunk of answer) body += chunk;
  return { status: answer.statusCode, headers: answer.headers, body };
}

describe('A form', () => {
  const siteUrl = 'https://trellis.example';
  const post = async (headers: Record<string, string>) =>
    (await get(await open({ siteUrl }), '/logout', headers, 'POST')).body;

  test('A person signs out behind a proxy that ends TLS', async () => {
    expect(await post({ host: 'trellis.example', origin: siteUrl })).toBe('page');
    expect(await post({ host: '127.0.0.1:4321', origin: siteUrl })).toBe('page');
    expect(await post({ host: '127.0.0.1:4321', origin: 'http://127.0.0.1:4321' })).toBe('page');
  });

  test.each([
    { origin: 'https://evil.example' },
    { origin: 'https://trellis.example.evil.example' },
    { origin: 'null' },
    {},
  ])('Another site signs nobody out: %o', async (headers) => {
    expect(await post({ host: 'trellis.example', ...headers } as Record<string, string>)).toBe(
      'Only from our own pages',
    );
  });
});

test('Where there are no previews of emails, their address has no page', async () => {
  const shown = await open({ mailPreviews: async () => new Response('emails') });
  expect((await get(shown, '/dev/emails/confirm/dark')).body).toBe('emails');
  expect(await get(await open(), '/dev/emails')).toMatchObject({ status: 404, body: 'page' });
});

describe('While there are demo accounts', () => {
  const everyKind = [
    '/',
    '/login',
    '/index.html',
    '/auth/v1/token?grant_type=password',
    '/rest/v1/profiles',
    '/app-config.json',
    '/healthz',
    '/_local/mailbox.json',
    '/flyer',
  ];

  const fromElsewhere: [string, Record<string, string>][] = [
    ['by a name that leads to this machine', { host: 'rebound.example:4321' }],
    ['by a name that starts like this machine', { host: '127.0.0.1.rebound.example' }],
    ['by an address of the network', { host: '192.168.1.5:4321' }],
    ['from a page of another site', { origin: 'https://evil.example' }],
    ['from a page of no site', { origin: 'null' }],
    ...[
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
      'forwarded',
      'x-real-ip',
      'cf-connecting-ip',
      'true-client-ip',
      'fly-client-ip',
      'via',
    ].map((name): [string, Record<string, string>] => [`with ${name}`, { [name]: '127.0.0.1' }]),
  ];

  test.each(fromElsewhere)(
    'A request %s is refused everywhere, with a page that says why',
    async (_how, headers) => {
      const site = await open({ demoAccounts: true });
      for (const address of everyKind) {
        const answer = await get(site, address, { host: '127.0.0.1:4321', ...headers });
        expect(answer.status, address).toBe(403);
        expect(answer.headers['content-type'], address).toContain('text/html');
        expect(answer.headers['cache-control'], address).toBe('no-store');
        expect(answer.body, address).toContain('DEMO=0');
        expect(answer.body, address).not.toMatch(/backend|mailbox"|evil|rebound/);
      }
    },
  );

  test('A proxy with default settings, which names nobody, is known by its HTTP/1.0', async () => {
    const { hostname, port } = new URL(await open({ demoAccounts: true }));
    const socket = connect(Number(port), hostname);
    socket.end(`GET /rest/v1/profiles HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    expect(answer).toMatch(/^HTTP\/1\.1 403 [\s\S]*DEMO=0/);
  });

  test.each(['/_local/mailbox', '/_local/payments/cs_test_1'])(
    'Without demo accounts, such a proxy doesn’t open %s to the world',
    async (address) => {
      const { hostname, port } = new URL(await open());
      const statusOf = async (version: string) => {
        const socket = connect(Number(port), hostname);
        const headers = `Host: 127.0.0.1:${port}\r\nConnection: close`;
        socket.end(`GET ${address} HTTP/${version}\r\n${headers}\r\n\r\n`);
        let answer = '';
        for await (const chunk of socket) answer += chunk;
        return answer.slice(9, 12);
      };
      expect(await statusOf('1.1')).toBe('200');
      expect(await statusOf('1.0')).toBe('404');
    },
  );

  test('A request that changes something is refused as well', async () => {
    const site = await open({ demoAccounts: true });
    const headers = { host: '127.0.0.1:4321', 'x-forwarded-for': '203.0.113.5' };
    const { status } = await get(site, '/auth/v1/token?grant_type=password', headers, 'POST');
    expect(status).toBe(403);
  });

  test('This machine is answered, by each of its names', async () => {
    const site = await open({ demoAccounts: true });
    for (const host of ['127.0.0.1:4321', 'localhost:4321', 'LOCALHOST', '[::1]:4321']) {
      const headers = { host, origin: `http://${host.toLowerCase()}` };
      const { status, body } = await get(site, '/auth/v1/user', headers);
      expect([status, body], host).toEqual([200, 'backend /auth/v1/user']);
      expect((await get(site, '/', { host })).body).toBe('<h1>Home</h1>');
    }
  });

  test('Without them a proxy is welcome', async () => {
    const site = await open({ siteUrl: 'https://trellis.example' });
    const headers = { host: 'trellis.example', 'x-forwarded-for': '203.0.113.5' };
    expect((await get(site, '/auth/v1/user', headers)).status).toBe(200);
  });
});

describe('A form for a function of a Supabase elsewhere', () => {
  const siteUrl = 'https://trellis.example';
  const elsewhere = { siteUrl, backend: undefined, supabaseUrl: 'https://x.supabase.example' };
  const send = async (address: string, origin = siteUrl, method = 'POST') => {
    const answer = await get(await open(elsewhere), address, { origin }, method);
    return [answer.status, answer.headers.location];
  };

  test('From another site it goes nowhere', async () => {
    expect(await send('/functions/v1/contact', 'https://evil.example')).toEqual([403, undefined]);
  });

  test.each([
    '/functions/v1/',
    '/functions/v1/../../auth/v1/signup',
    '/functions/v1x/contact',
    '/auth/v1/signup',
    '//evil.example/functions/v1/contact',
  ])('Nothing else is sent on: %s', async (address) => {
    expect((await send(address))[0]).not.toBe(307);
  });

  test('It is sent on as it is, with its query; reading is not', async () => {
    const there = 'https://x.supabase.example/functions/v1/contact?a=1';
    expect(await send('/functions/v1/contact?a=1')).toEqual([307, there]);
    expect(await send('/functions/v1/contact?a=1', siteUrl, 'GET')).toEqual([404, undefined]);
  });
});

describe('The server', () => {
  test.each([
    ['/auth/v1/user', 'backend /auth/v1/user'],
    ['/rest/v1/rpc/get_quiz', 'backend /rest/v1/rpc/get_quiz'],
    ['/functions/v1/send-mail', 'backend /functions/v1/send-mail'],
    ['/auth/v2/user', 'page'],
    ['/authx/v1/user', 'page'],
    ['/rest/v1x', 'page'],
    ['/x/rest/v1/answers', 'page'],
    ['/_local/other', 'page'],
    // Nothing outside the folder of built files is served.
    ['/../../etc/passwd', 'page'],
    ['/%2e%2e/%2e%2e/etc/passwd', 'page'],
    ['/..%2fpackage.json', 'page'],
  ])('%s is answered by the %s', async (address, body) => {
    expect((await get(await open(), address)).body).toBe(body);
  });

  test.each(['//evil.example/', '///evil.example//', '/%2f/evil.example/', '/\\evil.example/'])(
    'A path like %s never leads to another site',
    async (address) => {
      const { headers } = await get(await open(), address);
      const target = new URL(headers.location ?? '/', 'http://127.0.0.1:4321');
      expect(target.origin).toBe('http://127.0.0.1:4321');
    },
  );

  test('Files that are for other web servers do not replace what this server does itself', async () => {
    await writeFile(path.join(folder, 'app-config.json'), 'null');
    await writeFile(path.join(folder, 'flyer.html'), 'Go to the events');
    const site = await open();
    expect(JSON.parse((await get(site, '/app-config.json')).body)).toMatchObject({
      publishableKey: 'sb_publishable_test',
    });
    expect((await get(site, '/flyer')).status).toBe(302);
  });

  test('A slash at the end is taken off and the query kept', async () => {
    const { status, headers } = await get(await open(), '/about/?a=1');
    expect([status, headers.location]).toEqual([308, '/about?a=1']);
  });

  test.each<[string, Partial<HandlerParts>, number, string]>([
    ['what the backend says', {}, 200, 'ok'],
    ['that the backend fails', { healthy: () => Promise.reject(new Error('gone')) }, 503, ''],
    [
      'that the disk is full, with people still served',
      { hasRoom: async () => false },
      200,
      'disk full',
    ],
  ])('Health says %s', async (_what, parts, status, word) => {
    expect(await get(await open(parts), '/healthz')).toMatchObject({
      status,
      body: expect.stringContaining(word),
    });
  });

  test('A browser learns its backend from where it is, unless somebody made up the host', async () => {
    const site = await open();
    const ask = async (host: string) =>
      JSON.parse((await get(site, '/app-config.json', { host })).body).supabaseUrl;
    expect(await ask('localhost:4321')).toBe('http://localhost:4321');
    expect(await ask('evil.example')).toBe('http://127.0.0.1:4321');
  });

  test('Behind a proxy that asks by a name of this machine, a browser is sent to the site', async () => {
    for (const siteUrl of ['https://trellis.example', 'http://trellis.example']) {
      const site = await open({ siteUrl });
      const { body } = await get(site, '/app-config.json', { host: '127.0.0.1:4321' });
      expect(JSON.parse(body).supabaseUrl).toBe(siteUrl);
      const page = publicConfig(new URL('http://127.0.0.1:4321/dashboard'), {
        siteUrl,
        supabaseUrl: 'http://127.0.0.1:4321',
        publishableKey: 'key',
        publicSupabaseUrl: undefined,
      });
      expect(page.supabaseUrl).toBe(siteUrl);
    }
  });

  test('A page that is asked for keeps its own policy for scripts, and cannot be framed', async () => {
    const site = await open({
      pages: (_req, res) => {
        res.writeHead(200, { 'content-security-policy': "script-src 'self' 'sha256-abc='" });
        res.end('page');
      },
    });
    const policy = String((await get(site, '/login')).headers['content-security-policy']);
    expect(policy).toContain("script-src 'self' 'sha256-abc='");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("connect-src 'self'");
  });

  test('With Supabase elsewhere the policy lets the browser reach it, and nothing else', async () => {
    const site = await open({ backend: undefined, supabaseUrl: 'https://x.supabase.co' });
    const { headers } = await get(site, '/');
    expect(headers['content-security-policy']).toContain(
      "connect-src 'self' https://x.supabase.co wss://x.supabase.co;",
    );
    expect((await get(site, '/rest/v1/answers')).body).toBe('page');
  });
});

describe('Somebody who opens the home page', () => {
  const home: HandlerParts['home'] = async () =>
    new Response(null, { status: 302, headers: { location: '/dashboard' } });

  test('reads it when they have no session, from a shared cache if there is one', async () => {
    const { body, headers } = await get(await open({ home }), '/');
    expect(body).toBe('<h1>Home</h1>');
    expect(headers['cache-control']).toContain('public');
    expect(headers.vary).toContain('Cookie');
  });

  test('is sent on when they have one, and nobody caches that', async () => {
    const answer = await get(await open({ home }), '/', { cookie: 'a=1; trellis-session.0=x' });
    expect(answer).toMatchObject({ status: 302, headers: { location: '/dashboard' } });
    expect(answer.headers['cache-control']).toBe('private, no-store');
  });

  test.each<[string, HandlerParts['home'], string[] | undefined, string]>([
    [
      'their session is over, and loses the cookie',
      async () => new Response(null, { headers: { 'set-cookie': 'trellis-session=; Max-Age=0' } }),
      ['trellis-session=; Max-Age=0'],
      'private, no-store',
    ],
    ['the backend fails', () => Promise.reject(new Error('gone')), undefined, 'public'],
  ])('reads it when %s', async (_, answering, cookies, cache) => {
    const site = await open({ home: answering });
    const { body, headers } = await get(site, '/', { cookie: 'trellis-session=x' });
    expect(body).toBe('<h1>Home</h1>');
    expect(headers['set-cookie']).toEqual(cookies);
    expect(headers['cache-control']).toContain(cache);
  });
});

describe('An address that is easy to say', () => {
  test('leads on with its query, for whoever reads and nobody who sends', async () => {
    const site = await open();
    for (const method of ['GET', 'HEAD']) {
      const answer = await get(site, '/flyer?from=print', {}, method);
      expect(answer.status).toBe(302);
      expect(answer.headers.location).toBe('/events?from=print');
    }
    expect((await get(site, '/flyer/')).headers.location).toBe('/flyer');
    const origin = { origin: 'http://127.0.0.1:4321' };
    expect((await get(site, '/flyer', origin, 'POST')).status).toBe(404);
  });
});

describe('A request that fails', () => {
  /** Makes a request and returns its result, with the failures logged meanwhile. */
  async function loggedDuring<Answer>(ask: () => Promise<Answer>) {
    const lines: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    const answer = await ask();
    return { answer, logged: lines.map((line): Record<string, string> => JSON.parse(line)) };
  }
  const cutOff = (site: string, address: string, headers = {}) =>
    expect(get(site, address, headers)).rejects.toThrow(/socket hang up|aborted/);

  test('A built file that can no longer be read fails that request only', async () => {
    const name = path.join(folder, 'gone.html');
    await writeFile(name, '<h1>Gone</h1>');
    const site = await open();
    // A folder in its place can be opened, but reading it fails, even for root.
    await rm(name);
    await mkdir(name);
    const { answer, logged } = await loggedDuring(() => get(site, '/gone'));
    expect(answer.status).toBe(500);
    expect(logged).toMatchObject([{ path: '/gone', error: expect.stringContaining('EISDIR') }]);
    expect(logged[0]?.reference).toMatch(/^\w{10}$/);
    expect((await get(site, '/')).body).toBe('<h1>Home</h1>');
  });

  const broken = () => Promise.reject(new Error('broken inside'));
  test.each<[string, HandlerParts['pages']]>([
    [
      'throws',
      () => {
        throw new Error('broken inside');
      },
    ],
    ['rejects', broken],
  ])('A page that %s becomes a page that says so, with its reference', async (_, pages) => {
    const site = await open({ pages });
    const { answer, logged } = await loggedDuring(() =>
      get(site, '/login', { 'accept-encoding': 'identity' }),
    );
    expect(answer.status).toBe(500);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).toContain(`<code>${logged[0]?.reference}</code>`);
    expect(answer.body).not.toContain('broken inside');
    expect(logged).toMatchObject([{ path: '/login', error: 'Error: broken inside' }]);
  });

  test('A page that fails once bytes are out is cut off, not left open', async () => {
    const site = await open({
      async pages(_req, res) {
        res.writeHead(200, { 'content-type': 'text/html' }).write('<h1>Half');
        throw new Error('broken inside');
      },
    });
    const headers = { 'accept-encoding': 'gzip' };
    const { logged } = await loggedDuring(() => cutOff(site, '/login', headers));
    expect(logged).toMatchObject([{ error: 'Error: broken inside' }]);
  });

  test.each(['/rest/v1/answers', '/_local/mailbox', '/dev/emails'])(
    'So does the backend: %s',
    async (address) => {
      const site = await open({ backend: broken, mailbox: broken, mailPreviews: broken });
      const { answer, logged } = await loggedDuring(() => get(site, address));
      expect(answer.status).toBe(500);
      expect(logged).toMatchObject([{ path: address, error: 'Error: broken inside' }]);
    },
  );

  test('A request that cannot be read stays one of the sender', async () => {
    expect((await get(await open(), '/rest/v1/answers', { host: 'a b' })).status).toBe(400);
  });
});

describe('The page of a tool', () => {
  /** A site with built pages of the toolbox, where these tools aren't as built; '' is the list. */
  async function openToolbox(changed: string[], isDown = () => false) {
    const files = await mkdtemp(path.join(tmpdir(), 'toolbox-'));
    for (const page of ['toolbox', 'toolbox/price-list']) {
      await mkdir(path.join(files, page), { recursive: true });
      await writeFile(path.join(files, page, 'index.html'), `built ${page}`);
      await writeFile(path.join(files, page, '_payload.json'), '{}');
    }
    await writeFile(path.join(files, 'toolbox/price-list.xlsx'), 'a sheet');
    return open({
      files,
      isToolAsBuilt: async (slug = '') => {
        if (isDown()) throw new Error('no answer');
        return !changed.includes(slug);
      },
      pages: (req, res) => {
        res.end(`rendered ${req.url}`);
      },
    });
  }

  test('Visitors get what was built until an admin changes it, and never anything older', async () => {
    const changed: string[] = [];
    const site = await openToolbox(changed);
    const read = async (address: string) => (await get(site, address)).body;
    expect(await read('/toolbox')).toBe('built toolbox');
    expect(await read('/toolbox/price-list')).toBe('built toolbox/price-list');
    changed.push('price-list', '');
    expect(await read('/toolbox?a=b')).toBe('rendered /toolbox/current?a=b');
    expect(await read('/toolbox/price-list')).toBe('rendered /toolbox/current/price-list');
    expect(await read('/toolbox/price-list/index.html')).toBe(
      'rendered /toolbox/current/price-list',
    );
    for (const old of ['/toolbox/price-list/_payload.json', '/toolbox/price-list.xlsx'])
      expect((await get(site, old)).status).toBe(404);
    changed.length = 0;
    expect(await read('/toolbox/price-list')).toBe('built toolbox/price-list');
    expect(await read('/toolbox/price-list/_payload.json')).toBe('{}');
    expect(await read('/toolbox/price-list.xlsx')).toBe('a sheet');
  });

  test('What’s rendered has no address of its own', async () => {
    const site = await openToolbox(['price-list']);
    const answers = await Promise.all(
      ['/toolbox/current', '/toolbox/current/price-list?a=b'].map((each) => get(site, each)),
    );
    expect(answers.map(({ status, headers }) => [status, headers.location])).toEqual([
      [308, '/toolbox'],
      [308, '/toolbox/price-list?a=b'],
    ]);
  });

  test('A tool that the build doesn’t know is rendered', async () => {
    const site = await openToolbox([]);
    expect((await get(site, '/toolbox/letter')).body).toBe('rendered /toolbox/current/letter');
  });

  test('While the database is away, what it said last counts', async () => {
    let isDown = false;
    const site = await openToolbox(['price-list'], () => isDown);
    await get(site, '/toolbox/price-list');
    isDown = true;
    expect((await get(site, '/toolbox/price-list')).body).toMatch(/^rendered/);
    expect((await get(site, '/toolbox')).body).toBe('built toolbox');
  });
});
