import { expect, test } from 'vitest';
import { answerAttempt } from '#backend/local/demo/builders.ts';
import { asPerson, type Person, within } from '../../fixtures/database.ts';
import {
  createAttempt,
  createNewcomer,
  OWES_CODE,
  openWorld,
  pause,
  refusalOf,
  someoneWaits,
} from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, quiz, ask, refusal } = world;
const { visitor, owner, colleague, otherOwner, ownerWithoutCode, coach, admin } = people;

const start = (who: Person, id: string | null, business: string | null = null, version = quiz.id) =>
  ask(who, 'start_attempt($1, $2, $3)', [id, version, business]);
const finish = (who: Person, id: string) => ask(who, 'finish_attempt($1)', [id]);

/** A new person without a business, and their open attempt with one answer. */
async function beginner() {
  const who = await createNewcomer(world);
  const id = await createAttempt(sql, who, { quiz, business: null, submit: false });
  return { who, id };
}

const late = { question_key: quiz.questions[5]?.key ?? '', value: 4, applies: true };
const expire = (id: string) => sql`update public.attempts set expires_at = now() where id = ${id}`;
const stateOf = async (id: string) =>
  (await sql`select state from public.attempts where id = ${id}`)[0]?.state;

const id = crypto.randomUUID();
const stranger = '42501 You don’t belong to this business.';
test.each([
  [visitor, id, null, quiz.id, '42501 permission denied for function start_attempt'],
  [ownerWithoutCode, id, null, quiz.id, OWES_CODE],
  [owner, id, ids.birch, quiz.id, stranger],
  [coach, id, ids.alder, quiz.id, stranger],
  [owner, id, null, id, '22023 This isn’t the current version of the quiz.'],
  [owner, null, null, quiz.id, '22023 An attempt needs an id.'],
  [owner, ids.birchResult, ids.alder, quiz.id, '23505 This attempt already exists.'],
])(
  'An attempt that does not fit is not started: %#',
  async (who, own, business, version, refused) => {
    expect(await refusalOf(start(who, own, business, version))).toBe(refused);
  },
);

test('Only the owner finishes, and not without an answer', async () => {
  const who = await createNewcomer(world);
  const empty = crypto.randomUUID();
  await start(who, empty);
  expect(await refusalOf(finish(who, empty))).toBe('22023 Answer at least one question first.');
  for (const other of [otherOwner, colleague, coach, admin]) {
    expect(await refusalOf(finish(other, empty))).toBe('P0002 We can’t find this attempt.');
  }
  expect(await refusalOf(finish(ownerWithoutCode, ids.cedarOpen))).toBe(OWES_CODE);
});

test('One attempt is open for each business, and one for none, whatever id is sent', async () => {
  const who = await createNewcomer(world);
  const made = { none: crypto.randomUUID(), first: crypto.randomUUID() };
  expect(await start(who, made.none)).toEqual({ id: made.none });
  await ask(who, 'create_business($1, $2)', [made.first, 'First']);
  expect(await start(who, made.none, made.first)).toEqual({ id: made.none });
  expect(await start(who, crypto.randomUUID(), made.first)).toEqual({ id: made.none });
  const [second, another] = [crypto.randomUUID(), crypto.randomUUID()];
  await ask(who, 'create_business($1, $2)', [second, 'Second']);
  expect(await start(who, another, second)).toEqual({ id: another });
  const twice = sql`
    insert into public.attempts (id, user_id, version_id, kind, business_id)
    values (gen_random_uuid(), ${who.userId}, ${quiz.id}, 'full', ${second})`;
  expect(await refusalOf(twice)).toMatch(/^23505 /);
});

test('Two devices that start at once share one attempt', async () => {
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
  const starting = await pause(
    sql,
    otherOwner,
    (tx) => tx`select start_attempt(${first}, ${quiz.id}, ${ids.birch})`,
  );
  const other = start(otherOwner, second, ids.birch);
  await someoneWaits(sql);
  await starting.finish();
  expect(await other).toEqual({ id: first });
});

