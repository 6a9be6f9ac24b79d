import { expect, test } from 'vitest';
import { asPerson, type Person } from '../../fixtures/database.ts';
import { openWorld, refusalOf } from '../../fixtures/personas.ts';

const world = await openWorld();
const { people, ids } = world;
const { owner, otherOwner, ownerWithoutCode, admin, visitor } = people;

interface Call {
  name: string;
  args?: Record<string, unknown>;
}

interface Opened {
  session: { user_id: string; role: string } | null;
  business_id: string | null;
  answers: unknown[] | null;
}

async function open(who: Person, calls: Call[], business: string | null = null): Promise<Opened> {
  const sent = calls.map(({ name, args = {} }) => ({ name, args }));
  const rows = await asPerson(
    world.sql,
    who,
    (tx) => tx<{ it: Opened }[]>`
      select public.open_page(${tx.json(sent as never)}, ${business}) as it`,
  );
  const [row] = rows;
  if (!row) throw new Error('No row');
  return row.it;
}

const refusal = (who: Person, ...calls: Call[]) => refusalOf(open(who, calls));

test('A visitor may not call it', async () => {
  expect(await refusal(visitor, { name: 'get_quiz' })).toBe(
    '42501 permission denied for function open_page',
  );
});

test('Nothing is answered while the second factor is missing', async () => {
  const opened = await open(ownerWithoutCode, [{ name: 'get_profile' }]);
  expect(opened).toMatchObject({ business_id: null, answers: null });
  expect(opened.session).toMatchObject({ second_factor: 'required', full_name: null });
});

test('A call has the rights of its caller', async () => {
  expect(await refusal(owner, { name: 'admin_overview' })).toMatch(/^42501 /);
  expect((await open(admin, [{ name: 'admin_overview' }])).answers).toHaveLength(1);
  const business = { name: 'get_business', args: { p_id: ids.alder } };
  expect((await open(owner, [business])).answers).toMatchObject([{ id: ids.alder }]);
  const asOther = (await open(otherOwner, [business])).answers;
  const direct = await asPerson(
    world.sql,
    otherOwner,
    (tx) => tx`select public.get_business(${ids.alder}) as it`,
  );
  expect(asOther).toEqual([direct[0]?.it]);
  expect(JSON.stringify(asOther)).not.toContain('Alder');
});

test('Only public procedures that read can be called, and only by their names', async () => {
  for (const name of [
    'open_page',
    'send_message',
    'keep_account',
    'second_factor',
    'pg_sleep',
    'session_ok',
    "get_quiz(); select 'x",
    '',
  ]) {
    expect(await refusal(owner, { name }), name).toBe(
      `42883 There is no procedure ${name} that only reads.`,
    );
  }
});

test('Arguments are read as the REST interface reads them; unknown ones are left out', async () => {
  const args = {
    p_business_id: ids.alder,
    p_statuses: ['draft', 'planned'],
    p_query: "it's",
    p_x: 1,
  };
  const { answers } = await open(owner, [{ name: 'list_projects', args }]);
  const direct = await asPerson(
    world.sql,
    owner,
    (tx) => tx`
      select public.list_projects(
        p_business_id => ${ids.alder}, p_statuses => array['draft', 'planned'],
        p_query => ${"it's"}
      ) as it`,
  );
  expect(answers).toEqual([direct[0]?.it]);
  expect(await refusal(owner, { name: 'get_business', args: { p_id: 'no-uuid' } })).toMatch(
    /^22P02 /,
  );
});

test('Procedures that are called without looking them up get all of their arguments', async () => {
  const [row] = await world.sql`
    select prosrc as source from pg_proc where oid = 'private.call_procedure'::regproc`;
  const source = String(row?.source);
  const calls = source.matchAll(/when '(\w+)' then\s+return to_json\(public\.\1\(([^;]*)\)\);/g);
  const sent = Object.fromEntries(
    [...calls].map(([, name, args = '']) => [name, args.replace(/\s+/g, ' ').trim()]),
  );
  expect(Object.keys(sent)).toHaveLength(source.split("when '").length - 1);
  const procedures = await world.sql`
    select p.proname as name, coalesce((
      select string_agg(format('(p_args ->> %L)::%s', a.name, a.type::regtype), ', ' order by a.place)
      from unnest(p.proargnames, p.proargtypes::oid[]) with ordinality as a (name, type, place)
    ), '') as args
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proname = any (${Object.keys(sent)})`;
  expect(sent).toEqual(Object.fromEntries(procedures.map(({ name, args }) => [name, args])));
});

test('The current business is the chosen one if it is the caller’s, else their first', async () => {
  const calls = [{ name: 'get_plan', args: { p_business_id: 'current' } }];
  const first = (await open(owner, [])).business_id;
  expect(first).toBe(ids.alder);
  expect((await open(owner, calls, ids.alder)).business_id).toBe(ids.alder);
  const foreign = (await open(otherOwner, [])).business_id;
  expect(foreign).not.toBe(ids.alder);
  expect((await open(owner, calls, foreign)).business_id).toBe(ids.alder);
  const direct = await asPerson(
    world.sql,
    owner,
    (tx) => tx`select public.get_plan(${ids.alder}) as it`,
  );
  expect((await open(owner, calls)).answers).toEqual([direct[0]?.it]);
});

test('At most four calls are made', async () => {
  const calls = Array.from({ length: 20 }, () => ({ name: 'get_profile' }));
  expect((await open(owner, calls)).answers).toHaveLength(4);
});
