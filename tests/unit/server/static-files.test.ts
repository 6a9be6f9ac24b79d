import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStaticFiles } from '#server/static-files.ts';

const ABOUT = `<h1>About</h1>${'<p>What we do.</p>'.repeat(50)}`;
const SCRIPT = 'export const answer = 42;'.repeat(40);

let folder: string;
const running: Server[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'static-files-'));
  await mkdir(path.join(folder, '_astro'));
  await mkdir(path.join(folder, 'events'));
  await write('index.html', '<h1>Home</h1>');
  await write('about.html', ABOUT);
  await write('about.html.br', brotliCompressSync(ABOUT));
  await write('about.html.gz', gzipSync(ABOUT));
  await write('events/index.html', '<h1>Events</h1>');
  await write('_astro/app.a1b2.js', SCRIPT);
  await write('photo.jpg', Buffer.alloc(2 * 1024 * 1024, 7));
  await write('.secret', 'hidden');
});
afterEach(async () => {
  for (const server of running.splice(0)) server.close();
  await rm(folder, { recursive: true, force: true });
});

const write = (name: string, content: string | Buffer) =>
  writeFile(path.join(folder, name), content);

/** Serves the folder, and says with `x-from` whether the response came from memory. */
async function open(memory?: number): Promise<string> {
  const files = createStaticFiles(folder, {
    headers: [['X-Content-Type-Options', 'nosniff']],
    isPlain: (pathname) => pathname !== '/',
    ...(memory && { memory }),
  });
  const server = createServer((req, res) => {
    if (req.headers['x-private']) res.setHeader('Cache-Control', 'private, no-store');
    if (files.serveAtOnce(req, res)) return;
    void files.serve(req, res, () => void res.writeHead(404).end('page'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  running.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function get(site: string, name: string, headers = {}, method = 'GET') {
  const asked = request(`${site}/`, { path: name, headers, method });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) };
}

test('A page is served at its path and with each encoding, the second time as the first', async () => {
  const site = await open();
  for (const _ of ['from the disk', 'from memory']) {
    const plain = await get(site, '/about');
    expect(plain.body.toString()).toBe(ABOUT);
    expect(plain.headers).toMatchObject({
      'content-type': 'text/html;charset=utf-8',
      'content-length': String(ABOUT.length),
      'cache-control': 'public, max-age=0, must-revalidate',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    });
    const br = await get(site, '/about', { 'accept-encoding': 'gzip, deflate, br' });
    expect(br.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(br.body).toString()).toBe(ABOUT);
    const gzip = await get(site, '/about', { 'accept-encoding': 'gzip, br;q=0' });
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.body).toString()).toBe(ABOUT);
    expect((await get(site, '/events')).body.toString()).toBe('<h1>Events</h1>');
    expect((await get(site, '/')).headers.vary).toBe('Cookie');
  }
});

test('A file with a hash in its name is kept for good', async () => {
  const script = await get(await open(), '/_astro/app.a1b2.js', { 'accept-encoding': 'br' });
  expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(script.headers['content-encoding']).toBeUndefined();
  expect(script.body.toString()).toBe(SCRIPT);
});

test('What the browser has is a 304 without a body; each encoding is a version of its own', async () => {
  const site = await open();
  const { etag = '' } = (await get(site, '/about')).headers;
  for (const name of ['/about', '/about?again']) {
    for (const asked of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const again = await get(site, name, { 'if-none-match': asked });
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
      expect(again.headers['content-length']).toBeUndefined();
    }
  }
  expect((await get(site, '/about', { 'if-none-match': '"other"' })).status).toBe(200);
  const br = { 'accept-encoding': 'br', 'if-none-match': etag };
  expect((await get(site, '/about', br)).status).toBe(200);
});

test('A private response keeps its Cache-Control, and is never a 304', async () => {
  const site = await open();
  const { etag = '' } = (await get(site, '/')).headers;
  const answer = await get(site, '/', { 'x-private': '1', 'if-none-match': etag });
  expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'private, no-store']);
});

test('A HEAD has the headers of a GET and no body', async () => {
  const site = await open();
  for (const _ of ['from the disk', 'from memory']) {
    const { status, headers, body } = await get(site, '/about', {}, 'HEAD');
    expect([status, headers['content-length'], body.length]).toEqual([200, `${ABOUT.length}`, 0]);
  }
});

test('A large file comes from the disk, in parts if asked for', async () => {
  const site = await open();
  expect((await get(site, '/photo.jpg')).body).toHaveLength(2 * 1024 * 1024);
  const part = await get(site, '/photo.jpg', { range: 'bytes=10-19' });
  expect([part.status, part.body.length]).toEqual([206, 10]);
  expect(part.headers['content-range']).toBe('bytes 10-19/2097152');
});

test('A file that vanishes is a 404, and is served again once it is back', async () => {
  const site = await open();
  await rm(path.join(folder, 'about.html'));
  await rm(path.join(folder, 'photo.jpg'));
  expect((await get(site, '/about')).status).toBe(404);
  expect((await get(site, '/photo.jpg')).status).toBe(404);
  await write('about.html', ABOUT);
  expect((await get(site, '/about')).status).toBe(200);
});

test.each([
  '/nothing',
  '/.secret',
  '/_astro',
  '/../secret',
  '/%2e%2e/secret',
  '/%',
  '/about.html.br',
])('%s is no file', async (name) => {
  expect((await get(await open(), name)).status).toBe(404);
});

test('Memory is bounded: what does not fit is read again', async () => {
  const site = await open(4_000);
  const names = Array.from({ length: 50 }, (_, index) => `page-${index}`);
  for (const name of names) await write(`${name}.html`, name.repeat(20));
  const other = await open(4_000);
  expect((await get(site, '/page-1')).status).toBe(404);
  for (const name of [...names, ...names]) {
    expect((await get(other, `/${name}`)).body.toString()).toBe(name.repeat(20));
  }
});

test('A spreadsheet and a document come with the types that open their programs', async () => {
  await write('books.xlsx', 'PK');
  await write('plan.docx', 'PK');
  const site = await open();
  const office = 'application/vnd.openxmlformats-officedocument';
  const types = await Promise.all(
    ['/books.xlsx', '/plan.docx'].map(
      async (name) => (await get(site, name)).headers['content-type'],
    ),
  );
  expect(types).toEqual([`${office}.spreadsheetml.sheet`, `${office}.wordprocessingml.document`]);
  const part = await get(site, '/books.xlsx', { range: 'bytes=0-0' });
  expect(part.headers['content-type']).toBe(types[0]);
});
