import { describe, expect, test } from 'vitest';
import { answerAttempt } from '#backend/local/demo/builders.ts';
import { asPerson, type Person, within } from '../../fixtures/database.ts';
import { createAttempt, createNewcomer, openWorld } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, quiz, ask, refusal } = world;
const { owner } = people;

const addBusiness = async (who: Person, name = 'Fig') => {
  const id = crypto.randomUUID();
  await ask(who, 'create_business($1, $2)', [id, name]);
  return id;
};

/** Invites a person to Alder Bakery; returns the invitation's id. */
async function inviteToAlder(who: Person): Promise<string> {
  const id = crypto.randomUUID();
  await ask(owner, 'invite_member($1, $2, $3)', [id, ids.alder, who.email]);
  await sql`update auth.users set email_confirmed_at = now() where id = ${who.userId ?? null}`;
  return id;
}

const businessOf = async (attemptId: string) =>
  (await sql`select business_id from public.attempts where id = ${attemptId}`)[0]?.business_id;

const firstLook = quiz.questions
  .filter((question) => question.first_look)
  .map(({ key }) => ({
    question_key: key,
    value: 1,
    applies: true,
    answered_at: '2026-03-01T09:00:00Z',
  }));

const adopt = (who: Person, business: string | null = null) =>
  ask(who, 'adopt_answers($1, $2, $3, $4, $5)', [
    crypto.randomUUID(),
    quiz.id,
    'first_look',
    business,
    firstLook,
  ]);

test('A first look, the area chosen from it and a swapped recommendation are there under the first business', async () => {
  const who = await createNewcomer(world);
  const { first_look_id: look, attempt_id: open } = await adopt(who);
  const areas = (await ask(who, 'get_skills(null)')).latest.areas;
  const area = (place: number | null) =>
    areas.find(({ recommended }: { recommended: number | null }) => recommended === place).key;
  const other = area(null);
  await ask(who, 'swap_recommendation($1, 2::smallint, $2)', [look, other]);
  await ask(
    who,
    'choose_focus_area(gen_random_uuid(), $1, $2, gen_random_uuid(), $3, current_date + 30)',
    [look, area(1), 'Call five customers'],
  );

  const fig = await addBusiness(who);
  const { dashboard: home } = await ask(who, 'get_home($1)', [fig]);
  expect(home.latest.attempt).toMatchObject({ id: look, kind: 'first_look' });
  expect(home.latest.areas).toContainEqual(expect.objectContaining({ key: other, recommended: 2 }));
  expect(home.open_attempt).toMatchObject({ id: open, answered: 8 });
  expect(home.focus).toMatchObject([
    { area_key: area(1), actions: [{ body: 'Call five customers', state: 'open' }] },
  ]);
});

test('Joining somebody else’s business counts as having one', async () => {
  const who = await createNewcomer(world);
  const { first_look_id: look } = await adopt(who);
  const invitation = await inviteToAlder(who);
  await ask(who, 'accept_my_invitation($1)', [invitation]);
  expect(await businessOf(look)).toBe(ids.alder);
  // Colleagues don't see it.
  expect(await ask(owner, 'get_attempt($1)', [look])).toBeNull();
});

test('Somebody who has a business keeps their attempts with it when they add or join another', async () => {
  const who = await createNewcomer(world);
  const first = await addBusiness(who);
  const made = await createAttempt(sql, who, { quiz, business: first });
  await addBusiness(who, 'Second');
  await ask(who, 'accept_my_invitation($1)', [await inviteToAlder(who)]);
  expect(await businessOf(made)).toBe(first);
});

test('An archived business counts as none: the next one takes over', async () => {
  const who = await createNewcomer(world);
  await ask(who, 'archive_business($1)', [await addBusiness(who, 'Over')]);
  const between = await createAttempt(sql, who, { quiz, business: null });
  const next = await addBusiness(who, 'Next');
  expect(await businessOf(between)).toBe(next);
});

test('A business that is brought back takes over what was done meanwhile', async () => {
  const who = await createNewcomer(world);
  const fig = await addBusiness(who);
  const here = await createAttempt(sql, who, { quiz, business: fig, submit: false });
  await ask(who, 'archive_business($1)', [fig]);
  const result = await createAttempt(sql, who, { quiz, business: null, value: 4 });
  // A second quiz is open by then; only the first stays open, with the answers of both.
  const meanwhile = await createAttempt(sql, who, {
    quiz,
    business: null,
    value: 4,
    submit: false,
  });
  const second = quiz.questions[1]?.key ?? '';
  await asPerson(sql, who, (tx) =>
    answerAttempt(within(tx), { id: meanwhile, versionId: quiz.id }, [
      { question_key: second, value: 3, applies: true },
    ]),
  );
  const area = quiz.questions[0]?.area_key ?? '';
  await sql`
    insert into public.attempt_confidences (attempt_id, version_id, area_key, rating, rated_at)
    values (${meanwhile}, ${quiz.id}, ${area}, 5, now())
    on conflict (attempt_id, area_key) do update set rating = 5, rated_at = now()`;
  await ask(who, 'unarchive_business($1)', [fig]);

  expect(await businessOf(result)).toBe(fig);
  const answers = await sql`
    select question_key, value from public.answers where attempt_id = ${here}`;
  expect(new Map(answers.map((row) => [row.question_key, row.value]))).toEqual(
    new Map([
      [quiz.questions[0]?.key, 4],
      [second, 3],
    ]),
  );
  const ratings = await sql`
    select area_key, rating from public.attempt_confidences where attempt_id = ${here}`;
  expect(ratings).toContainEqual({ area_key: area, rating: 5 });
  const [ended] = await sql`
    select state, business_id from public.attempts where id = ${meanwhile}`;
  expect(ended).toEqual({ state: 'expired', business_id: fig });
  const skills = await ask(who, 'get_skills($1)', [fig]);
  expect(skills.open_attempt).toMatchObject({ id: here, answered: 2 });
});

describe('A page that was opened before the business was added', () => {
  test('starts the quiz for the business that is there by now', async () => {
    const who = await createNewcomer(world);
    const fig = await addBusiness(who);
    const id = crypto.randomUUID();
    await ask(who, 'start_attempt($1, $2, null)', [id, quiz.id]);
    expect(await businessOf(id)).toBe(fig);
    expect(await ask(who, 'start_attempt(gen_random_uuid(), $1, $2)', [quiz.id, fig])).toEqual({
      id,
    });
  });

  test('brings a visitor’s answers into the business that is there by now', async () => {
    const who = await createNewcomer(world);
    const fig = await addBusiness(who);
    const { first_look_id: look, attempt_id: open } = await adopt(who);
    expect([await businessOf(look), await businessOf(open)]).toEqual([fig, fig]);
    // The same answers again, from a page that knows the business, give the same first look.
    expect((await adopt(who, fig)).first_look_id).toBe(look);
  });

  test('An archived business is not chosen for anybody, nor is somebody else’s', async () => {
    const who = await createNewcomer(world);
    await ask(who, 'archive_business($1)', [await addBusiness(who)]);
    const id = crypto.randomUUID();
    await ask(who, 'start_attempt($1, $2, null)', [id, quiz.id]);
    expect(await businessOf(id)).toBeNull();
    expect(
      await refusal(who, 'start_attempt(gen_random_uuid(), $1, $2)', [quiz.id, ids.birch]),
    ).toBe('42501 You don’t belong to this business.');
  });
});
