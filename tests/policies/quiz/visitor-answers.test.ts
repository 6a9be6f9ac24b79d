import { expect, test } from 'vitest';
import { asPerson, type Person } from '../../fixtures/database.ts';
import {
  createNewcomer,
  OWES_CODE,
  openWorld,
  pause,
  refusalOf,
  someoneWaits,
} from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, quiz, ask } = world;
const { visitor, owner, otherOwner, ownerWithoutCode, admin } = people;

interface Given {
  id?: string | null;
  version?: string;
  kind?: string;
  business?: string | null;
  answers?: unknown;
  confidences?: unknown;
}

const firstLook = (value = 1) =>
  quiz.questions
    .filter((question) => question.first_look)
    .map(({ key }) => ({
      question_key: key,
      value,
      applies: true,
      answered_at: '2026-03-01T09:00:00Z',
    }));

const adopt = (who: Person, given: Given = {}) =>
  ask(who, 'adopt_answers($1, $2, $3, $4, $5, $6)', [
    given.id === undefined ? crypto.randomUUID() : given.id,
    given.version ?? quiz.id,
    given.kind ?? 'first_look',
    given.business ?? null,
    given.answers ?? firstLook(),
    given.confidences ?? [],
  ]);

const secret = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
const store = (claim: string, answers: unknown = firstLook(), who: Person = visitor) =>
  ask(who, "store_claim($1, $2, 'first_look', $3, '[]')", [claim, quiz.id, answers]);
const look = (who: Person, claim: string) => ask(who, 'get_claim($1)', [claim]);
const drop = (who: Person, claim: string) => ask(who, 'remove_claim($1)', [claim]);
const take = (who: Person, claim: string, id = crypto.randomUUID(), business?: string) =>
  ask(who, 'take_claim($1, $2, $3)', [claim, id, business ?? null]);

/** As if the person had registered with this key. */
const registeredWith = ({ userId = null }: Person, key: string) => sql`
  update auth.users set raw_user_meta_data = raw_user_meta_data || ${sql.json({ quiz_claim: key })}
  where id = ${userId}`;

/** A person who registered after storing their answers under a claim. */
async function registered(answers?: unknown) {
  const [who, claim] = [await createNewcomer(world), secret()];
  const { key, expires_at } = await store(claim, answers);
  await registeredWith(who, key);
  return { who, claim, expires_at };
}

const answersOf = (id: string) =>
  sql`select question_key, value from public.answers where attempt_id = ${id} order by 1`;
const attemptsOf = async ({ userId = null }: Person) => {
  const rows = await sql`
    select kind || ' ' || state as name from public.attempts where user_id = ${userId} order by 1`;
  return rows.map(({ name }) => name);
};

const [one] = firstLook();
const later = quiz.questions.find((question) => !question.first_look)?.key;
const misfit = '22023 These answers don’t match the questions.';
const unread = '22023 We couldn’t read these answers.';

test.each<[Given, string]>([
  [{ answers: [{ ...one, value: 5 }] }, misfit],
  [{ answers: [{ ...one, value: -1 }] }, misfit],
  [{ answers: [{ ...one, value: null }] }, misfit],
  [{ answers: [{ ...one, applies: false }] }, misfit],
  [{ answers: [{ ...one, applies: null }] }, misfit],
  [{ answers: [{ ...one, question_key: 'nothing' }] }, misfit],
  [{ answers: [{ ...one, question_key: later }] }, misfit],
  [{ answers: [{ ...one, value: 'high' }] }, unread],
  [{ answers: [{ ...one, answered_at: 'yesterday, I think' }] }, unread],
  [{ answers: { one } }, unread],
  [{ answers: [] }, unread],
  [{ answers: [1, 2] }, unread],
  [{ answers: Array(201).fill(one) }, unread],
  [{ answers: [{ ...one, note: 'x'.repeat(70_000) }] }, unread],
  [
    { confidences: [{ area_key: 'web-design', rating: 6 }] },
    '22023 These ratings don’t match the areas.',
  ],
  [{ confidences: 'high' }, '22023 We couldn’t read these ratings.'],
  [{ kind: 'long' }, '22023 A quiz is full or a first look.'],
  [{ version: crypto.randomUUID() }, '22023 We don’t know this version of the quiz.'],
  [{ business: ids.alder }, '42501 You don’t belong to this business.'],
  [{ id: null }, '22023 These answers need an id.'],
  [{ id: ids.alderResult }, '23505 This attempt already exists.'],
])('Answers that do not fit are refused as a whole: %#', async (given, refused) => {
  expect(await refusalOf(adopt(otherOwner, given))).toBe(refused);
  expect(await attemptsOf(otherOwner)).toEqual(['full submitted']);
});

