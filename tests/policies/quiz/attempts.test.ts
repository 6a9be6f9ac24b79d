import type { TransactionSql } from 'postgres';
import { describe, expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import { everyone, nameOf, prepareWorld, whoMay, whoReads } from '../../fixtures/personas.ts';

const world = prepareWorld();

const denied = '42501 permission denied for table attempts';

describe('Who may see and change an attempt', () => {
  test('Nobody makes, scores, submits or removes an attempt by writing the table', () =>
    nobodyWrites(world, 'attempts'));

  test('Owners read their own attempts, a coach the submitted ones that are shared, an admin none', async () => {
    expect(await whoReads(world, 'attempts', 'id', (row) => nameOf(world, row.id))).toEqual({
      visitor: denied,
      owner: ['alderOpen', 'alderResult'],
      colleague: ['colleagueOpen'],
      otherOwner: ['birchResult'],
      ownerWithoutCode: [],
      ownerWithCode: ['cedarOpen', 'cedarResult'],
      coach: ['alderResult'],
      otherCoach: [],
      admin: [],
    });
  });

  test('An attempt is shown whole to those who may see it, and is not there for others', async () => {
    expect(
      await whoMay(
        world,
        (sql) => sql`
          select 1 from get_attempt(${world.ids.alderResult}) as view where view is not null`,
      ),
    ).toEqual(
      everyone(0, {
        visitor: '42501 permission denied for function get_attempt',
        owner: 1,
        coach: 1,
      }),
    );
    const [row] = await asPerson(
      world.sql,
      world.people.coach,
      (tx) => tx`select get_attempt(${world.ids.alderResult}) as view`,
    );
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

  test('A coach sees nothing from the moment when the owner stops sharing or gets another coach', async () => {
    const { sql, people, ids } = world;
    const seen = async (who: typeof people.coach) =>
      (await asPerson(sql, who, (tx) => tx`select id from public.attempts`)).map((row) => row.id);
    const share = (shared: boolean) =>
      asPerson(
        sql,
        people.owner,
        (tx) => tx`select set_results_shared(${ids.alderEngagement}, ${shared})`,
      );
    expect(await seen(people.coach)).toEqual([ids.alderResult]);
    await share(false);
    expect(await seen(people.coach)).toEqual([]);
    await share(true);
    expect(await seen(people.coach)).toEqual([ids.alderResult]);
    await asPerson(
      sql,
      people.admin,
      (tx) => tx`
        select assign_coach(${ids.alderEngagement}, ${people.otherCoach.userId}, 'on leave')`,
    );
    expect(await seen(people.coach)).toEqual([]);
    expect(await seen(people.otherCoach)).toEqual([ids.alderResult]);
  });

  test('Skills show a person their own attempts for one business', async () => {
    const { sql, people, ids } = world;
    const skills = async (who: typeof people.owner, business: string | null) =>
      (await asPerson(sql, who, (tx) => tx`select get_skills(${business}) as skills`))[0]?.skills;
    const mine = await skills(people.owner, ids.alder);
    expect(mine.open_attempt).toMatchObject({ id: ids.alderOpen, answered: 1, asked: 32 });
    expect(mine.attempts).toMatchObject({ more: false, items: [{ id: ids.alderResult }] });
    expect(mine.attempts.items[0]).toMatchObject({
      id: ids.alderResult,
      kind: 'full',
      state: 'submitted',
      version_number: 1,
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
      coaching: null,
      reminders: true,
    };
    expect(await skills(people.owner, null)).toEqual(nothing);
    expect(await skills(people.coach, ids.alder)).toEqual(nothing);
    expect(await skills(people.admin, ids.alder)).toEqual(nothing);
    expect(await skills(people.ownerWithoutCode, ids.cedar)).toEqual(nothing);
    expect(await skills(people.colleague, ids.alder)).toMatchObject({
      open_attempt: { id: ids.colleagueOpen },
      latest: null,
      comparison: null,
      focus: [],
      attempts: { items: [], more: false },
    });
  });

  test('Attempts are listed newest first by the day shown: of submission, else of the start', async () => {
    const { sql, people, ids, quiz, ask } = world;
    const made: Record<string, string> = {};
    // Begun in one order, over in another one.
    const days: [name: string, started: string, submitted: string | null][] = [
      ['late', '2026-01-05', '2026-03-01'],
      ['early', '2026-01-10', '2026-01-11'],
      ['expired', '2026-02-01', null],
      ['same', '2026-02-20', '2026-02-21'],
    ];
    // Dates of the past, which no procedure sets.
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
            ${id}, ${people.colleague.userId ?? null}, ${ids.alder}, ${quiz.id}, 'full',
            ${submitted ? 'submitted' : 'expired'}, ${started}, ${submitted}, '2026-12-01'
          )`,
      );
      made[id] = name;
    }
    const list = async (before: string | null = null) =>
      (await ask(people.colleague, 'list_attempts($1, $2)', [ids.alder, before])).items.map(
        ({ id }: { id: string }) => made[id],
      );
    expect(await list()).toEqual(['late', 'same', 'expired', 'early']);
    for (const [id, name] of Object.entries(made)) {
      const all = ['late', 'same', 'expired', 'early'];
      expect(await list(id), name).toEqual(all.slice(all.indexOf(name) + 1));
    }
    await asleep((tx) => tx`delete from public.attempts where id = any (${Object.keys(made)})`);
  });

  test('Who deletes their account leaves their attempts without a name', async () => {
    const { sql, people, ids } = world;
    await sql`delete from auth.users where id = ${people.otherOwner.userId}`;
    expect(
      await sql`select user_id, state, overall_score from public.attempts where id = ${ids.birchResult}`,
    ).toEqual([{ user_id: null, state: 'submitted', overall_score: 25 }]);
    expect(
      await sql`select count(*)::int from public.answers where attempt_id = ${ids.birchResult}`,
    ).toEqual([{ count: 32 }]);
  });
});