test('An attempt whose time is over cannot be submitted, and makes room for a new one', async () => {
  const { who, id: old } = await beginner();
  await expire(old);
  expect(await refusalOf(finish(who, old))).toBe('55000 This quiz is closed. Start a new one.');
  const next = crypto.randomUUID();
  expect(await start(who, next)).toEqual({ id: next });
  expect(await stateOf(old)).toBe('expired');
});

test('An unfinished quiz may be submitted, and says where there is not enough; twice is once', async () => {
  const { who, id: open } = await beginner();
  const view = await finish(who, open);
  expect(view).toMatchObject({
    attempt: { state: 'submitted', overall_score: null, mine: true },
    answers: [expect.anything()],
    scores: Array(8).fill({ score: null }),
    recommendations: [],
  });
  expect(await finish(who, open)).toEqual(view);
  expect(await ask(who, 'get_attempt($1)', [open])).toEqual(view);
});

test('Two devices that submit at once compute one score', async () => {
  const { who, id: open } = await beginner();
  const finishing = await pause(sql, who, (tx) => tx`select finish_attempt(${open})`);
  const other = finish(who, open);
  await someoneWaits(sql);
  await finishing.finish();
  expect((await other).attempt.state).toBe('submitted');
  expect(await sql`select from public.area_scores where attempt_id = ${open}`).toHaveLength(8);
});

test('An answer that comes while the quiz is being submitted is refused', async () => {
  const { who, id: open } = await beginner();
  const finishing = await pause(sql, who, (tx) => tx`select finish_attempt(${open})`);
  const refused = refusalOf(
    asPerson(sql, who, (tx) => answerAttempt(within(tx), { id: open, versionId: quiz.id }, [late])),
  );
  await someoneWaits(sql);
  await finishing.finish();
  expect(await refused).toBe('55000 This quiz is closed, so its answers can’t change anymore.');
});

test('An answer that was on its way first counts', async () => {
  const { who, id: open } = await beginner();
  const answering = await pause(sql, who, (tx) =>
    answerAttempt(within(tx), { id: open, versionId: quiz.id }, [late]),
  );
  const finished = finish(who, open);
  await someoneWaits(sql);
  await answering.finish();
  const { answers, scores } = await finished;
  expect(answers).toContainEqual(expect.objectContaining({ question_key: late.question_key }));
  const counted = scores.map(({ answered }: { answered: number }) => answered);
  expect(counted.reduce((sum: number, each: number) => sum + each)).toBe(2);
});

test('A recommendation names the weakest practice and the tool that does it', async () => {
  const who = await createNewcomer(world);
  const open = crypto.randomUUID();
  await start(who, open);
  await asPerson(sql, who, (tx) =>
    answerAttempt(
      within(tx),
      { id: open, versionId: quiz.id },
      quiz.questions.map(({ key, area_key }, index) => ({
        question_key: key,
        value: area_key === 'sales-marketing' ? (index % 4 === 3 ? 0 : 1) : 4,
        applies: true,
      })),
      [{ area_key: 'sales-marketing', rating: 5 }],
    ),
  );
  const { recommendations, scores, version } = await finish(who, open);
  const [first, second, third] = recommendations;
  const score = scores.find((each: { area_key: string }) => each.area_key === 'sales-marketing');
  expect(score).toMatchObject({ level: 'starting', confidence_note: 'check-the-evidence' });
  const asked = quiz.questions.filter((each) => each.area_key === 'sales-marketing');
  expect(first).toMatchObject({
    position: 1,
    area_key: 'sales-marketing',
    chosen_by: 'quiz',
    reason_question_key: asked[3]?.key,
    toolbox_item: { slug: 'pricing-worksheet' },
  });
  const area = version.areas.find((each: { key: string }) => each.key === 'sales-marketing');
  expect(first.priority).toBeCloseTo((100 - score.score) * area.importance * 1.25, 9);
  // No other area needs work, so the other two are simply the first ones in order.
  expect([second.area_key, third.area_key]).toEqual(['web-design', 'custom-research']);
  expect(second.priority).toBe(0);
});

