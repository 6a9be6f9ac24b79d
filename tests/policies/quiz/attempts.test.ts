import type { TransactionSql } from 'postgres';
import { describe, expect, test } from 'vitest';
import { everyone, expectReaders, openWorld, refusalOf, whoMay } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, quiz, ask, as } = world;
const { owner, colleague, otherOwner, ownerWithoutCode, coach, otherCoach, admin } = people;

describe.each([
  ['area_scores', 'score'],
  ['recommendations', 'priority'],
])('Rows of %s', (table, column) => {
  test('are computed once, for the owner of the database too', async () => {
    const rows = `public.${table}`;
    const once = '55000 Results are computed once.';
    const again = `
      insert into ${rows} select (jsonb_populate_record(t, '{"area_key": "web-design"}')).*
      from ${rows} t where t.attempt_id = '${ids.alderResult}' limit 1`;
    expect(await refusalOf(sql.unsafe(`update ${rows} set ${column} = 1`))).toBe(once);
    expect(await refusalOf(sql.unsafe(again))).toBe(once);
    expect(await refusalOf(sql.unsafe(`delete from ${rows}`))).toBe(
      '55000 Results are never removed.',
    );
  });

  test('are read by their owner, and by the assigned coach where they are shared', () =>
    expectReaders(world, table, 'attempt_id', {
      owner: ['alderResult'],
      otherOwner: ['birchResult'],
      ownerWithCode: ['cedarResult'],
      coach: ['alderResult'],
    }));
});

test('Owners read their own attempts, a coach the submitted ones that are shared, an admin none', async () => {
  await expectReaders(world, 'attempts', 'id', {
    owner: ['alderOpen', 'alderResult'],
    colleague: ['colleagueOpen'],
    otherOwner: ['birchResult'],
    ownerWithCode: ['cedarOpen', 'cedarResult'],
    coach: ['alderResult'],
  });
});

test('An attempt is shown whole to those who may see it, and is not there for others', async () => {
  expect(
    await whoMay(
      world,
      (sql) => sql`
        select 1 from get_attempt(${ids.alderResult}) as view where view is not null`,
    ),
  ).toEqual(
    everyone(0, {
      visitor: '42501 permission denied for function get_attempt',
      owner: 1,
      coach: 1,
    }),
  );
  const [row] = await as(coach)`select get_attempt(${ids.alderResult}) as view`;
  expect(row?.view.attempt).toMatchObject({
    mine: false,
    owner_name: 'Olive Owner',
    business_name: 'Alder Bakery',
    state: 'submitted',
    kind: 'full',
    overall_score: 50,
  });
  expect(row?.view.version.questions).toHaveLength(32);
  expect(row?.view.answers).toHaveLength(32);
  expect(row?.view.confidences).toHaveLength(8);
  expect(row?.view.scores).toHaveLength(8);
  expect(row?.view.recommendations).toHaveLength(3);
});

test('What hangs on an attempt is for the same people, however it is asked for', async () => {
  expect(
    await whoMay(world, (sql) => sql`select from private.attempt_parts(${ids.alderResult})`),
  ).toEqual(
    everyone(0, {
      visitor: '42501 permission denied for function attempt_parts',
      owner: 1,
      coach: 1,
    }),
  );
});

test('A coach sees nothing from the moment when the owner stops sharing or gets another coach', async () => {
  const seen = async (who: typeof people.coach) =>
    (await as(who)`select id from public.attempts`).map((row) => row.id);
  const share = (shared: boolean) =>
    as(owner)`select set_results_shared(${ids.alderEngagement}, ${shared})`;
  expect(await seen(coach)).toEqual([ids.alderResult]);
  await share(false);
  expect(await seen(coach)).toEqual([]);
  await share(true);
  expect(await seen(coach)).toEqual([ids.alderResult]);
  await as(admin)`
    select assign_coach(${ids.alderEngagement}, ${otherCoach.userId}, 'on leave')`;
  expect(await seen(coach)).toEqual([]);
  // The next one, too, until the owner says so.
  expect(await seen(otherCoach)).toEqual([]);
  await share(true);
  expect(await seen(otherCoach)).toEqual([ids.alderResult]);
});