test('Visitors, sessions that owe their code and people without the claim are refused', async () => {
  const denied = (name: string) => `42501 permission denied for function ${name}`;
  expect(await refusalOf(adopt(visitor))).toBe(denied('adopt_answers'));
  expect(await refusalOf(store(secret(), firstLook(), owner))).toBe(denied('store_claim'));
  expect(await refusalOf(adopt(ownerWithoutCode))).toBe(OWES_CODE);
  for (const [name, call] of [
    ['get_claim', look],
    ['take_claim', take],
    ['remove_claim', drop],
  ] as const) {
    expect(await refusalOf(call(visitor, secret()))).toBe(denied(name));
    expect(await refusalOf(call(ownerWithoutCode, secret()))).toBe(OWES_CODE);
    expect(await refusalOf(call(owner, 'short'))).toBe('22023 This isn’t a claim.');
  }
});

test.each([
  ['short', firstLook(), '22023 This isn’t a claim.'],
  [`${secret()}!`, firstLook(), '22023 This isn’t a claim.'],
  ['x'.repeat(129), firstLook(), '22023 This isn’t a claim.'],
  [secret(), [{ question_key: 'nothing' }], misfit],
])(
  'A secret that could be guessed, and answers that do not fit, are not stored: %#',
  async (claim, answers, refused) => {
    expect(await refusalOf(store(claim, answers))).toBe(refused);
  },
);

test('Only the person whose registration named a claim is asked about it, takes it or removes it', async () => {
  const { who, claim } = await registered();
  // One registered with a different claim, the other two without any.
  const others = [(await registered()).who, otherOwner, admin];
  for (const other of others) {
    const before = await attemptsOf(other);
    expect(await look(other, claim)).toBeNull();
    expect(await take(other, claim)).toBeNull();
    await drop(other, claim);
    expect(await attemptsOf(other)).toEqual(before);
  }
  expect(await look(who, claim)).toMatchObject({ answers: 8 });
  expect(await take(who, claim)).not.toBeNull();
});

test('No one takes over what another person has adopted', async () => {
  const id = crypto.randomUUID();
  await adopt(await createNewcomer(world), { id });
  expect(await refusalOf(adopt(otherOwner, { id }))).toBe(
    '23505 These answers are already in an account.',
  );
});

test('A first look becomes results and begins the full quiz with its eight answers', async () => {
  const who = await createNewcomer(world);
  const made = await adopt(who);
  expect(await attemptsOf(who)).toEqual(['first_look submitted', 'full in_progress']);
  expect(await answersOf(made.attempt_id)).toHaveLength(8);
  const view = await ask(who, 'get_attempt($1)', [made.first_look_id]);
  expect(view.attempt).toMatchObject({ kind: 'first_look', overall_score: 25 });
  expect(view.scores[0]).toMatchObject({ asked: 1, answered: 1, score: 25, level: 'developing' });
  expect(view.recommendations).toHaveLength(3);
});

test('A full quiz becomes the open attempt, with how confident they were', async () => {
  const who = await createNewcomer(world);
  const made = await adopt(who, {
    kind: 'full',
    answers: quiz.questions
      .slice(0, 20)
      .map(({ key }) => ({ question_key: key, value: null, applies: false })),
    confidences: [{ area_key: 'web-design', rating: 5 }],
  });
  expect(made.first_look_id).toBeNull();
  expect(await attemptsOf(who)).toEqual(['full in_progress']);
  expect(await answersOf(made.attempt_id)).toHaveLength(20);
  const ratings = await sql`
    select rating from public.attempt_confidences where attempt_id = ${made.attempt_id}`;
  expect(ratings).toEqual([{ rating: 5 }]);
});

test('An answer that is there already stays', async () => {
  const [before] = await answersOf(ids.alderOpen);
  const answers = quiz.questions
    .slice(0, 2)
    .map(({ key }) => ({ question_key: key, value: 0, applies: true }));
  const made = await adopt(owner, { kind: 'full', business: ids.alder, answers });
  expect(made.attempt_id).toBe(ids.alderOpen);
  const stored = await answersOf(ids.alderOpen);
  expect(stored).toContainEqual(before);
  expect(stored).toHaveLength(2);
});

test('Sent twice, it is done once', async () => {
  const who = await createNewcomer(world);
  const id = crypto.randomUUID();
  const first = await adopt(who, { id });
  await ask(who, 'finish_attempt($1)', [first.attempt_id]);
  expect(await adopt(who, { id })).toEqual(first);
  expect(await attemptsOf(who)).toEqual(['first_look submitted', 'full submitted']);
});

test('Sent twice at once, the second waits and is given what the first one made', async () => {
  const who = await createNewcomer(world);
  const id = crypto.randomUUID();
  const first = await pause(
    sql,
    who,
    (tx) => tx`
      select adopt_answers(${id}, ${quiz.id}, 'first_look', null, ${tx.json(firstLook())})`,
  );
  const second = adopt(who, { id });
  await someoneWaits(sql);
  await first.finish();
  expect((await second).first_look_id).toBe(id);
  expect(await attemptsOf(who)).toEqual(['first_look submitted', 'full in_progress']);
});

test('The same first look from the browser and from the link is one attempt', async () => {
  const who = await createNewcomer(world);
  const [first, second] = await Promise.all([adopt(who), adopt(who)]);
  expect(second).toEqual(first);
  const other = await adopt(who, { answers: firstLook(3) });
  expect(other.first_look_id).not.toBe(first.first_look_id);
  expect(other.attempt_id).toBe(first.attempt_id);
  const values = (await answersOf(first.attempt_id)).map(({ value }) => value);
  expect(values).toEqual(Array(8).fill(1));
});

