import { describe, expect, test } from 'vitest';
import { asPerson, type Person } from '../../fixtures/database.ts';
import { pause, prepareWorld, refusalOf, someoneWaits } from '../../fixtures/personas.ts';

const world = prepareWorld('each');

interface Given {
  id?: string | null;
  version?: string;
  kind?: string;
  business?: string | null;
  answers?: unknown;
  confidences?: unknown;
}

async function adopt(who: Person, given: Given = {}) {
  const { quiz } = world;
  const {
    id = crypto.randomUUID(),
    version = quiz.id,
    kind = 'first_look',
    business = null,
  } = given;
  return asPerson(world.sql, who, async (sql) => {
    const [row] = await sql`
      select adopt_answers(${id}, ${version}, ${kind}, ${business},
        ${sql.json((given.answers ?? firstLook()) as never)},
        ${sql.json((given.confidences ?? []) as never)}) as made`;
    return row?.made as { attempt_id: string; first_look_id: string | null };
  });
}

const firstLook = (value = 1) =>
  world.quiz.questions
    .filter((question) => question.first_look)
    .map(({ key }) => ({
      question_key: key,
      value,
      applies: true,
      answered_at: '2026-03-01T09:00:00Z',
    }));

const secret = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');

async function store(claim: string, given: Given = {}, who: Person = world.people.visitor) {
  const { version = world.quiz.id, kind = 'first_look' } = given;
  return asPerson(world.sql, who, async (sql) => {
    const [row] = await sql`
      select store_claim(${claim}, ${version}, ${kind},
        ${sql.json((given.answers ?? firstLook()) as never)},
        ${sql.json((given.confidences ?? []) as never)}) as kept`;
    return row?.kept as { expires_at: string; key: string };
  });
}

/** As if the person had named this key when they registered. */
const registeredWith = ({ userId = null }: Person, key: string) =>
  world.sql`
    update auth.users set raw_user_meta_data = raw_user_meta_data || ${world.sql.json({ quiz_claim: key })}
    where id = ${userId}`;

async function look(who: Person, claim: string) {
  const [row] = await asPerson(world.sql, who, (sql) => sql`select get_claim(${claim}) as seen`);
  return row?.seen as { answers: number; stored_at: string } | null;
}

const drop = (who: Person, claim: string) =>
  asPerson(world.sql, who, (sql) => sql`select remove_claim(${claim})`);

async function take(
  who: Person,
  claim: string,
  id = crypto.randomUUID(),
  business: string | null = null,
) {
  const [row] = await asPerson(
    world.sql,
    who,
    (sql) => sql`select take_claim(${claim}, ${id}, ${business}) as made`,
  );
  return row?.made as { attempt_id: string; first_look_id: string | null } | null;
}

const answersOf = (id: string) =>
  world.sql`select question_key, value from public.answers where attempt_id = ${id} order by 1`;
const attemptsOf = async ({ userId }: { userId: string | null }) =>
  (
    await world.sql`select kind, state from public.attempts where user_id = ${userId} order by 1, 2`
  ).map(({ kind, state }) => `${kind} ${state}`);

