import { expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import { openWorld, refusalOf } from '../../fixtures/personas.ts';
import { answered, invite, openSurvey, submit } from '../../fixtures/survey-answers.ts';

const world = await openWorld();
const { sql, people, ids } = world;
const { visitor, owner, coach, admin } = people;
const surveyId = (await openSurvey(sql, visitor))?.id ?? '';

const fours = Array.from({ length: 10 }, () => 4);

test('Nobody changes or removes one, not even past the policies', async () => {
  const { id } = await submit(sql, visitor, surveyId);
  for (const work of [
    sql`update public.survey_responses set recommend = 10 where id = ${id}`,
    sql`delete from public.survey_responses where id = ${id}`,
    sql`truncate public.survey_responses`,
  ]) {
    expect(await refusalOf(work)).toMatch(/^55000 Rows of/);
  }
});

const unreadable = '22023 We couldn’t read these answers.';
const unfitting = '22023 These answers don’t match the questions.';
test.each([
  [null, unreadable],
  [[], unreadable],
  [{ ...answered({}), agreement: ['four'] }, unreadable],
  [{ ...answered({}), comments: null }, unreadable],
  [{ ...answered({ recommend: 9 }), more: 'x'.repeat(40_000) }, unreadable],
  [answered({ agreement: [4] }), unfitting],
  [answered({ agreement: [...fours.slice(1), 6] }), unfitting],
  [answered({ agreement: [...fours.slice(1), 0] }), unfitting],
  [answered({ recommend: 11 }), unfitting],
  [answered({ comments: ['One'] }), unfitting],
  [answered({}), '22023 Answer at least one question.'],
  [answered({ comments: [' ', null] }), '22023 Answer at least one question.'],
  [
    answered({ comments: ['x'.repeat(2_001), null] }),
    '22023 Keep each comment to 2,000 characters.',
  ],
])('Answers that do not fit are refused in words: %#', async (response, refused) => {
  expect(await refusalOf(submit(sql, visitor, surveyId, response))).toBe(refused);
});

test('A response that is sent twice is stored once, as it was first', async () => {
  const id = crypto.randomUUID();
  await submit(sql, visitor, surveyId, answered({ recommend: 3 }), { id });
  await submit(sql, visitor, surveyId, answered({ recommend: 10 }), { id });
  const rows = await sql`select recommend from public.survey_responses where id = ${id}`;
  expect(rows).toEqual([{ recommend: 3 }]);
});

test('What was left out stays out: it is null and never a zero', async () => {
  const given = answered({ agreement: [5, ...Array.from({ length: 9 }, () => null)] });
  const { id } = await submit(sql, owner, surveyId, given);
  const [row] = await sql`
    select to_jsonb(r) as response from public.survey_responses r where id = ${id}`;
  expect(row?.response).toMatchObject({
    agreement: given.agreement,
    recommend: null,
    comments: [null, null],
  });
});

test('An anonymous response has nothing that leads to a person', async () => {
  const invitation = await invite(sql, admin, ids.alderEngagement);
  const { id } = await submit(sql, owner, surveyId, undefined, { invitation });
  const [row] = await sql`
    select to_jsonb(r) as response from public.survey_responses r where id = ${id}`;
  const today = new Date().toISOString().slice(0, 10);
  expect(row?.response).toEqual({
    id,
    survey_id: surveyId,
    privacy: 'anonymous',
    invited: true,
    responded_on: today,
    engagement_id: null,
    agreement: fours,
    recommend: null,
    comments: [null, null],
  });
  expect(
    await refusalOf(sql`
      insert into public.survey_responses (
        id, survey_id, privacy, invited, engagement_id, agreement, comments
      ) values (
        gen_random_uuid(), ${surveyId}, 'anonymous', true, ${ids.alderEngagement}, ${fours},
        array[null, null]::text[]
      )`),
  ).toMatch(/^23514 /);
});

test('The transaction that PostgreSQL keeps of each row leads to no one: it is one for all who answered', async () => {
  await sql`
    update public.engagements set state = 'assigned', coach_id = ${coach.userId}
    where id = ${ids.birchEngagement}`;
  const invitation = await invite(sql, admin, ids.birchEngagement);
  await submit(sql, visitor, surveyId, undefined, { invitation });
  const [row] = await sql`
    select count(*)::int as answered, count(distinct xmin::text)::int as transactions
    from public.survey_invitations where survey_id = ${surveyId} and answered`;
  expect(row).toEqual({ answered: 2, transactions: 1 });
});

test('A confidential one is stored with its engagement', async () => {
  await sql`update public.surveys set state = 'closed', closed_at = now()`;
  const [survey] = await sql`
    insert into public.surveys (id, title, privacy, statements, recommend, comments, public_link)
    select gen_random_uuid(), title, 'confidential', statements, recommend, comments, true
    from public.surveys limit 1 returning id`;
  const invitation = await invite(sql, admin, ids.alderEngagement);
  const { id } = await submit(sql, visitor, survey?.id, undefined, { invitation });
  const { id: stranger } = await submit(sql, visitor, survey?.id);
  const rows = await sql`
    select id, engagement_id from public.survey_responses where id in ${sql([id, stranger])}`;
  expect(new Map(rows.map((row) => [row.id, row.engagement_id]))).toEqual(
    new Map([
      [id, ids.alderEngagement],
      [stranger, null],
    ]),
  );
});

test('One address sends twenty an hour by the public link, and others are not held up by it', async () => {
  const { id = '' } = (await openSurvey(sql, visitor)) ?? {};
  const sendFrom = (address: string) =>
    asPerson(sql, visitor, async (tx) => {
      await tx`select set_config('request.headers', ${JSON.stringify({ 'x-forwarded-for': address })}, true)`;
      await tx`
        select submit_survey_response(
          gen_random_uuid(), ${id}, ${answered({ recommend: 7 }) as never}
        )`;
    });
  for (let count = 0; count < 20; count += 1) await sendFrom('192.0.2.1');
  expect(await refusalOf(sendFrom('192.0.2.1'))).toBe(
    'PT429 That’s too many at once. Try again in an hour.',
  );
  await sendFrom('192.0.2.2');
});

test('By the public link no more come in than people would send', async () => {
  const survey = await openSurvey(sql, visitor);
  await sql`
    insert into public.rate_limits (key, hits, expires_at)
    values ('survey', 1000, now() + interval '1 hour')
    on conflict (key) do update set hits = 1000, expires_at = excluded.expires_at`;
  expect(await refusalOf(submit(sql, visitor, survey?.id ?? ''))).toBe(
    'PT429 That’s too many at once. Try again in an hour.',
  );
});
