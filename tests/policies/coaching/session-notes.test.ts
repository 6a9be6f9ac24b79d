import { expect, test } from 'vitest';
import { acceptClients, closeSession } from '../../fixtures/coaching.ts';
import { asPerson, type Person } from '../../fixtures/database.ts';
import { expectReaders, openWorld, personaNames } from '../../fixtures/personas.ts';
import { talkIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { sql, people, ids, ask, refusal } = world;
const { owner, coach, otherCoach, admin } = people;
const SECRET = 'A thought about Olive that stays here';

await acceptClients(world);
const id = await closeSession(world, { note: SECRET });

const others = personaNames.filter((name) => name !== 'coach');

test('Only the author reads a private note in its table', async () => {
  await expectReaders(world, 'session_notes', 'body', { coach: [SECRET] });
});

test('The author reads it on the session’s page and the client’s', async () => {
  expect(await ask(coach, 'get_session($1)', [id])).toMatchObject({ note: SECRET });
  expect(await ask(coach, 'get_client($1)', [ids.alderEngagement])).toMatchObject({
    notes: [{ session_id: id, body: SECRET }],
  });
});

/** Every procedure that people can call to read, with the ids that exist. */
async function readers(): Promise<string[]> {
  const rows = await sql<{ name: string; args: string[] }[]>`
    select p.proname as name, array(
      select format_type(t.id, null) from unnest(p.proargtypes) with ordinality as t (id, place)
      order by t.place
    )::text[] as args
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
      and p.proname ~ '^(get|list|search|export|coach|client|admin|unread|session_context)'
      and p.proname <> 'admin_read_session_note'`;
  const business = new Set([
    'get_business',
    'get_plan',
    'get_skills',
    'get_home',
    'list_snapshots',
  ]);
  return rows.map(({ name, args }) => {
    const uuid = name === 'get_session' ? id : business.has(name) ? ids.alder : ids.alderEngagement;
    const value: Record<string, string> = {
      uuid: `'${uuid}'::uuid`,
      text: "'thought'",
      integer: '100',
      jsonb: 'null::jsonb',
    };
    return `${name}(${args.map((type) => value[type] ?? `null::${type}`).join(', ')})`;
  });
}

test('Nobody else finds it in anything that they can read: pages, lists, search, exports', async () => {
  const calls = await readers();
  expect(calls.length).toBeGreaterThan(40);
  for (const name of others) {
    for (const call of calls) {
      const read = asPerson(sql, people[name], (tx) =>
        tx.unsafe(`select public.${call} as answer`),
      );
      const answer = await read.catch((error: Error) => [{ answer: error.message }]);
      expect(JSON.stringify(answer), `${name}: ${call}`).not.toContain(SECRET);
    }
  }
});

test('Nobody else finds it in any table that the REST interface reads', async () => {
  const tables = await sql`
    select c.relname as name, array_agg(quote_ident(a.attname)) as columns from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
      and has_column_privilege('authenticated', c.oid, a.attnum, 'select')
    group by 1`;
  expect(tables.length).toBeGreaterThan(20);
  for (const name of others.filter((each) => each !== 'visitor')) {
    for (const { name: table, columns } of tables) {
      const rows = await asPerson(sql, people[name], (tx) =>
        tx.unsafe(`select ${columns.join(', ')} from public.${table}`),
      );
      expect(JSON.stringify(rows), `${name}: ${table}`).not.toContain(SECRET);
    }
  }
});

test('It’s in no message of the live channel, no email, no notification and no entry of the log', async () => {
  await talkIn(world).open(owner, 'engagement', ids.alderEngagement);
  for (const table of [
    'realtime.messages',
    'private.mails',
    'private.jobs',
    'public.notifications',
    'public.audit_log',
    'public.engagement_events',
    'public.messages',
  ]) {
    const rows = await sql.unsafe(`select t::text as row from ${table} t`);
    expect(JSON.stringify(rows), table).not.toContain(SECRET);
  }
});

test('An admin reads it with a reason, which is recorded each time', async () => {
  const call = 'admin_read_session_note($1, $2)';
  expect(await refusal(admin, call, [id, ' '])).toBe(
    '22023 Give a reason of 3 to 2,000 characters.',
  );
  expect(await refusal(admin, call, [crypto.randomUUID(), 'a complaint'])).toBe(
    'P0002 We can’t find this session.',
  );
  expect(await ask(admin, call, [id, 'a complaint'])).toEqual({
    session_id: id,
    body: SECRET,
    author_name: 'Carla Coach',
    updated_at: expect.any(String),
  });
  const log = await sql`
    select actor_id, reason, details from public.audit_log
    where action = 'session_note.read' and entity = 'session' and entity_id = ${id}`;
  expect(log).toEqual([
    {
      actor_id: admin.userId,
      reason: 'a complaint',
      details: {
        engagement_id: ids.alderEngagement,
        author_id: coach.userId,
        business_id: ids.alder,
        person_id: owner.userId,
      },
    },
  ]);
});

test('A note is changed, and removed with an empty text', async () => {
  const other = await closeSession(world, { note: '' });
  const note = async () => {
    const [row] = await sql`select body from public.session_notes where session_id = ${other}`;
    return row?.body;
  };
  expect(await note()).toBeUndefined();
  await ask(coach, 'save_session_note($1, $2)', [other, ' First \n']);
  await ask(coach, 'save_session_note($1, $2)', [other, 'Second']);
  expect(await note()).toBe('Second');
  expect(await refusal(coach, 'save_session_note($1, $2)', [other, 'x'.repeat(10_001)])).toBe(
    '22023 Keep it to 10,000 characters.',
  );
  await ask(coach, 'save_session_note($1, $2)', [other, ' ']);
  expect(await note()).toBeUndefined();
});

test('The author’s own export has it, and the next coach’s handover doesn’t', async () => {
  const { tables } = await ask(coach, 'export_account()');
  expect(tables.session_notes).toMatchObject([{ session_id: id, body: SECRET }]);
  await ask(admin, 'assign_coach($1, $2, $3)', [
    ids.alderEngagement,
    otherCoach.userId,
    'On leave',
  ]);
  const handovers = await sql`select h::text as row from public.handovers h`;
  expect(handovers.length).toBeGreaterThan(0);
  const read = async (who: Person, call: string, values: unknown[]) =>
    JSON.stringify(await ask(who, call, values));
  for (const answer of [
    JSON.stringify(handovers),
    await read(otherCoach, 'get_client($1)', [ids.alderEngagement]),
    await read(otherCoach, 'get_session($1)', [id]),
    await read(otherCoach, 'export_account()', []),
    await read(admin, 'admin_engagement($1)', [ids.alderEngagement]),
  ]) {
    expect(answer).not.toContain(SECRET);
  }
});

test('An author who isn’t the coach anymore, or no coach at all, doesn’t read it either', async () => {
  const seen = async () =>
    (await asPerson(sql, coach, (tx) => tx`select body from public.session_notes`)).length;
  expect(await seen()).toBe(0);
  expect(await ask(coach, 'get_session($1)', [id])).toBeNull();
  await closeSession(world, { note: 'About Wanda' }, { engagement: ids.cedarEngagement });
  expect(await seen()).toBe(1);
  await sql`delete from public.staff_roles where user_id = ${coach.userId}`;
  expect(await seen()).toBe(0);
});
