import type { TransactionSql } from 'postgres';
import { describe, expect, test } from 'vitest';
import { answerAttempt } from '#backend/local/demo/builders.ts';
import { asPerson, type Person, within } from '../../fixtures/database.ts';
import {
  createAttempt,
  pause,
  prepareWorld,
  refusalOf,
  someoneWaits,
} from '../../fixtures/personas.ts';

const world = prepareWorld('each');

const as = <Result>(who: Person, work: (sql: TransactionSql) => Promise<Result>) =>
  asPerson(world.sql, who, work);

/** Calls a procedure as somebody and gives what it returns. */
async function call(who: Person, name: string, ...given: unknown[]) {
  return as(who, async (sql) => {
    const [row] = await sql.unsafe(
      `select public.${name}(${given.map((_, index) => `$${index + 1}`).join(', ')}) as result`,
      given as never[],
    );
    return row?.result;
  });
}

const stateOf = async (id: string) =>
  (await world.sql`select state from public.attempts where id = ${id}`)[0]?.state;

describe('Starting', () => {
  test('Who starts twice is given the attempt that is open, whatever id they bring', async () => {
    const { people, quiz, ids } = world;
    const first = crypto.randomUUID();
    expect(await call(people.otherOwner, 'start_attempt', first, quiz.id, ids.birch)).toEqual({
      id: first,
    });
    expect(await call(people.otherOwner, 'start_attempt', first, quiz.id, ids.birch)).toEqual({
      id: first,
    });
    expect(
      await call(people.otherOwner, 'start_attempt', crypto.randomUUID(), quiz.id, ids.birch),
    ).toEqual({ id: first });
  });

  test('One attempt is open for each business, and one for none', async () => {
    const { people, quiz, ids } = world;
    const [none, birch, second] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
    const start = (who: Person, id: string, business: string | null) =>
      call(who, 'start_attempt', id, quiz.id, business);
    const another = crypto.randomUUID();
    await call(people.otherOwner, 'create_business', another, 'Second');
    expect(await start(people.otherOwner, birch, ids.birch)).toEqual({ id: birch });
    expect(await start(people.otherOwner, second, another)).toEqual({ id: second });
    expect(await start(people.otherCoach, none, null)).toEqual({ id: none });
    expect(await start(people.otherCoach, crypto.randomUUID(), null)).toEqual({ id: none });
    expect(
      await refusalOf(world.sql`
        insert into public.attempts (id, user_id, version_id, kind)
        values (gen_random_uuid(), ${people.otherCoach.userId}, ${quiz.id}, 'full')`),
    ).toMatch(/^23505 /);
  });

  test('Two devices that start at once share one attempt', async () => {
    const { people, quiz, ids } = world;
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
    const one = await pause(
      world.sql,
      people.otherOwner,
      (sql) => sql`select start_attempt(${first}, ${quiz.id}, ${ids.birch})`,
    );
    const other = call(people.otherOwner, 'start_attempt', second, quiz.id, ids.birch);
    await someoneWaits(world.sql);
    await one.finish();
    expect(await other).toEqual({ id: first });
  });

  test('Nobody starts for a business that is not theirs, on another version, or under a taken id', async () => {
    const { people, quiz, ids } = world;
    const start = (who: Person, ...given: unknown[]) =>
      refusalOf(call(who, 'start_attempt', ...given));
    const id = crypto.randomUUID();
    expect(await start(people.owner, id, quiz.id, ids.birch)).toBe(
      '42501 You do not belong to this business.',
    );
    expect(await start(people.coach, id, quiz.id, ids.alder)).toBe(
      '42501 You do not belong to this business.',
    );
    expect(await start(people.owner, id, crypto.randomUUID(), null)).toBe(
      '22023 This version of the quiz is not the current one.',
    );
    expect(await start(people.owner, null, quiz.id, null)).toBe('22023 An attempt needs an id.');
    expect(await start(people.owner, ids.birchResult, quiz.id, ids.alder)).toBe(
      '23505 This attempt exists already.',
    );
    expect(await start(people.ownerWithoutCode, id, quiz.id, null)).toBe(
      '42501 Enter the code of your second factor first.',
    );
    expect(await start(people.visitor, id, quiz.id, null)).toBe(
      '42501 permission denied for function start_attempt',
    );
  });

  test('An attempt that should have expired makes room for a new one', async () => {
    const { people, quiz, ids } = world;
    await world.sql`update public.attempts set expires_at = now() where id = ${ids.alderOpen}`;
    const id = crypto.randomUUID();
    expect(await call(people.owner, 'start_attempt', id, quiz.id, ids.alder)).toEqual({ id });
    expect(await stateOf(ids.alderOpen)).toBe('expired');
  });
});