describe("A visitor's answers become their attempt", () => {
  test('A first look becomes results and begins the full quiz with its eight answers', async () => {
    const { otherCoach } = world.people;
    const made = await adopt(otherCoach);
    expect(await attemptsOf(otherCoach)).toEqual(['first_look submitted', 'full in_progress']);
    expect(await answersOf(made.attempt_id)).toHaveLength(8);
    const [row] = await asPerson(
      world.sql,
      otherCoach,
      (sql) => sql`select get_attempt(${made.first_look_id}) as view`,
    );
    expect(row?.view.attempt).toMatchObject({ kind: 'first_look', overall_score: 25 });
    expect(row?.view.scores[0]).toMatchObject({
      asked: 1,
      answered: 1,
      score: 25,
      level: 'developing',
    });
    expect(row?.view.recommendations).toHaveLength(3);
  });

  test('A full quiz becomes the open attempt, with how confident they were', async () => {
    const { otherCoach } = world.people;
    const made = await adopt(otherCoach, {
      kind: 'full',
      answers: world.quiz.questions
        .slice(0, 20)
        .map(({ key }) => ({ question_key: key, value: null, applies: false })),
      confidences: [{ area_key: 'web-design', rating: 5 }],
    });
    expect(made.first_look_id).toBeNull();
    expect(await attemptsOf(otherCoach)).toEqual(['full in_progress']);
    expect(await answersOf(made.attempt_id)).toHaveLength(20);
    expect(
      await world.sql`select rating from public.attempt_confidences where attempt_id = ${made.attempt_id}`,
    ).toEqual([{ rating: 5 }]);
  });

  test('An answer that is there already stays', async () => {
    const { people, ids, quiz } = world;
    const [before] = await answersOf(ids.alderOpen);
    const made = await adopt(people.owner, {
      kind: 'full',
      business: ids.alder,
      answers: quiz.questions
        .slice(0, 2)
        .map(({ key }) => ({ question_key: key, value: 0, applies: true })),
    });
    expect(made.attempt_id).toBe(ids.alderOpen);
    expect(await answersOf(ids.alderOpen)).toContainEqual(before);
    expect(await answersOf(ids.alderOpen)).toHaveLength(2);
  });

  test('Sent twice, it is done once', async () => {
    const { otherCoach } = world.people;
    const id = crypto.randomUUID();
    const first = await adopt(otherCoach, { id });
    await asPerson(world.sql, otherCoach, (sql) => sql`select finish_attempt(${first.attempt_id})`);
    expect(await adopt(otherCoach, { id })).toEqual(first);
    expect(await attemptsOf(otherCoach)).toEqual(['first_look submitted', 'full submitted']);
  });

  test('Sent twice at once, the second waits and is given what the first one made', async () => {
    const { otherCoach } = world.people;
    const id = crypto.randomUUID();
    const one = await pause(
      world.sql,
      otherCoach,
      (sql) => sql`
        select adopt_answers(${id}, ${world.quiz.id}, 'first_look', null, ${sql.json(firstLook())})`,
    );
    const other = adopt(otherCoach, { id });
    await someoneWaits(world.sql);
    await one.finish();
    expect((await other).first_look_id).toBe(id);
    expect(await attemptsOf(otherCoach)).toEqual(['first_look submitted', 'full in_progress']);
  });

  test('The same first look from the browser and from the link is one attempt', async () => {
    const { otherCoach } = world.people;
    const [first, second] = await Promise.all([adopt(otherCoach), adopt(otherCoach)]);
    expect(second).toEqual(first);
    const other = await adopt(otherCoach, { answers: firstLook(3) });
    expect(other.first_look_id).not.toBe(first.first_look_id);
    expect(other.attempt_id).toBe(first.attempt_id);
    expect(await answersOf(first.attempt_id)).toEqual(
      firstLook(1)
        .map(({ question_key, value }) => ({ question_key, value }))
        .sort((a, b) => (a.question_key < b.question_key ? -1 : 1)),
    );
  });

  test('What does not fit is refused as a whole', async () => {
    const { people, ids } = world;
    const refused = (given: Given, who: Person = people.otherOwner) => refusalOf(adopt(who, given));
    const misfit = '22023 These answers do not fit the questions.';
    const unread = '22023 These answers cannot be read.';
    const [one] = firstLook();
    expect(await refused({ answers: [{ ...one, value: 5 }] })).toBe(misfit);
    expect(await refused({ answers: [{ ...one, value: -1 }] })).toBe(misfit);
    expect(await refused({ answers: [{ ...one, value: null }] })).toBe(misfit);
    expect(await refused({ answers: [{ ...one, applies: false }] })).toBe(misfit);
    expect(await refused({ answers: [{ ...one, applies: null }] })).toBe(misfit);
    expect(await refused({ answers: [{ ...one, question_key: 'nothing' }] })).toBe(misfit);
    expect(
      await refused({
        answers: [{ ...one, question_key: world.quiz.questions.find((q) => !q.first_look)?.key }],
      }),
    ).toBe(misfit);
    expect(await refused({ answers: [{ ...one, value: 'high' }] })).toBe(unread);
    expect(await refused({ answers: [{ ...one, answered_at: 'yesterday, I think' }] })).toBe(
      unread,
    );
    expect(await refused({ answers: { one } })).toBe(unread);
    expect(await refused({ answers: [] })).toBe(unread);
    expect(await refused({ answers: [1, 2] })).toBe(unread);
    expect(await refused({ answers: Array(201).fill(one) })).toBe(unread);
    expect(await refused({ answers: [{ ...one, note: 'x'.repeat(70_000) }] })).toBe(unread);
    expect(await refused({ confidences: [{ area_key: 'web-design', rating: 6 }] })).toBe(
      '22023 These ratings do not fit the areas.',
    );
    expect(await refused({ confidences: 'high' })).toBe('22023 These ratings cannot be read.');
    expect(await refused({ kind: 'long' })).toBe('22023 A quiz is full or a first look.');
    expect(await refused({ version: crypto.randomUUID() })).toBe(
      '22023 This version of the quiz is not known.',
    );
    expect(await refused({ business: ids.alder })).toBe(
      '42501 You do not belong to this business.',
    );
    expect(await refused({ id: null })).toBe('22023 These answers need an id.');
    expect(await refused({ id: ids.alderResult })).toBe('23505 This attempt exists already.');
    expect(await refused({}, people.ownerWithoutCode)).toBe(
      '42501 Enter the code of your second factor first.',
    );
    expect(await refused({}, people.visitor)).toBe(
      '42501 permission denied for function adopt_answers',
    );
    expect(await attemptsOf(people.otherOwner)).toEqual(['full submitted']);
  });

  test('Nobody takes over what somebody else has adopted', async () => {
    const { people } = world;
    const id = crypto.randomUUID();
    await adopt(people.otherCoach, { id });
    expect(await refusalOf(adopt(people.otherOwner, { id }))).toBe(
      '23505 These answers are taken already.',
    );
  });

  test('Answers to an older version join an open attempt where the question still means the same', async () => {
    const { sql, quiz, people } = world;
    const next = crypto.randomUUID();
    const changed = quiz.questions.find((question) => question.first_look)?.key ?? '';
    await sql`insert into public.quiz_versions (id, number, title) values (${next}, 2, 'Next')`;
    await sql`
      insert into public.quiz_version_areas (version_id, area_key, importance)
      select ${next}, area_key, 1 from public.quiz_version_areas where version_id = ${quiz.id}`;
    await sql`
      insert into public.quiz_questions
      select (jsonb_populate_record(q, jsonb_build_object('version_id', ${next}::text,
        'meaning', case when key = ${changed} then 2 else 1 end))).*
      from public.quiz_questions q where q.version_id = ${quiz.id}`;
    await sql`update public.quiz_versions set state = 'published' where id = ${next}`;

    const made = await adopt(people.otherCoach);
    const versions = await sql`
      select kind, version_id from public.attempts
      where user_id = ${people.otherCoach.userId} order by kind`;
    expect(versions).toEqual([
      { kind: 'first_look', version_id: quiz.id },
      { kind: 'full', version_id: next },
    ]);
    const kept = await answersOf(made.attempt_id);
    expect(kept).toHaveLength(7);
    expect(kept.map((row) => row.question_key)).not.toContain(changed);
  });
});