test('Only the owner of submitted results swaps, and only for another scored area', async () => {
  const { alderResult, alderOpen } = ids;
  const call = 'swap_recommendation($1, $2, $3)';
  const view = await ask(owner, 'get_attempt($1)', [alderResult]);
  const [first, second] = view.recommendations;
  const taken = view.recommendations.map((each: { area_key: string }) => each.area_key);
  const free = view.scores.find(
    ({ area_key }: { area_key: string }) => !taken.includes(area_key),
  ).area_key;
  for (const who of [coach, admin, colleague]) {
    expect(await refusal(who, call, [alderResult, 1, free])).toBe(
      'P0002 We can’t find this attempt.',
    );
  }
  for (const [attempt, place, area, refused] of [
    [alderOpen, 1, 'web-design', '55000 Only results can be changed this way.'],
    [alderResult, 1, 'juggling', '22023 Choose an area that has a score.'],
    [alderResult, 1, second.area_key, '23505 This area is already one of the three.'],
    [alderResult, 4, free, '22023 There’s no recommendation in this place.'],
  ]) {
    expect(await refusal(owner, call, [attempt, place, area])).toBe(refused);
  }
  // Choosing the area that's already there changes nothing.
  expect(await ask(owner, call, [alderResult, 1, first.area_key])).toEqual(view);
  const swapped = await ask(owner, call, [alderResult, 1, free]);
  expect(swapped.recommendations[0]).toMatchObject({
    position: 1,
    area_key: free,
    chosen_by: 'owner',
    reason_question_key: expect.stringContaining(`${free}.`),
  });
  expect(swapped.recommendations.slice(1)).toEqual(view.recommendations.slice(1));
  expect(swapped.scores).toEqual(view.scores);
});

test('Only an admin voids, with a reason that the owner reads, and it is in the audit log', async () => {
  const { alder, alderResult, alderOpen } = ids;
  const call = 'void_attempt($1, $2)';
  const notSubmitted = '55000 Only a finished quiz can be set aside.';
  for (const [who, attempt, reason, refused] of [
    [owner, alderResult, 'a test', '42501 Only an admin can do this.'],
    [coach, alderResult, 'a test', '42501 Only an admin can do this.'],
    [admin, alderResult, '  ', '22023 Give a reason of 3 to 2,000 characters.'],
    [admin, alderOpen, 'a test', notSubmitted],
    [admin, crypto.randomUUID(), 'a test', 'P0002 We can’t find this attempt.'],
  ] as const) {
    expect(await refusal(who, call, [attempt, reason])).toBe(refused);
  }
  const voided = { id: alderResult, state: 'voided' };
  expect(await ask(admin, call, [alderResult, 'a test'])).toEqual(voided);
  expect(await refusal(admin, call, [alderResult, 'a test'])).toBe(notSubmitted);
  const view = await ask(owner, 'get_attempt($1)', [alderResult]);
  expect(view.attempt).toMatchObject({ void_reason: 'a test', overall_score: 50 });
  expect(view.scores).toHaveLength(8);
  expect(await ask(coach, 'get_attempt($1)', [alderResult])).toBeNull();
  expect((await ask(owner, 'get_skills($1)', [alder])).latest).toBeNull();
  const logged = await sql`
    select reason, actor_id from public.audit_log where action = 'attempt.void'`;
  expect(logged).toEqual([{ reason: 'a test', actor_id: admin.userId }]);
});