describe('Finishing', () => {
  test('Only the owner finishes, and not without an answer', async () => {
    const { people, quiz, ids } = world;
    for (const who of [people.otherOwner, people.colleague, people.coach, people.admin]) {
      expect(await refusalOf(call(who, 'finish_attempt', ids.alderOpen))).toBe(
        'P0002 There is no such attempt.',
      );
    }
    expect(await refusalOf(call(people.ownerWithoutCode, 'finish_attempt', ids.cedarOpen))).toBe(
      '42501 Enter the code of your second factor first.',
    );
    const empty = crypto.randomUUID();
    await call(people.otherOwner, 'start_attempt', empty, quiz.id, ids.birch);
    expect(await refusalOf(call(people.otherOwner, 'finish_attempt', empty))).toBe(
      '22023 Answer at least one question first.',
    );
  });

  test('An unfinished quiz may be submitted, and says where there is not enough', async () => {
    const { people, ids } = world;
    const view = await call(people.owner, 'finish_attempt', ids.alderOpen);
    expect(view.attempt).toMatchObject({ state: 'submitted', overall_score: null, mine: true });
    expect(view.answers).toHaveLength(1);
    expect(view.scores).toHaveLength(8);
    expect(view.scores.map((each: { score: number | null }) => each.score)).toEqual(
      Array(8).fill(null),
    );
    expect(view.recommendations).toEqual([]);
  });

  test('Submitted twice, the second time reads what the first one computed', async () => {
    const { people, ids } = world;
    const view = await call(people.owner, 'finish_attempt', ids.alderOpen);
    expect(await call(people.owner, 'finish_attempt', ids.alderOpen)).toEqual(view);
    expect(await call(people.owner, 'get_attempt', ids.alderOpen)).toEqual(view);
  });

  test('Two devices that submit at once compute one score', async () => {
    const { people, ids } = world;
    const one = await pause(
      world.sql,
      people.owner,
      (sql) => sql`select finish_attempt(${ids.alderOpen})`,
    );
    const other = call(people.owner, 'finish_attempt', ids.alderOpen);
    await someoneWaits(world.sql);
    await one.finish();
    expect((await other).attempt.state).toBe('submitted');
    expect(
      await world.sql`select count(*)::int from public.area_scores where attempt_id = ${ids.alderOpen}`,
    ).toEqual([{ count: 8 }]);
  });

  test('An answer that comes while the quiz is being submitted is refused', async () => {
    const { people, quiz, ids } = world;
    const finishing = await pause(
      world.sql,
      people.owner,
      (sql) => sql`select finish_attempt(${ids.alderOpen})`,
    );
    const late = as(people.owner, (sql) =>
      answerAttempt(within(sql), { id: ids.alderOpen, versionId: quiz.id }, [
        { question_key: quiz.questions[5]?.key ?? '', value: 4, applies: true },
      ]),
    );
    const refusal = refusalOf(late);
    await someoneWaits(world.sql);
    await finishing.finish();
    expect(await refusal).toBe('55000 This quiz is closed: its answers can no longer change.');
  });

  test('An answer that was on its way first counts', async () => {
    const { people, quiz, ids } = world;
    const key = quiz.questions[5]?.key ?? '';
    const answering = await pause(world.sql, people.owner, (sql) =>
      answerAttempt(within(sql), { id: ids.alderOpen, versionId: quiz.id }, [
        { question_key: key, value: 4, applies: true },
      ]),
    );
    const finished = call(people.owner, 'finish_attempt', ids.alderOpen);
    await someoneWaits(world.sql);
    await answering.finish();
    const view = await finished;
    expect(view.answers.map((each: { question_key: string }) => each.question_key)).toContain(key);
    expect(
      view.scores.reduce((sum: number, each: { answered: number }) => sum + each.answered, 0),
    ).toBe(2);
  });

  test('An attempt whose time is over cannot be submitted', async () => {
    const { people, ids } = world;
    await world.sql`update public.attempts set expires_at = now() where id = ${ids.alderOpen}`;
    expect(await refusalOf(call(people.owner, 'finish_attempt', ids.alderOpen))).toBe(
      '55000 This quiz is closed. Start a new one.',
    );
  });

  test('A recommendation names the weakest practice and a tool that fits the level', async () => {
    const { people, quiz, ids } = world;
    const id = crypto.randomUUID();
    await as(people.otherOwner, async (sql) => {
      await sql`select start_attempt(${id}, ${quiz.id}, ${ids.birch})`;
      await answerAttempt(
        within(sql),
        { id, versionId: quiz.id },
        quiz.questions.map(({ key, area_key }, index) => ({
          question_key: key,
          value: area_key === 'sales-marketing' ? (index % 4 === 2 ? 0 : 1) : 4,
          applies: true,
        })),
        [{ area_key: 'sales-marketing', rating: 5 }],
      );
    });
    const view = await call(people.otherOwner, 'finish_attempt', id);
    const [first, second, third] = view.recommendations;
    const score = view.scores.find(
      (each: { area_key: string }) => each.area_key === 'sales-marketing',
    );
    expect(score).toMatchObject({ level: 'starting', confidence_note: 'check-the-evidence' });
    expect(first).toMatchObject({
      position: 1,
      area_key: 'sales-marketing',
      chosen_by: 'quiz',
      reason_question_key: quiz.questions.filter((each) => each.area_key === 'sales-marketing')[2]
        ?.key,
    });
    const area = view.version.areas.find((each: { key: string }) => each.key === 'sales-marketing');
    expect(first.priority).toBeCloseTo((100 - score.score) * area.importance * 1.25, 9);
    const [fitting] = await world.sql`
      select slug from public.toolbox_items
      where area_key = 'sales-marketing' and state = 'published'
      order by 'starting' = any (levels) desc, minutes, slug limit 1`;
    expect(first.toolbox_item.slug).toBe(fitting?.slug);
    // Nothing else to do: the other two are the first areas in order.
    expect([second.area_key, third.area_key]).toEqual(['web-design', 'custom-research']);
    expect(second.priority).toBe(0);
  });
});

