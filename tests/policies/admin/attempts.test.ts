import { expect, test } from 'vitest';
import { createNewcomer, openWorld } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, ask, refusal } = world;
const { admin, owner, colleague, otherOwner, coach, sponsor } = people;

const list = (filter: object = {}) => ask(admin, 'admin_attempts($1)', [filter]);
const listed = async (filter: object): Promise<string[]> =>
  (await list(filter)).rows.map(({ id }: { id: string }) => id);
const all = [
  ids.alderResult,
  ids.alderOpen,
  ids.colleagueOpen,
  ids.birchResult,
  ids.cedarResult,
  ids.cedarOpen,
];
// One each day, the last of them today.
for (const [day, id] of all.toReversed().entries()) {
  await sql`
    update public.attempts set
      started_at = now() - make_interval(days => ${day}, hours => 1),
      submitted_at = case when state = 'submitted' then now() - make_interval(days => ${day}) end
    where id = ${id}`;
}

test('Only an admin lists attempts, and by nothing that isn’t there', async () => {
  for (const who of [owner, coach, sponsor]) {
    expect(await refusal(who, 'admin_attempts()')).toBe('42501 Only an admin can do this.');
  }
  expect(await refusal(people.visitor, 'admin_attempts()')).toMatch(/^42501 /);
  const lost = '22023 We lost your place in the list. Start from the top.';
  expect(await refusal(admin, 'admin_attempts($1)', [{ version: 'x' }])).toBe(lost);
  for (const since of ['2026-02-31', 'x']) {
    expect(await refusal(admin, 'admin_attempts($1)', [{ since }])).toBe('22023 Choose a date.');
  }
});

test('Neither a score nor an answer is in the list, and each read is in the log', async () => {
  const { rows, choices } = await list({ words: 'birch', state: 'submitted' });
  const [version] = await sql`select number from public.quiz_versions where id = ${world.quiz.id}`;
  expect(rows).toEqual([
    {
      id: ids.birchResult,
      key: expect.any(String),
      kind: 'full',
      state: 'submitted',
      version: version?.number,
      started_at: expect.any(String),
      submitted_at: expect.any(String),
      void_reason: null,
      business: { id: ids.birch, name: 'Birch Cycles' },
      person: { id: otherOwner.userId, name: 'Otto Other' },
    },
  ]);
  expect(choices.version).toContainEqual({
    value: world.quiz.id,
    label: `Version ${version?.number}`,
  });
  const log = await sql`
    select actor_id, details from public.audit_log where action = 'attempt.list' order by id desc limit 1`;
  expect(log).toEqual([
    { actor_id: admin.userId, details: { words: 'birch', state: 'submitted' } },
  ]);
});

test('Attempts are found by business and person, by state, version and the day they were finished', async () => {
  expect(await listed({})).toEqual(all.toReversed());
  expect(await listed({ sort: 'oldest' })).toEqual(all);
  expect(await listed({ state: 'submitted' })).toEqual([
    ids.cedarResult,
    ids.birchResult,
    ids.alderResult,
  ]);
  expect(await listed({ state: 'in_progress', words: 'alder' })).toEqual([
    ids.colleagueOpen,
    ids.alderOpen,
  ]);
  expect(await listed({ words: 'olive alder' })).toEqual([ids.alderOpen, ids.alderResult]);
  expect(await listed({ version: world.quiz.id })).toHaveLength(6);
  expect(await listed({ version: crypto.randomUUID() })).toEqual([]);
  const [day] = await sql`
    select (submitted_at at time zone private.time_zone_of(${admin.userId}))::date::text as day
    from public.attempts where id = ${ids.birchResult}`;
  expect(await listed({ since: day?.day })).toEqual([ids.cedarResult, ids.birchResult]);
  expect(await listed({ since: '2999-01-01' })).toEqual([]);
});

test('A search follows a business and a person that change their names', async () => {
  await sql`update public.businesses set name = 'Linden Bikes' where id = ${ids.birch}`;
  await sql`update public.profiles set full_name = 'Zora Sand' where user_id = ${otherOwner.userId}`;
  expect(await listed({ words: 'birch' })).toEqual([]);
  expect(await listed({ words: 'zora linden' })).toEqual([ids.birchResult]);
  // An attempt from before there was a business joins it.
  const newcomer = await createNewcomer(world);
  const [loose, business] = [crypto.randomUUID(), crypto.randomUUID()];
  await ask(newcomer, 'start_attempt($1, $2)', [loose, world.quiz.id]);
  expect((await list({})).rows[0]).toMatchObject({ id: loose, business: null });
  await ask(newcomer, 'create_business($1, $2)', [business, 'Juniper Jams']);
  expect(await listed({ words: 'juniper' })).toEqual([loose]);
});

test('Nothing leads to a person who deleted their account', async () => {
  await sql`update public.attempts set user_id = null where id = ${ids.colleagueOpen}`;
  const [{ name } = { name: '' }] = await sql<{ name: string }[]>`
    select full_name as name from public.profiles where user_id = ${colleague.userId}`;
  expect(await listed({ words: name })).toEqual([]);
  const { rows } = await list({ words: 'alder', state: 'in_progress' });
  expect(rows[0]).toMatchObject({ id: ids.colleagueOpen, person: null });
});

test('A finished attempt that an admin sets aside leaves the count, and its owner hears why, once', async () => {
  const count = async () =>
    (await ask(admin, 'admin_attempts(\'{"state": "submitted"}\', null, 0)')).count.total;
  const before = await count();
  await ask(admin, 'void_attempt($1, $2)', [ids.alderResult, 'It was a test at the fair.']);
  expect(await count()).toBe(before - 1);
  const { rows } = await list({ state: 'voided' });
  expect(rows).toMatchObject([{ id: ids.alderResult, void_reason: 'It was a test at the fair.' }]);
  const told = await sql`
    select user_id, kind, title, body, path from public.notifications
    where key = ${`voided:${ids.alderResult}`}`;
  expect(told).toEqual([
    {
      user_id: owner.userId,
      kind: 'account',
      title: 'We set one of your quiz results aside',
      body: expect.stringMatching(
        /^It’s the one of \w+ \d+, \d{4}\. .+\nThe reason: It was a test at the fair\.$/,
      ),
      path: `/dashboard/skills/quiz/${ids.alderResult}`,
    },
  ]);
  // Its email is sent whatever emails its owner has turned off.
  expect(
    await sql`
      select from private.mails where to_address = ${owner.email} and template = 'account-notice'
        and data::text like '%test at the fair%'`,
  ).toHaveLength(1);
  // Nobody is left to tell about an attempt whose person is gone.
  await sql`update public.attempts set user_id = null where id = ${ids.birchResult}`;
  await ask(admin, 'void_attempt($1, $2)', [ids.birchResult, 'Made up']);
  expect(
    await sql`select from public.notifications where key = ${`voided:${ids.birchResult}`}`,
  ).toEqual([]);
});