test('The owner of the database is refused every other step', async () => {
  const { id: expired } = await beginner();
  await expire(expired);
  await sql`update public.attempts set state = 'expired' where id = ${expired}`;
  await ask(admin, "void_attempt($1, 'a test')", [ids.birchResult]);
  const examples = {
    in_progress: ids.alderOpen,
    submitted: ids.cedarResult,
    expired,
    voided: ids.birchResult,
  };
  const allowed = ['in_progress submitted', 'submitted voided'];
  for (const [from, attempt] of Object.entries(examples)) {
    for (const to of Object.keys(examples)) {
      if (from === to || allowed.includes(`${from} ${to}`)) continue;
      const step = sql`update public.attempts set state = ${to} where id = ${attempt}`;
      expect(await refusalOf(step)).toBe(
        to === 'expired'
          ? '55000 An attempt expires when its time is over.'
          : `55000 The attempt can’t go from ${from} to ${to}.`,
      );
    }
  }
});

const stays = '55000 An attempt stays with its person, business and version.';
test.each([
  [`update public.attempts set user_id = '${admin.userId}'`, stays],
  [`update public.attempts set business_id = '${ids.birch}'`, stays],
  ['update public.attempts set business_id = null', stays],
  ["update public.attempts set kind = 'first_look'", stays],
  ['update public.attempts set overall_score = 99', '55000 A score is computed once.'],
  ['delete from public.attempts', '55000 An attempt is never removed.'],
])('What is computed and begun stays: %s', async (statement, refused) => {
  const work = sql.unsafe(`${statement} where id = '${ids.cedarResult}'`);
  expect(await refusalOf(work)).toBe(refused);
});

test('Attempts are not emptied, and none begins as submitted', async () => {
  expect(await refusalOf(sql`truncate public.attempts cascade`)).toMatch(/^55000 /);
  const made = sql`
    insert into public.attempts (id, version_id, kind, state, submitted_at)
    values (gen_random_uuid(), ${quiz.id}, 'full', 'submitted', now())`;
  expect(await refusalOf(made)).toBe('55000 A new attempt can’t be submitted.');
});

test('The tick closes what was open for 180 days, keeps its answers, and does it once', async () => {
  const tick = async () => {
    await sql`update private.jobs set run_at = now() where every is not null`;
    return (await sql`select private.tick() as done`)[0]?.done;
  };
  await tick();
  expect(await tick()).toMatchObject({ expire_attempts: 0 });
  await sql`
    update public.attempts set started_at = now() - interval '180 days', expires_at = now()
    where id = ${ids.alderOpen}`;
  expect(await tick()).toMatchObject({ expire_attempts: 1 });
  expect(await tick()).toMatchObject({ expire_attempts: 0 });
  expect(await stateOf(ids.alderOpen)).toBe('expired');
  expect(await stateOf(ids.colleagueOpen)).toBe('in_progress');
  expect(await sql`select from public.answers where attempt_id = ${ids.alderOpen}`).toHaveLength(1);
  const skills = await ask(owner, 'get_skills($1)', [ids.alder]);
  expect(skills.open_attempt).toBeNull();
  expect(skills.attempts.items).toContainEqual(
    expect.objectContaining({ id: ids.alderOpen, state: 'expired' }),
  );
});

test('A tick leaves alone what another one is running, and a job that fails does not stop the others', async () => {
  await sql`insert into private.jobs (kind, every) values ('missing', '1 hour')`;
  await sql`update private.jobs set run_at = now() where every is not null`;
  const done = await sql.begin(async (tx) => {
    const [running] = await tx`select private.tick() as done`;
    expect(await sql`select private.tick() as done`).toEqual([{ done: {} }]);
    return Object.keys(running?.done);
  });
  const jobs = await sql`select kind, last_error from private.jobs where every is not null`;
  expect(done.toSorted()).toEqual(jobs.map(({ kind }) => kind).toSorted());
  const failed = jobs.filter(({ last_error }) => last_error !== null);
  expect(failed.map(({ kind }) => kind)).toEqual(['missing']);
});