describe('Swapping a recommendation', () => {
  test('Only the owner of submitted results swaps, and only for another scored area', async () => {
    const { people, ids } = world;
    const swap = (who: Person, ...given: unknown[]) =>
      refusalOf(call(who, 'swap_recommendation', ...given));
    const view = await call(people.owner, 'get_attempt', ids.alderResult);
    const [first, second] = view.recommendations;
    for (const who of [people.coach, people.admin, people.colleague]) {
      expect(await swap(who, ids.alderResult, 1, 'web-design')).toBe(
        'P0002 There is no such attempt.',
      );
    }
    expect(await swap(people.owner, ids.alderOpen, 1, 'web-design')).toBe(
      '55000 Only results can be changed this way.',
    );
    expect(await swap(people.owner, ids.alderResult, 1, 'juggling')).toBe(
      '22023 Choose an area that has a score.',
    );
    expect(await swap(people.owner, ids.alderResult, 1, second.area_key)).toBe(
      '23505 This area is one of the three already.',
    );
    const free = view.scores.find(
      (each: { area_key: string }) =>
        !view.recommendations.some((one: { area_key: string }) => one.area_key === each.area_key),
    ).area_key;
    expect(await swap(people.owner, ids.alderResult, 4, free)).toBe(
      '22023 There is no recommendation at this place.',
    );
    // The same once more changes nothing.
    expect(
      await call(people.owner, 'swap_recommendation', ids.alderResult, 1, first.area_key),
    ).toEqual(view);
    const swapped = await call(people.owner, 'swap_recommendation', ids.alderResult, 1, free);
    expect(swapped.recommendations[0]).toMatchObject({
      position: 1,
      area_key: free,
      chosen_by: 'owner',
      reason_question_key: expect.stringContaining(`${free}.`),
    });
    expect(swapped.recommendations.slice(1)).toEqual(view.recommendations.slice(1));
    expect(swapped.scores).toEqual(view.scores);
  });
});

