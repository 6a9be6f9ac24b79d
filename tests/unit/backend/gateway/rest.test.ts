import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type GatewaySite, openSite } from './site.ts';

let site: GatewaySite;
let owner: SupabaseClient;
let visitor: SupabaseClient;

beforeAll(async () => {
  site = await openSite({ trustedProxies: ['192.0.2.200'] });
  await site.sql.unsafe(`
    create table public.shelves (id uuid primary key, name text not null unique);
    create table public.jars (
      id uuid primary key default gen_random_uuid(),
      shelf_id uuid references public.shelves (id),
      owner_id uuid not null default auth.uid(),
      label text not null check (char_length(label) < 20),
      facts jsonb,
      tags text[],
      price numeric,
      filled_at timestamptz,
      opened_on date,
      seen_at timestamp
    );
    alter table public.shelves enable row level security;
    alter table public.jars enable row level security;
    create policy "Everyone reads shelves" on public.shelves for select to authenticated using (true);
    create policy "Everyone adds shelves" on public.shelves for insert to authenticated with check (true);
    create policy "Everyone names shelves" on public.shelves for update to authenticated using (true);
    create policy "Own jars" on public.jars for all to authenticated
      using (owner_id = (select auth.uid())) with check (owner_id = (select auth.uid()));
    revoke all on public.shelves, public.jars from anon, authenticated;
    grant select, insert, update on public.shelves, public.jars to authenticated;

    create function public.weigh(p_facts jsonb, p_rows jsonb default '[]', p_label text default null)
    returns jsonb language sql stable set search_path = '' as $$
      select jsonb_build_object('facts', p_facts, 'kind', jsonb_typeof(p_facts),
        'rows', jsonb_array_length(p_rows), 'label', p_label, 'nothing', null)
    $$;
    create function public.several(p_names text[], p_ids uuid[], p_on date, p_count int, p_share numeric, p_yes boolean)
    returns table (names text[], ids uuid[], day date, total bigint, share numeric, yes boolean, at timestamptz, facts jsonb[])
    language sql stable set search_path = '' as $$
      select p_names, p_ids, p_on, p_count::bigint * 4000000000, p_share, p_yes, p_on::timestamptz, array['[1]'::jsonb, null]
    $$;
    grant execute on function public.several to anon;
    create function public.nothing() returns jsonb language sql stable set search_path = ''
      as 'select null::jsonb';
    create function public.quiet(p_label text) returns void language sql volatile set search_path = ''
      as 'select null';
    create function public.jar_labels() returns setof text language sql stable set search_path = ''
      as 'select label from public.jars order by label';
    create function public.fail(p_code text) returns void language plpgsql volatile set search_path = '' as $$
    begin
      raise exception 'Give the jar a name.' using errcode = p_code, hint = 'label', detail = 'a detail';
    end $$;
    create function public.whence() returns text language sql stable security definer
      set search_path = '' as 'select private.client_address()';
    grant execute on function public.whence to anon;
    create function public.forbidden() returns void language sql set search_path = '' as 'select null';
    grant execute on function public.weigh, public.nothing, public.quiet, public.fail to anon, authenticated;
    grant execute on function public.jar_labels to authenticated;
  `);
  await site.gateway.schemaChanged();
  owner = (await site.person('owner@example.com')).browser;
  visitor = site.browser();
});
afterAll(() => site.close());

