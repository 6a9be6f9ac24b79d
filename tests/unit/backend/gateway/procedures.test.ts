import { readFile } from 'node:fs/promises';
import { Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RestDialect } from '#backend/local/gateway/rest-transactions.ts';
import { createPool } from '#backend/supabase/functions/_shared/connection.ts';
import { createBackendFetch } from '#server/backend-fetch.ts';
import { serverLog } from '../../../fixtures/database.ts';
import { type GatewaySite, openSite, SITE } from './site.ts';

let site: GatewaySite;
let headers: Record<string, string>;

beforeAll(async () => {
  site = await openSite();
  await site.sql.unsafe(`
    create function public.shout(p_text text, p_times int default 1, p_words text[] default '{}')
    returns jsonb language sql as $$
      select jsonb_build_object('text', repeat(p_text, p_times), 'words', p_words)
    $$;
    create function public.note(p_value jsonb) returns void language sql as $$ select $$;
    create function public.is_even(p_number int) returns boolean language sql as $$
      select case when p_number is null then null else p_number % 2 = 0 end
    $$;
    create function public.whose() returns jsonb language sql as $$
      select jsonb_build_object(
        'who', auth.uid(), 'role', current_user, 'path', current_setting('request.path', true),
        'from', current_setting('request.headers', true)::jsonb ->> 'x-forwarded-for',
        'keys', current_setting('request.headers', true)::jsonb ? 'apikey'
      )
    $$;
    create function public.refuse(p_code text) returns jsonb language plpgsql as $$
    begin
      raise exception 'Refused “%”', p_code using errcode = p_code, hint = 'A hint', detail = 'Why';
    end
    $$;
    create function public.redirected() returns jsonb language sql as $$
      select set_config('response.status', '202', true)::jsonb
    $$;
    create function public.numbers() returns setof int language sql as $$ values (1), (2) $$;
    create function public.twice(p_text text) returns text language sql as $$ select p_text || p_text $$;
    grant execute on all functions in schema public to anon, authenticated;`);
  await site.gateway.schemaChanged();
  headers = await site.headersOf((await site.person('rosa@procedures.example')).browser);
});
afterAll(() => site.close());