describe('Answers follow a person to another device', () => {
  test('Only the person whose registration named a claim is asked about it, takes it or removes it', async () => {
    const { people } = world;
    const claim = secret();
    await registeredWith(people.otherCoach, (await store(claim)).key);
    // Somebody whose registration named another one, and somebody whose named none.
    await registeredWith(people.owner, (await store(secret())).key);
    for (const who of [people.owner, people.otherOwner, people.admin]) {
      const before = await attemptsOf(who);
      expect(await look(who, claim)).toBeNull();
      expect(await take(who, claim)).toBeNull();
      await drop(who, claim);
      expect(await attemptsOf(who)).toEqual(before);
    }
    expect(await look(people.otherCoach, claim)).toMatchObject({ answers: 8 });
    expect(await take(people.otherCoach, claim)).not.toBeNull();
  });

  test('Asking takes nothing, and who says that they are not theirs has them deleted', async () => {
    const { otherCoach } = world.people;
    const claim = secret();
    await registeredWith(otherCoach, (await store(claim)).key);
    for (let times = 0; times < 2; times += 1) {
      const seen = await look(otherCoach, claim);
      expect(seen?.answers).toBe(8);
      expect(Date.now() - Date.parse(seen?.stored_at ?? '')).toBeLessThan(60_000);
    }
    expect(await attemptsOf(otherCoach)).toEqual([]);
    await drop(otherCoach, claim);
    expect(await look(otherCoach, claim)).toBeNull();
    expect(await take(otherCoach, claim)).toBeNull();
    expect(await world.sql`select from public.quiz_claims`).toHaveLength(0);
  });

  test('A visitor stores them under a secret, and the person who registered with it takes them once', async () => {
    const { people, ids } = world;
    const claim = secret();
    const { expires_at, key } = await store(claim);
    await registeredWith(people.otherOwner, key);
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(29.9 * 86_400_000);
    const id = crypto.randomUUID();
    const made = await take(people.otherOwner, claim, id, ids.birch);
    expect(made?.first_look_id).toBe(id);
    expect(await attemptsOf(people.otherOwner)).toEqual([
      'first_look submitted',
      'full in_progress',
      'full submitted',
    ]);
    // The answer was lost on the way: the same call gives it again.
    expect(await take(people.otherOwner, claim, id, ids.birch)).toEqual(made);
    expect(await look(people.otherOwner, claim)).toBeNull();
    expect(await take(people.otherOwner, claim)).toBeNull();
  });

  test('Two devices that take at once get it once', async () => {
    const claim = secret();
    const { otherCoach } = world.people;
    await registeredWith(otherCoach, (await store(claim)).key);
    const taken = await Promise.all([take(otherCoach, claim), take(otherCoach, claim)]);
    expect(taken.filter((each) => each !== null)).toHaveLength(1);
  });

  test('The secret itself is kept nowhere', async () => {
    const claim = secret();
    await store(claim);
    const [row] = await world.sql`select to_jsonb(c)::text as text from public.quiz_claims c`;
    expect(row?.text).not.toContain(claim);
    expect(row?.text).not.toContain(Buffer.from(claim).toString('hex'));
  });

  test('Stored again under the same secret, the later answers count', async () => {
    const claim = secret();
    await store(claim);
    await registeredWith(
      world.people.otherCoach,
      (await store(claim, { answers: firstLook(4) })).key,
    );
    const made = await take(world.people.otherCoach, claim);
    expect((await answersOf(made?.attempt_id ?? '')).map((row) => row.value)).toEqual(
      Array(8).fill(4),
    );
  });

  test('A secret that could be guessed, and answers that do not fit, are refused', async () => {
    const { people } = world;
    expect(await refusalOf(store('short'))).toBe('22023 This is not a claim.');
    expect(await refusalOf(store(`${secret()}!`))).toBe('22023 This is not a claim.');
    expect(await refusalOf(store('x'.repeat(129)))).toBe('22023 This is not a claim.');
    expect(await refusalOf(store(secret(), { answers: [{ question_key: 'nothing' }] }))).toBe(
      '22023 These answers do not fit the questions.',
    );
    expect(await refusalOf(store(secret(), {}, people.owner))).toBe(
      '42501 permission denied for function store_claim',
    );
    expect(await refusalOf(take(people.visitor, secret()))).toBe(
      '42501 permission denied for function take_claim',
    );
    for (const [name, ask] of [
      ['get_claim', look],
      ['remove_claim', drop],
    ] as const) {
      expect(await refusalOf(ask(people.visitor, secret()))).toBe(
        `42501 permission denied for function ${name}`,
      );
      expect(await refusalOf(ask(people.owner, 'short'))).toBe('22023 This is not a claim.');
    }
    for (const ask of [look, take, drop]) {
      expect(await refusalOf(Promise.resolve(ask(people.ownerWithoutCode, secret())))).toBe(
        '42501 Enter the code of your second factor first.',
      );
    }
  });

  test('After 30 days they are gone, before the schedule removes them and after', async () => {
    const claim = secret();
    await registeredWith(world.people.otherCoach, (await store(claim)).key);
    await world.sql`update public.quiz_claims set expires_at = now()`;
    expect(await look(world.people.otherCoach, claim)).toBeNull();
    expect(await take(world.people.otherCoach, claim)).toBeNull();
    await world.sql`update private.jobs set run_at = now() where every is not null`;
    const [row] = await world.sql`select private.tick() as done`;
    expect(row?.done.delete_old_claims).toBe(1);
  });

  test('Nothing but answers is kept', async () => {
    const claim = secret();
    const more = firstLook().map((answer) => ({ ...answer, padding: 'x'.repeat(1000) }));
    await store(claim, { answers: more });
    const [row] = await world.sql`
      select answers from public.quiz_claims order by created_at desc limit 1`;
    expect(JSON.stringify(row?.answers)).not.toContain('padding');
    expect(row?.answers).toHaveLength(8);
  });

  test('One address stores thirty an hour, others are not held up by it', async () => {
    const storeFrom = (address: string) =>
      asPerson(world.sql, world.people.visitor, async (sql) => {
        const headers = JSON.stringify({ 'x-forwarded-for': `198.51.100.9, ${address}` });
        await sql`select set_config('request.headers', ${headers}, true)`;
        await sql`
          select store_claim(${secret()}, ${world.quiz.id}, 'first_look', ${sql.json(firstLook())})`;
      });
    for (let count = 0; count < 30; count += 1) await storeFrom('192.0.2.1');
    expect(await refusalOf(storeFrom('192.0.2.1'))).toBe(
      'PT429 That is too many at once. Try again in an hour.',
    );
    await storeFrom('192.0.2.2');
    await store(secret());
  });
});

describe('Limits', () => {
  test('Of many at once exactly as many pass as are allowed, and the window starts anew', async () => {
    const { sql } = world;
    const takeOne = () =>
      sql`select private.take_rate_limit('a key', 5, '1 hour') as taken`.then(
        (rows) => rows[0]?.taken,
      );
    const taken = await Promise.all(Array.from({ length: 40 }, takeOne));
    expect(taken.filter(Boolean)).toHaveLength(5);
    const [before] = await sql`select expires_at from public.rate_limits where key = 'a key'`;
    expect(await takeOne()).toBe(false);
    expect((await sql`select expires_at from public.rate_limits where key = 'a key'`)[0]).toEqual(
      before,
    );
    await sql`update public.rate_limits set expires_at = now() where key = 'a key'`;
    expect(await takeOne()).toBe(true);
  });
});