describe('What nobody may reach', () => {
  test.each([
    ['auth', 'users'],
    ['auth', 'refresh_tokens'],
    ['auth', 'one_time_tokens'],
    ['storage', 'objects'],
    ['private', 'anything'],
    ['information_schema', 'tables'],
  ])('The schema %s is not shown (%s)', async (schema, table) => {
    // lite prints a stack trace for an unknown table.
    vi.spyOn(console, 'error').mockImplementation(() => {});
    for (const client of [visitor, owner]) {
      const { error } = await client.schema(schema).from(table).select('*');
      expect(error?.code).toBe('PGRST106');
    }
    const dotted = await owner.from(`${schema}.${table}`).select('*');
    expect(dotted.error).not.toBeNull();
  });

  test('No table is opened by serving requests: lite grants nothing', async () => {
    await owner.from('jars').select('id');
    const granted = await site.sql`
      select table_schema, table_name, grantee from information_schema.role_table_grants
      where grantee in ('anon', 'authenticated')
        and (table_schema in ('auth', 'private') or table_name = 'rate_limits')
    `;
    expect([...granted]).toEqual([]);
    for (const table of ['rate_limits', 'audit_log']) {
      for (const client of [visitor, owner]) {
        const { error } = await client.from(table).select('*');
        expect(error?.code, table).toBe('42501');
      }
    }
  });

  test('How a question is answered inside is not told', async () => {
    const { data, error } = await owner.from('jars').select('id').explain();
    expect(data).toBeNull();
    expect(error).not.toBeNull();
  });

  test('A refusal is 401 for a visitor and 403 for someone who is signed in', async () => {
    const asVisitor = await visitor.from('jars').select('id');
    expect([asVisitor.status, asVisitor.error?.code]).toEqual([401, '42501']);
    const asOwner = await owner.rpc('forbidden');
    expect([asOwner.status, asOwner.error?.code]).toEqual([403, '42501']);
    expect((await visitor.rpc('fail', { p_code: '42501' })).status).toBe(401);
  });

  test('A row of somebody else cannot be written, nor seen', async () => {
    const other = (await site.person('other@example.com')).browser;
    const id = crypto.randomUUID();
    expect((await owner.from('jars').insert({ id, label: 'Plums' })).error).toBeNull();
    expect((await other.from('jars').select('id').eq('id', id)).data).toEqual([]);
    const stolen = await other.from('jars').update({ label: 'Mine' }).eq('id', id).select();
    expect(stolen.data).toEqual([]);
    const forged = await other
      .from('jars')
      .insert({ label: 'Forged', owner_id: (await owner.auth.getUser()).data.user?.id });
    expect([forged.status, forged.error?.code]).toEqual([403, '42501']);
  });
});