describe('Voiding and expiring', () => {
  test('Only an admin voids, with a reason that the owner reads, and it is in the audit log', async () => {
    const { people, ids } = world;
    for (const who of [people.owner, people.coach]) {
      expect(await refusalOf(call(who, 'void_attempt', ids.alderResult, 'a test'))).toBe(
        '42501 Only an admin may do this.',
      );
    }
    const refused = (...given: unknown[]) =>
      refusalOf(call(people.admin, 'void_attempt', ...given));
    expect(await refused(ids.alderResult, '  ')).toBe(
      '22023 Give a reason of 3 to 2,000 characters.',
    );
    expect(await refused(ids.alderOpen, 'a test')).toBe(
      '55000 Only a submitted attempt can be voided.',
    );
    expect(await refused(crypto.randomUUID(), 'a test')).toBe('P0002 There is no such attempt.');
    expect(await call(people.admin, 'void_attempt', ids.alderResult, 'a test')).toEqual({
      id: ids.alderResult,
      state: 'voided',
    });
    expect(await refused(ids.alderResult, 'a test')).toBe(
      '55000 Only a submitted attempt can be voided.',
    );
    const view = await call(people.owner, 'get_attempt', ids.alderResult);
    expect(view.attempt).toMatchObject({ void_reason: 'a test', overall_score: 50 });
    expect(view.scores).toHaveLength(8);
    expect(await call(people.coach, 'get_attempt', ids.alderResult)).toBeNull();
    expect((await call(people.owner, 'get_skills', ids.alder)).latest).toBeNull();
    expect(
      await world.sql`select reason, actor_id from public.audit_log where action = 'attempt.void'`,
    ).toEqual([{ reason: 'a test', actor_id: people.admin.userId }]);
  });

  test('The database refuses every other step, whoever takes it', async () => {
    const { sql, ids, people, quiz } = world;
    const expired = await createAttempt(sql, people.otherOwner, {
      quiz,
      business: null,
      submit: false,
    });
    await sql`update public.attempts set expires_at = now() where id = ${expired}`;
    await sql`update public.attempts set state = 'expired' where id = ${expired}`;
    await call(people.admin, 'void_attempt', ids.birchResult, 'a test');
    const examples = {
      in_progress: ids.alderOpen,
      submitted: ids.alderResult,
      expired,
      voided: ids.birchResult,
    };
    const allowed = ['in_progress submitted', 'submitted voided'];
    for (const [from, id] of Object.entries(examples)) {
      for (const to of Object.keys(examples)) {
        if (from === to || allowed.includes(`${from} ${to}`)) continue;
        expect(
          await refusalOf(sql`update public.attempts set state = ${to} where id = ${id}`),
        ).toBe(
          to === 'expired'
            ? '55000 An attempt expires when its time is over.'
            : `55000 The attempt cannot go from ${from} to ${to}.`,
        );
      }
    }
    const refused = async (column: string, value: unknown) =>
      refusalOf(
        sql`update public.attempts set ${sql({ [column]: value as never })} where id = ${ids.alderResult}`,
      );
    const stays = '55000 An attempt stays with its person, business and version.';
    expect(await refused('user_id', people.admin.userId)).toBe(stays);
    expect(await refused('business_id', ids.birch)).toBe(stays);
    expect(await refused('business_id', null)).toBe(stays);
    expect(await refused('kind', 'first_look')).toBe(stays);
    expect(await refused('overall_score', 99)).toBe('55000 A score is computed once.');
    expect(await refusalOf(sql`delete from public.attempts where id = ${ids.alderOpen}`)).toBe(
      '55000 An attempt is never removed.',
    );
    expect(await refusalOf(sql`truncate public.attempts cascade`)).toMatch(/^55000 /);
    expect(
      await refusalOf(sql`
        insert into public.attempts (id, version_id, kind, state, submitted_at)
        values (gen_random_uuid(), ${quiz.id}, 'full', 'submitted', now())`),
    ).toBe('55000 A new attempt cannot be submitted.');
  });

  test('The tick closes what was open for 180 days, keeps its answers, and does it once', async () => {
    const { sql, ids } = world;
    const due = () => sql`update private.jobs set run_at = now() where every is not null`;
    const tick = async () => (await sql`select private.tick() as done`)[0]?.done;
    await due();
    expect(await tick()).toMatchObject({ expire_attempts: 0 });
    expect(await tick()).toEqual({});
    await sql`
      update public.attempts set started_at = now() - interval '180 days', expires_at = now()
      where id = ${ids.alderOpen}`;
    await due();
    expect(await tick()).toMatchObject({ expire_attempts: 1 });
    await due();
    expect(await tick()).toMatchObject({ expire_attempts: 0 });
    expect(await stateOf(ids.alderOpen)).toBe('expired');
    expect(await stateOf(ids.colleagueOpen)).toBe('in_progress');
    expect(
      await sql`select count(*)::int from public.answers where attempt_id = ${ids.alderOpen}`,
    ).toEqual([{ count: 1 }]);
    const skills = await call(world.people.owner, 'get_skills', ids.alder);
    expect(skills.open_attempt).toBeNull();
    expect(skills.attempts.items.at(-1)).toMatchObject({ id: ids.alderOpen, state: 'expired' });
  });

  test('Two ticks at once share the jobs, and a job that fails does not stop the others', async () => {
    const { sql } = world;
    await sql`insert into private.jobs (kind, every) values ('missing', '1 hour')`;
    await sql`update private.jobs set run_at = now() where every is not null`;
    const results = await Promise.all(
      [1, 2, 3].map(() => sql`select private.tick() as done`.then((rows) => rows[0]?.done)),
    );
    const done = results.flatMap((each) => Object.keys(each)).sort();
    const jobs =
      await sql`select kind as name from private.jobs where every is not null order by kind collate "C"`;
    expect(done).toEqual(jobs.map(({ name }) => name));
    expect(
      await sql`select kind as name from private.jobs where every is not null and last_error is not null`,
    ).toEqual([{ name: 'missing' }]);
  });
});