test('Looking takes nothing, and people who say that the answers are not theirs have them deleted', async () => {
  const count = async () => (await sql`select from public.quiz_claims`).count;
  const before = await count();
  const { who, claim } = await registered();
  for (let times = 0; times < 2; times += 1) {
    const seen = await look(who, claim);
    expect(seen.answers).toBe(8);
    expect(Date.now() - Date.parse(seen.stored_at)).toBeLessThan(60_000);
  }
  expect(await attemptsOf(who)).toEqual([]);
  await drop(who, claim);
  expect(await look(who, claim)).toBeNull();
  expect(await take(who, claim)).toBeNull();
  expect(await count()).toBe(before);
});

test('A visitor stores them under a secret, and the person who registered with it takes them once', async () => {
  const { who, claim, expires_at } = await registered();
  const business = crypto.randomUUID();
  await ask(who, 'create_business($1, $2)', [business, 'Fig']);
  expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(29.9 * 86_400_000);
  const id = crypto.randomUUID();
  const made = await take(who, claim, id, business);
  expect(made.first_look_id).toBe(id);
  expect(await attemptsOf(who)).toEqual(['first_look submitted', 'full in_progress']);
  // If the response was lost, the same call returns it again.
  expect(await take(who, claim, id, business)).toEqual(made);
  expect(await look(who, claim)).toBeNull();
  expect(await take(who, claim)).toBeNull();
});

test('Two devices that take at once get it once', async () => {
  const { who, claim } = await registered();
  const taken = await Promise.all([take(who, claim), take(who, claim)]);
  expect(taken.filter((each) => each !== null)).toHaveLength(1);
});

test('Neither the secret nor anything but answers is kept', async () => {
  const claim = secret();
  await store(
    claim,
    firstLook().map((answer) => ({ ...answer, padding: 'x'.repeat(1000) })),
  );
  const [row] = await sql`
    select to_jsonb(c)::text as text, answers from public.quiz_claims c
    order by created_at desc limit 1`;
  expect(row?.answers).toHaveLength(8);
  for (const word of [claim, Buffer.from(claim).toString('hex'), 'padding']) {
    expect(row?.text).not.toContain(word);
  }
});

test('Stored again under the same secret, the later answers count', async () => {
  const { who, claim } = await registered();
  await registeredWith(who, (await store(claim, firstLook(4))).key);
  const made = await take(who, claim);
  const values = (await answersOf(made.attempt_id)).map(({ value }) => value);
  expect(values).toEqual(Array(8).fill(4));
});

test('After 30 days they are gone, before the schedule removes them and after', async () => {
  const { who, claim } = await registered();
  await sql`update public.quiz_claims set expires_at = now()`;
  expect(await look(who, claim)).toBeNull();
  expect(await take(who, claim)).toBeNull();
  await sql`update private.jobs set run_at = now() where every is not null`;
  await sql`select private.tick()`;
  expect(await sql`select from public.quiz_claims`).toHaveLength(0);
});

test('One address stores thirty an hour, others are not held up by it', async () => {
  const storeFrom = (address: string) =>
    asPerson(sql, visitor, async (tx) => {
      const headers = JSON.stringify({ 'x-forwarded-for': `198.51.100.9, ${address}` });
      await tx`select set_config('request.headers', ${headers}, true)`;
      await tx`select store_claim(${secret()}, ${quiz.id}, 'first_look', ${tx.json(firstLook())})`;
    });
  for (let count = 0; count < 30; count += 1) await storeFrom('192.0.2.1');
  expect(await refusalOf(storeFrom('192.0.2.1'))).toBe(
    'PT429 That’s too many at once. Try again in an hour.',
  );
  await storeFrom('192.0.2.2');
  await store(secret());
});

test('Answers to an older version join an open attempt where the question still means the same', async () => {
  const who = await createNewcomer(world);
  const next = crypto.randomUUID();
  await sql`insert into public.quiz_versions (id, number, title) values (${next}, 99, 'Next')`;
  await sql`
    insert into public.quiz_version_areas (version_id, area_key, importance)
    select ${next}, area_key, 1 from public.quiz_version_areas where version_id = ${quiz.id}`;
  await sql`
    insert into public.quiz_questions
    select (jsonb_populate_record(q, jsonb_build_object('version_id', ${next}::text,
      'meaning', q.meaning + (key = ${one?.question_key ?? ''})::int))).*
    from public.quiz_questions q where q.version_id = ${quiz.id}`;
  await sql`update public.quiz_versions set state = 'published' where id = ${next}`;

  const made = await adopt(who);
  const versions = await sql`
    select kind, version_id from public.attempts where user_id = ${who.userId} order by kind`;
  expect(versions).toEqual([
    { kind: 'first_look', version_id: quiz.id },
    { kind: 'full', version_id: next },
  ]);
  const kept = (await answersOf(made.attempt_id)).map((row) => row.question_key);
  expect(kept).toHaveLength(7);
  expect(kept).not.toContain(one?.question_key);
});