describe('Rows', () => {
  test('JSON, lists, numbers and times come back as they went in', async () => {
    const id = crypto.randomUUID();
    const facts = { deep: { list: [1, 'two', null], text: 'a "quoted" \\ back' }, empty: {} };
    const { data, error } = await owner
      .from('jars')
      .insert({
        id,
        label: 'Apricots',
        facts,
        tags: ['a', 'b,c', 'd"e'],
        price: 12.5,
        filled_at: '2026-11-20T13:45:26.089Z',
        opened_on: '2026-11-21',
        seen_at: '2026-11-20T13:45:26',
      })
      .select()
      .single();
    expect(error).toBeNull();
    expect(data).toMatchObject({
      id,
      facts,
      tags: ['a', 'b,c', 'd"e'],
      price: 12.5,
      filled_at: '2026-11-20T13:45:26.089+00:00',
      opened_on: '2026-11-21',
      seen_at: '2026-11-20T13:45:26',
    });
    const [stored] = await site.sql`select jsonb_typeof(facts) as kind from jars where id = ${id}`;
    expect(stored?.kind).toBe('object');
  });

  test.each([[7], [[{ a: 1 }]], [null], ['plums']])('A JSON column keeps %j', async (facts) => {
    const made = await owner.from('jars').insert({ label: 'Json', facts }).select('facts').single();
    expect([made.error, made.data]).toEqual([null, { facts }]);
  });

  test('Lists reach JSON columns and array columns alike, in rows of any shape', async () => {
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
    const many = await owner
      .from('jars')
      .insert([
        { id: first, label: 'One', facts: [1, ['a']], tags: ['x', null] },
        { id: second, label: 'Two', tags: [] },
      ])
      .select('facts, tags')
      .order('label');
    expect(many.error).toBeNull();
    expect(many.data).toEqual([
      { facts: [1, ['a']], tags: ['x', null] },
      { facts: null, tags: [] },
    ]);
    const updated = await owner
      .from('jars')
      .update({ facts: [{ b: 2 }], tags: ['{', '"'] })
      .eq('id', second)
      .select('facts, tags');
    expect(updated.data).toEqual([{ facts: [{ b: 2 }], tags: ['{', '"'] }]);
    const replaced = await owner
      .from('jars')
      .upsert({ id: first, label: 'One', facts: [], tags: null })
      .select('facts, tags');
    expect(replaced.data).toEqual([{ facts: [], tags: null }]);
  });

  test('Rows are found by what their lists and JSON hold', async () => {
    const id = crypto.randomUUID();
    const row = { id, label: 'Found', facts: { a: [1, 2] }, tags: ['red', 'round'] };
    expect((await owner.from('jars').insert(row)).error).toBeNull();
    const jars = () => owner.from('jars').select('label').eq('id', id);
    const found = await Promise.all([
      jars().contains('tags', ['red']),
      jars().overlaps('tags', ['round', 'flat']),
      jars().contains('facts', { a: [1] }),
      jars().eq('facts->a->>0', '1'),
      jars().in('label', ['Found', 'Lost']),
    ]);
    expect(found.map(({ data, error }) => error ?? data)).toEqual(
      Array(5).fill([{ label: 'Found' }]),
    );
    expect((await jars().contains('tags', ['blue'])).data).toEqual([]);
  });

  test('An upsert on a named column replaces, or leaves what is there', async () => {
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
    await owner.from('shelves').upsert({ id: first, name: 'Top' });
    const kept = await owner
      .from('shelves')
      .upsert({ id: second, name: 'Top' }, { onConflict: 'name', ignoreDuplicates: true })
      .select();
    expect(kept.error).toBeNull();
    expect(kept.data).toEqual([]);
    const renamed = await owner
      .from('shelves')
      .upsert({ id: first, name: 'Cellar' }, { onConflict: 'id' })
      .select();
    expect(renamed.data).toEqual([{ id: first, name: 'Cellar' }]);
  });

  test('One question brings a row with what belongs to it', async () => {
    const shelf = crypto.randomUUID();
    await owner.from('shelves').insert({ id: shelf, name: 'Left' });
    const jars = await owner.from('jars').insert([
      { shelf_id: shelf, label: 'B', facts: { n: 1 }, filled_at: '2026-01-02T03:04:05Z' },
      { shelf_id: shelf, label: 'A' },
    ]);
    expect(jars.error).toBeNull();
    const { data, error } = await owner
      .from('shelves')
      .select('name, jars(label, facts, filled_at)')
      .eq('id', shelf)
      .order('label', { referencedTable: 'jars' })
      .single();
    expect(error).toBeNull();
    expect(data).toEqual({
      name: 'Left',
      jars: [
        { label: 'A', facts: null, filled_at: null },
        { label: 'B', facts: { n: 1 }, filled_at: '2026-01-02T03:04:05+00:00' },
      ],
    });
    const up = await owner
      .from('jars')
      .select('label, shelf:shelves(name)')
      .eq('shelf_id', shelf)
      .order('label');
    expect(up.data?.[0]).toEqual({ label: 'A', shelf: { name: 'Left' } });
  });

  test('Counting, pages and a missing row work as on Supabase', async () => {
    const { count, error } = await owner.from('jars').select('*', { count: 'exact', head: true });
    expect(error).toBeNull();
    expect(count).toBeGreaterThan(3);
    const page = await owner.from('jars').select('label').order('label').range(1, 2);
    expect(page.data).toHaveLength(2);
    const none = await owner.from('jars').select().eq('id', crypto.randomUUID()).maybeSingle();
    expect([none.data, none.error]).toEqual([null, null]);
    const one = await owner.from('jars').select().eq('id', crypto.randomUUID()).single();
    expect([one.status, one.error?.code]).toEqual([406, 'PGRST116']);
  });

  test('A broken rule arrives with its code', async () => {
    const twice = { id: crypto.randomUUID(), name: 'Twice' };
    await owner.from('shelves').insert(twice);
    const answers = [
      await owner.from('jars').insert({ label: 'x'.repeat(30) }),
      await owner.from('shelves').insert(twice),
      await owner.from('jars').insert({ label: 'O', shelf_id: crypto.randomUUID() }),
      await owner.from('jars').select().eq('id', 'not-a-uuid'),
    ];
    expect(answers.map(({ status, error }) => [status, error?.code])).toEqual([
      [400, '23514'],
      [409, '23505'],
      [409, '23503'],
      [400, '22P02'],
    ]);
  });
});

