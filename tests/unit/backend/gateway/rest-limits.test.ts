import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewaySite, openSite } from './site.ts';

let site: GatewaySite;
let owner: SupabaseClient;
let headers: Record<string, string>;

beforeAll(async () => {
  site = await openSite();
  await site.sql.unsafe(`
    create table public.shelves (id int primary key, name text not null);
    create table public.jars (
      id int primary key, shelf_id int not null references public.shelves (id), label text not null
    );
    insert into public.shelves values (1, 'Top');
    insert into public.jars
      select n, 1, rpad('Jar ' || n || ' ', 20000, md5(n::text)) from generate_series(1, 200) n;
    grant select, update on public.shelves, public.jars to authenticated;
    create function public.list_jars(p_most int) returns setof public.jars
    language sql stable set search_path = '' as 'select * from public.jars limit p_most';
    create function public.whole_archive() returns jsonb language sql stable set search_path = ''
      as 'select to_jsonb(repeat(''x'', 3000000))';
    grant execute on function public.list_jars, public.whole_archive to authenticated;
  `);
  await site.gateway.schemaChanged();
  const person = await site.person('owner@example.com');
  owner = person.browser;
  headers = await site.headersOf(owner);
});
afterAll(() => site.close());

/** `key,quiz_version_areas(area_key,quiz_questions(key,…))`, with `depth` nested tables. */
function nested(depth: number): string {
  if (depth === 0) return 'key';
  return depth % 2 === 0
    ? `key,quiz_version_areas(area_key,${nested(depth - 1)})`
    : `quiz_questions(key${depth === 1 ? '' : `,quiz_version_areas(area_key,${nested(depth - 2)})`})`;
}

const get = (path: string) => site.ask(`/rest/v1/${path}`, { headers });

async function refusalOf(path: string, init: RequestInit = {}) {
  const answer = await site.ask(`/rest/v1/${path}`, { headers, ...init });
  const body = (await answer.json()) as { code?: string; message?: string };
  return [answer.status, body.code, body.message];
}

const TOO_LARGE = [413, 'PT413', 'This answer is too large. Ask for fewer rows or columns.'];
const TOO_DEEP = [400, 'PGRST100', 'Tables can be embedded at most 4 levels deep'];

describe('One request that asks for everything keeps nobody waiting', () => {
  test('Sixteen tables inside each other are refused while somebody else is answered', async () => {
    const [attack, other] = await Promise.all([
      refusalOf(`quiz_questions?select=${nested(16)}`),
      owner.rpc('session_context'),
    ]);
    expect(attack.slice(0, 2)).toEqual([400, 'PGRST100']);
    expect([other.status, other.error]).toEqual([200, null]);
  });

  test('Four tables inside each other are answered, five are not', async () => {
    expect((await get(`quiz_questions?select=${nested(4)}`)).status).toBe(200);
    expect(await refusalOf(`quiz_questions?select=${nested(6)}`)).toEqual(TOO_DEEP);
  });

  test('Many tables beside each other are refused', async () => {
    const beside = Array.from({ length: 13 }, (_, n) => `a${n}:shelves(name)`).join();
    expect(await refusalOf(`jars?select=id,${beside}`)).toEqual([
      400,
      'PGRST100',
      'At most 12 tables can be embedded',
    ]);
  });

  test.each([
    ['through a table that all rows share', 'jars?select=id,shelves(jars(label))&limit=2'],
    ['by itself', 'jars?select=*'],
    ['as a list of values', 'jars?select=label'],
    [
      'from a procedure, with tables inside',
      'rpc/list_jars?p_most=1&select=id,shelves(jars(label))',
    ],
  ])('An answer that is too large is refused by the database, %s', async (_how, path) => {
    const [attack, other] = await Promise.all([refusalOf(path), owner.rpc('session_context')]);
    expect(attack).toEqual(TOO_LARGE);
    expect(other.status).toBe(200);
  });

  test('What was changed and is asked back is limited as well, and then not changed', async () => {
    const change = (select: string) => ({
      method: 'PATCH',
      headers: { ...headers, prefer: 'return=representation' },
      body: JSON.stringify({ name: select }),
    });
    const path = 'shelves?id=eq.1&select=name,jars(label)';
    expect(await refusalOf(path, change('Changed'))).toEqual(TOO_LARGE);
    expect(
      await refusalOf(
        `shelves?id=eq.1&select=${'jars(shelves('.repeat(3)}name${'))'.repeat(3)}`,
        change('x'),
      ),
    ).toEqual(TOO_DEEP);
    expect((await owner.from('shelves').select('name').single()).data).toEqual({ name: 'Top' });
  });

  test('A page of the same rows is answered, in order, counted and typed', async () => {
    const { data, count, error } = await owner
      .from('jars')
      .select('id, shelf:shelves(name)', { count: 'exact' })
      .order('id', { ascending: false })
      .range(0, 1);
    expect(error).toBeNull();
    expect(count).toBe(200);
    expect(data).toEqual([
      { id: 200, shelf: { name: 'Top' } },
      { id: 199, shelf: { name: 'Top' } },
    ]);
    expect((await owner.from('jars').select().eq('id', 0)).data).toEqual([]);
  });

  test('A procedure of ours decides itself how much it gives', async () => {
    expect((await owner.rpc('whole_archive')).data).toHaveLength(3_000_000);
  });
});

describe('A query that is too much to parse is a bad request', () => {
  const deep = (depth: number) => `${'and('.repeat(depth)}id.eq.1,id.eq.2${')'.repeat(depth)}`;
  test.each([
    ['conditions inside conditions', `jars?or=(${deep(500)})`],
    ['conditions of an embedded table', `shelves?select=name,jars(id)&jars.or=(${deep(50)})`],
    ['conditions that are not', `jars?not.and=(${deep(50)})`],
    ['parentheses in a select', `jars?select=${'('.repeat(3000)}`],
    ['many filters', `jars?${'id=neq.0&'.repeat(120)}`],
    ['many columns', `jars?select=${'id,'.repeat(3000)}id`],
    ['many columns of a body', `jars?columns=${'id,'.repeat(3000)}id`],
  ])('%s', async (_what, path) => {
    const [status, code] = await refusalOf(path);
    expect([status, code]).toEqual([400, 'PGRST100']);
  });

  test('Conditions inside each other as people write them are answered', async () => {
    const { data, error } = await owner
      .from('jars')
      .select('id')
      .or('id.eq.1,and(id.gt.1,or(id.eq.2,label.eq."Jar (((((((((((( 3"))')
      .order('id');
    expect([data, error]).toEqual([[{ id: 1 }, { id: 2 }], null]);
  });
});