test('Skills show a person their own attempts for one business', async () => {
  const skills = async (who: typeof people.owner, business: string | null) =>
    await ask(who, 'get_skills($1)', [business]);
  const mine = await skills(owner, ids.alder);
  expect(mine.open_attempt).toMatchObject({ id: ids.alderOpen, answered: 1, asked: 32 });
  expect(mine.attempts).toMatchObject({ more: false, items: [{ id: ids.alderResult }] });
  expect(mine.attempts.items[0]).toMatchObject({
    id: ids.alderResult,
    kind: 'full',
    state: 'submitted',
    version_number: 2,
    overall_score: 50,
  });
  expect(mine.latest.areas).toHaveLength(8);
  expect(
    Date.parse(mine.latest.attempt.retake_after) - Date.parse(mine.latest.attempt.submitted_at),
  ).toBe(90 * 86_400_000);
  expect(mine.latest.attempt.id).toBe(ids.alderResult);
  const nothing = {
    open_attempt: null,
    attempts: { items: [], more: false },
    latest: null,
    trend: [],
    comparison: null,
    benchmark: null,
    focus: [],
    projects: [],
    coaching: null,
    reminders: true,
  };
  expect(await skills(owner, null)).toEqual(nothing);
  expect(await skills(coach, ids.alder)).toEqual(nothing);
  expect(await skills(admin, ids.alder)).toEqual(nothing);
  expect(await skills(ownerWithoutCode, ids.cedar)).toEqual(nothing);
  expect(await skills(colleague, ids.alder)).toMatchObject({
    open_attempt: { id: ids.colleagueOpen },
    latest: null,
    comparison: null,
    focus: [],
    attempts: { items: [], more: false },
  });
});

test('Attempts are listed newest first by the day shown: of submission, else of the start', async () => {
  const made: Record<string, string> = {};
  // Started in one order, and closed in another.
  const days: [name: string, started: string, submitted: string | null][] = [
    ['late', '2026-01-05', '2026-03-01'],
    ['early', '2026-01-10', '2026-01-11'],
    ['expired', '2026-02-01', null],
    ['same', '2026-02-20', '2026-02-21'],
  ];
  // Disables triggers, because procedures don't set dates in the past.
  const asleep = (work: (tx: TransactionSql) => Promise<unknown>) =>
    sql.begin(async (tx) => {
      await tx`alter table public.attempts disable trigger user`;
      await work(tx);
      await tx`alter table public.attempts enable trigger user`;
    });
  for (const [name, started, submitted] of days) {
    const id = crypto.randomUUID();
    await asleep(
      (tx) => tx`
        insert into public.attempts (
          id, user_id, business_id, version_id, kind, state, started_at, submitted_at, expires_at
        ) values (
          ${id}, ${colleague.userId}, ${ids.alder}, ${quiz.id}, 'full',
          ${submitted ? 'submitted' : 'expired'}, ${started}, ${submitted}, '2026-12-01'
        )`,
    );
    made[id] = name;
  }
  const list = async (before: string | null = null) =>
    (await ask(colleague, 'list_attempts($1, $2)', [ids.alder, before])).items.map(
      ({ id }: { id: string }) => made[id],
    );
  expect(await list()).toEqual(['late', 'same', 'expired', 'early']);
  for (const [id, name] of Object.entries(made)) {
    const all = ['late', 'same', 'expired', 'early'];
    expect(await list(id), name).toEqual(all.slice(all.indexOf(name) + 1));
    for (const who of [owner, otherOwner, ownerWithoutCode, coach, admin]) {
      const page = await ask(who, 'list_attempts($1, $2)', [ids.alder, id]);
      expect(page, `${who.email} after ${name}`).toEqual({ items: [], more: false });
    }
  }
  await asleep((tx) => tx`delete from public.attempts where id = any (${Object.keys(made)})`);
});

test('Who deletes their account leaves their attempts without a name', async () => {
  await sql`delete from auth.users where id = ${otherOwner.userId}`;
  expect(
    await sql`select user_id, state, overall_score from public.attempts where id = ${ids.birchResult}`,
  ).toEqual([{ user_id: null, state: 'submitted', overall_score: 25 }]);
  expect(
    await sql`select count(*)::int from public.answers where attempt_id = ${ids.birchResult}`,
  ).toEqual([{ count: 32 }]);
});