describe('Procedures', () => {
  test('A procedure takes and gives JSON', async () => {
    const { data, error } = await visitor.rpc('weigh', {
      p_facts: { a: [1, { b: null }] },
      p_rows: [{ x: 1 }, { x: 2 }],
      p_label: 'one "label"',
    });
    expect(error).toBeNull();
    expect(data).toEqual({
      facts: { a: [1, { b: null }] },
      kind: 'object',
      rows: 2,
      label: 'one "label"',
      nothing: null,
    });
    const list = await visitor.rpc('weigh', { p_facts: [], p_rows: [1, [2]] });
    expect(list.data).toMatchObject({ facts: [], kind: 'array', rows: 2 });
  });

  test('A procedure takes and gives lists, dates, numbers and nothing', async () => {
    const id = crypto.randomUUID();
    const { data, error } = await visitor.rpc('several', {
      p_names: ['a,b', null, '"'],
      p_ids: [id],
      p_on: '2026-11-21',
      p_count: 2,
      p_share: 0.5,
      p_yes: false,
    });
    expect(error).toBeNull();
    expect(data).toEqual([
      {
        names: ['a,b', null, '"'],
        ids: [id],
        day: '2026-11-21',
        total: 8_000_000_000,
        share: 0.5,
        yes: false,
        at: '2026-11-21T00:00:00+00:00',
        facts: [[1], null],
      },
    ]);
    const none = {
      p_names: null,
      p_ids: [],
      p_on: null,
      p_count: null,
      p_share: null,
      p_yes: null,
    };
    expect((await visitor.rpc('several', none)).data).toMatchObject([{ names: null, ids: [] }]);
  });

  test('A procedure may give nothing, a list or no answer', async () => {
    expect((await visitor.rpc('nothing')).data).toBeNull();
    expect((await owner.rpc('quiet', { p_label: 'x' })).error).toBeNull();
    const labels = await owner.rpc('jar_labels');
    expect(labels.error).toBeNull();
    expect(labels.data?.length).toBeGreaterThan(2);
  });

  test.each([
    ['22023', 400],
    ['P0002', 500],
    ['PT404', 404],
    ['PT429', 429],
    ['P0001', 400],
    ['23505', 409],
    ['55000', 500],
    ['54000', 500],
    ['42501', 403],
  ])('What a procedure raises (%s) arrives with message, hint and detail', async (code, status) => {
    const { error, status: got } = await owner.rpc('fail', { p_code: code });
    expect(error).toMatchObject({
      code,
      message: 'Give the jar a name.',
      hint: 'label',
      details: 'a detail',
    });
    expect(got).toBe(status);
  });

  test('A procedure that does not exist is told apart', async () => {
    const { error, status } = await owner.rpc('does_not_exist');
    expect([status, error?.code]).toEqual([404, 'PGRST202']);
  });
});

test.each([
  ['192.0.2.77', '192.0.2.77'],
  // Only a trusted proxy's forwarded address counts. In these tests, that's 192.0.2.200.
  ['192.0.2.200', '203.0.113.7'],
  ['127.0.0.1', '127.0.0.1'],
])('Procedures count someone at %s by the address %s', async (address, counted) => {
  const answer = await site.ask('/rest/v1/rpc/whence', {
    headers: {
      apikey: site.keys.publishableKey,
      'content-type': 'application/json',
      'x-forwarded-for': '203.0.113.7',
      'cf-connecting-ip': '203.0.113.8',
    },
    json: {},
    address,
  });
  expect(await answer.json()).toBe(counted);
});

test('A warning of Node itself does not bring the site down', async () => {
  const warned = new Promise((resolve) => process.once('warning', resolve));
  const warning = Object.assign(new Error('Too many listeners'), { name: 'TestWarning' });
  process.emitWarning(warning);
  expect(await warned).toBe(warning);
});