async function call(name: string, body: string, more: Record<string, string> = {}, query = '') {
  const answer = await site.ask(`/rest/v1/rpc/${name}${query}`, {
    method: 'POST',
    headers: { ...headers, ...more },
    body,
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}

test.each([
  ['shout', '{"p_text":"Hi"}'],
  ['shout', '{"p_text":"It\'s \\"quoted\\" \\\\ and — 😀","p_times":2,"p_words":["a","b, c"]}'],
  ['shout', '{"p_text":null}'],
  ['note', '{"p_value":{"a":[1,2]}}'],
  ['is_even', '{"p_number":4}'],
  ['is_even', '{"p_number":null}'],
  ['numbers', '{}'],
  ['twice', '{"p_text":"Hi"}'],
  ['refuse', '{"p_code":"P0001"}'],
  ['refuse', '{"p_code":"42501"}'],
  ['refuse', '{"p_code":"PT404"}'],
  ['refuse', '{"p_code":"23505"}'],
])('%s with %s answers what it does in the long way', async (name, body) => {
  const short = await call(name, body);
  expect(short).toEqual(await call(name, body, {}, '?'));
  expect(short.status).toBeLessThan(500);
});

test.each([
  ['shout', '{}', 404],
  ['shout', '{"p_text":"Hi","p_other":1}', 404],
  ['shout', '{"p_text":"Hi","p_times":"many"}', 400],
  ['nothing', '{}', 404],
  ['shout', '{"p_text":', 400],
])('%s with %s is refused with a reason', async (name, body, status) => {
  const answer = await call(name, body);
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject({ code: expect.any(String), message: expect.any(String) });
});

test.each(['select=x:shout->>text::int', 'select=shout', 'shout->>text=gt.5', 'limit=0'])(
  'With the query %s it isn’t called, so nothing can undo that it was',
  async (query) => {
    const answer = await call('shout', '{"p_text":"Hi"}', {}, `?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'PGRST100' } });
    expect(JSON.stringify(answer.body)).not.toContain('Hi');
  },
);

test('It sees who calls, and from where, and no other header', async () => {
  const { body } = await call('whose', '{}', { 'x-forwarded-for': '203.0.113.9', cookie: 'a=b' });
  expect(body).toMatchObject({ role: 'authenticated', path: '/rpc/whose', from: '192.0.2.251' });
  const visitor = { apikey: headers.apikey ?? '', 'content-type': 'application/json' };
  const answer = await site.ask('/rest/v1/rpc/whose', { headers: visitor, json: {} });
  expect(await answer.json()).toMatchObject({ who: null, role: 'anon' });
});

test('It takes the short way, which passes no key on', async () => {
  expect((await call('whose', '{}')).body.keys).toBe(false);
  expect((await call('whose', '{}', {}, '?')).body.keys).toBe(true);
});

test('Half a character is replaced, as in the long way', async () => {
  const body = JSON.stringify({ p_text: 'a\ud83d' });
  expect(await call('shout', body)).toEqual(await call('shout', body, {}, '?'));
});

test('What is refused leaves nothing of itself in the log of the database', async () => {
  const before = (await readFile(serverLog())).length;
  // Other tests log to the same file.
  const logged = async () => (await readFile(serverLog())).subarray(before).toString();
  const unread = { p_text: 'private words', p_times: 'many', p_words: ['x'.repeat(100_000)] };
  expect((await call('shout', JSON.stringify(unread))).status).toBe(400);
  await call('refuse', '{"p_code":"PT418"}');
  await expect.poll(logged).toContain('Refused “PT418”');
  expect(await logged()).not.toMatch(/private words|"rosa@procedures.example"|xxxx/);
});

test('A transaction that cannot be opened leaves its connection usable', async () => {
  const pool = createPool(site.databaseUrl, { max: 1 });
  let opening = 'start transaction; select 1 / 0';
  const db = new Kysely<object>({ dialect: new RestDialect({ pool }, () => opening) });
  const open = () => db.transaction().execute((tx) => sql`select 1`.execute(tx));
  await expect(open()).rejects.toMatchObject({ code: '22012' });
  opening = 'start transaction';
  expect((await open()).rows).toHaveLength(1);
  await db.destroy();
});

test('A procedure that decides on its response is left to lite', async () => {
  expect((await call('redirected', '{}')).status).toBe(202);
});

test('After an error, the connections are as good as before', async () => {
  const calls = Array.from({ length: 60 }, (_, index) =>
    index % 2 ? call('refuse', '{"p_code":"P0001"}') : call('whose', '{}'),
  );
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses).toEqual(Array.from({ length: 60 }, (_, index) => (index % 2 ? 400 : 200)));
});

// With a question mark, lite makes the call.
test.each(['/rest/v1/rpc/shout', '/rest/v1/rpc/shout?'])(
  'What a page sends to %s is read and limited as over HTTP',
  async (path) => {
    const send = createBackendFetch(site.gateway);
    for (const [status, body] of [
      [200, JSON.stringify({ p_text: 'Ænima, 3 €' })],
      [400, '{"p_text":'],
      [404, ''],
      [400, '['.repeat(100)],
      [413, JSON.stringify({ p_text: 'a'.repeat(2_100_000) })],
    ] as const) {
      const inProcess = await send(SITE + path, { method: 'POST', headers, body });
      const sent = await site.ask(path, { method: 'POST', headers, body });
      const answer = [inProcess.status, await inProcess.json()];
      expect(answer).toEqual([sent.status, await sent.json()]);
      expect(answer[0]).toBe(status);
    }
  },
);
