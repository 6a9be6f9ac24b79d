import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectCallers, openWorld } from '../../fixtures/personas.ts';
import {
  openNewSurvey,
  readResults,
  responseOf,
  type StoredResponse,
  storeResponses,
} from '../../fixtures/survey-results.ts';

const world = await openWorld();
const { sql, people, ids, refusal, ask } = world;
const { admin, coach, owner, visitor } = people;
const onlyAdmins = '42501 Only an admin can do this.';

test('Only an admin reads results, and opens and closes surveys', async () => {
  await expectCallers(world, "admin_survey_results('{}')", onlyAdmins, { admin: 1 });
  const opening = `open_survey('${crypto.randomUUID()}', 'anonymous', true, null, 'a test')`;
  await expectCallers(world, opening, onlyAdmins, { admin: 1 });
  const [open] = await sql`select id from public.surveys where state = 'open'`;
  for (const who of [visitor, owner, coach]) {
    expect(await refusal(who, "close_survey($1, 'a test')", [open?.id])).toMatch(/^42501 /);
  }
});

test.each(['survey_batches', 'survey_batch_answers'])(
  'Nobody changes %s, not even past the policies',
  async (table) => {
    const surveyId = await openNewSurvey(sql, admin);
    await storeResponses(
      sql,
      surveyId,
      Array.from({ length: 5 }, () => responseOf()),
    );
    await readResults(sql, admin, { survey: surveyId });
    for (const work of [
      sql`delete from private.${sql(table)}`,
      sql`update private.${sql(table)} set question = question`,
      sql`truncate private.${sql(table)} cascade`,
    ]) {
      await expect(work).rejects.toMatchObject({ code: '55000' });
    }
  },
);

test('A survey is opened and closed with a reason, and only a confidential one is grouped', async () => {
  const opening = 'open_survey($1, $2, true, $3, $4)';
  const id = crypto.randomUUID();
  for (const [privacy, groupedBy, reason, refused] of [
    ['anonymous', null, ' ', '22023 Give a reason of 3 to 2,000 characters.'],
    ['secret', null, 'a test', '22023 Say who reads the answers and who can give them.'],
    ['anonymous', 'coach', 'a test', /^22023 Only confidential answers can be grouped/],
    ['confidential', 'age', 'a test', /^22023 Only confidential answers can be grouped/],
  ] as const) {
    expect(await refusal(admin, opening, [id, privacy, groupedBy, reason])).toMatch(refused);
  }
  const [before] = await sql`select * from public.surveys where state = 'open'`;
  await ask(admin, opening, [id, 'confidential', 'coach', 'a new year']);
  // Sent twice, it's opened once.
  await ask(admin, opening, [id, 'confidential', 'coach', 'a new year']);
  const [closed] = await sql`select state from public.surveys where id = ${before?.id}`;
  expect(closed?.state).toBe('closed');
  const [opened] = await sql`select * from public.surveys where state = 'open'`;
  expect(opened).toMatchObject({
    id,
    privacy: 'confidential',
    grouped_by: 'coach',
    statements: before?.statements,
    comments: before?.comments,
  });
  expect(await refusal(admin, "close_survey($1, 'x')", [id])).toMatch(/^22023 Give a reason/);
  await ask(admin, "close_survey($1, 'enough')", [id]);
  expect(await refusal(admin, "close_survey($1, 'enough')", [id])).toBe(
    '55000 This survey is already closed.',
  );
  expect(await refusal(admin, "close_survey($1, 'enough')", [crypto.randomUUID()])).toBe(
    'P0002 We can’t find this survey.',
  );
  const rows = await sql`
    select action, reason from public.audit_log where entity_id = ${id} order by id`;
  expect(rows).toEqual([
    { action: 'survey.open', reason: 'a new year' },
    { action: 'survey.close', reason: 'enough' },
  ]);
});

test('Four responses show nothing, and five show themselves', async () => {
  const survey = await openNewSurvey(sql, admin);
  const told = () =>
    sql`select user_id from public.notifications where key = ${`survey-results:${survey}`}`;
  const four = Array.from({ length: 4 }, () =>
    responseOf({ recommend: 9, comments: ['Warm', null] }),
  );
  await storeResponses(sql, survey, four);
  const none = { responses: null, index: null, favorable: null, score: null };
  expect((await readResults(sql, admin, { survey })).figures).toEqual({
    ...none,
    statements: Array.from({ length: 10 }, () => null),
    recommend: null,
    comments: [null, null],
  });
  expect(await told()).toHaveLength(0);

  await storeResponses(sql, survey, [responseOf({ agreement: [5, ...Array(9).fill(null)] })]);
  const { figures, quarters, links } = await readResults(sql, admin, { survey });
  // Only four answered the other statements, would recommend us or wrote a comment.
  expect(figures).toEqual({
    ...{ responses: 5, index: null, favorable: 100, score: null },
    statements: [
      { answers: 5, favorable: 100, mean: 4.2, counts: [0, 0, 0, 4, 1] },
      ...Array.from({ length: 9 }, () => null),
    ],
    recommend: null,
    comments: [null, null],
  });
  expect(quarters).toHaveLength(1);
  expect(links).toMatchObject([{ value: 'public', responses: 5 }]);
  expect(await told()).toHaveLength(1);
  await sql`delete from public.notifications where kind = 'survey'`;
  await storeResponses(
    sql,
    survey,
    Array.from({ length: 5 }, () => responseOf()),
  );
  await sql`select private.batch_surveys()`;
  expect(await told()).toHaveLength(0);
});

test('Neither an id nor a date of a response is in what an admin reads', async () => {
  const survey = await openNewSurvey(sql, admin);
  const respondedOn = '2026-05-17';
  const responses = Array.from({ length: 7 }, () => responseOf({ respondedOn }));
  await storeResponses(sql, survey, responses);
  const read = JSON.stringify(await readResults(sql, admin, { survey }));
  expect(read).toContain('2026-04-01');
  expect(read).not.toContain(respondedOn);
  for (const { id } of responses) expect(read).not.toContain(id);
});

test('A confidential survey is read by the group it was opened with, whatever changes later', async () => {
  const survey = await openNewSurvey(sql, admin, { privacy: 'confidential', groupedBy: 'coach' });
  const { alderEngagement: engagementId } = ids;
  const of = (given: Partial<StoredResponse>) => responseOf({ invited: true, ...given });
  await storeResponses(sql, survey, [
    ...Array.from({ length: 5 }, () => of({ engagementId })),
    of({ engagementId: ids.birchEngagement }),
  ]);
  expect((await readResults(sql, admin, { survey })).groups).toMatchObject([
    { value: coach.userId, label: 'Carla Coach', responses: 5 },
  ]);
  await sql`
    update public.engagements set coach_id = ${people.otherCoach.userId} where id = ${engagementId}`;
  expect((await readResults(sql, admin, { survey })).groups).toMatchObject([
    { label: 'Carla Coach', responses: 5 },
  ]);
  // What has no company in its quarter is never read alone, not even once the survey is closed.
  await ask(admin, "close_survey($1, 'enough')", [survey]);
  expect((await readResults(sql, admin, { survey })).figures.responses).toBe(5);
});

test('A sponsor’s summary is of whole batches, of confidential responses alone', async () => {
  const summary = async (...engagements: string[]) => {
    const [row] = await sql`select private.survey_summary(${engagements}::uuid[]) as summary`;
    return row?.summary;
  };
  const { birchEngagement, cedarEngagement } = ids;
  const survey = await openNewSurvey(sql, admin, { privacy: 'confidential' });
  const of = (engagementId: string) => responseOf({ invited: true, recommend: 9, engagementId });
  expect(await summary(birchEngagement)).toBeNull();
  await storeResponses(
    sql,
    survey,
    Array.from({ length: 4 }, () => of(birchEngagement)),
  );
  await storeResponses(sql, survey, [of(cedarEngagement)]);
  await sql`select private.batch_surveys()`;
  expect(await summary(birchEngagement)).toBeNull();
  expect(await summary(birchEngagement, cedarEngagement)).toEqual({
    ...{ responses: 5, index: null, favorable: 100, score: 100 },
  });
});

// The same figures, worked out here ---------------------------------------------------------------

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;
const known = (values: readonly (number | null | undefined)[]) =>
  values.filter((value) => value != null);
const shareOf = (values: readonly number[], isIn: (value: number) => boolean) =>
  (100 * values.filter(isIn).length) / values.length;

function figuresOf(responses: readonly StoredResponse[]) {
  const answersTo = (place: number) => known(responses.map(({ agreement }) => agreement[place]));
  const recommends = known(responses.map(({ recommend }) => recommend));
  const decisive = [0, 2, 8, 9].map(answersTo);
  const all = responses.flatMap(({ agreement }) => known(agreement));
  return {
    index: responses.length >= 30 ? mean(decisive.flat().map((answer) => 25 * (answer - 1))) : null,
    favorable: shareOf(all, (answer) => answer >= 4),
    score: shareOf(recommends, (n) => n >= 9) - shareOf(recommends, (n) => n <= 6),
    statements: Array.from({ length: 10 }, (_, place) => {
      const answers = answersTo(place);
      return {
        answers: answers.length,
        favorable: shareOf(answers, (answer) => answer >= 4),
        mean: mean(answers),
        counts: [1, 2, 3, 4, 5].map((step) => answers.filter((answer) => answer === step).length),
      };
    }),
  };
}

const close = (value: number | null) => (value === null ? null : expect.closeTo(value, 8));

test('Index, favorable share, score and mean agree with another computation', async () => {
  const response = fc.record({
    // Seven in eight answer; with so many responses, at least five answer everything.
    agreement: fc.array(fc.option(fc.integer({ min: 1, max: 5 }), { freq: 7 }), {
      minLength: 10,
      maxLength: 10,
    }),
    recommend: fc.option(fc.integer({ min: 0, max: 10 }), { freq: 7 }),
  });
  const given = fc.array(response, { minLength: 22, maxLength: 45 });
  await fc.assert(
    fc.asyncProperty(given, async (answers) => {
      const columns = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => answers.map((a) => a.agreement[n]));
      const asked = [...columns, answers.map(({ recommend }) => recommend)];
      fc.pre(asked.every((column) => known(column).length >= 5));
      const survey = await openNewSurvey(sql, admin);
      const responses = answers.map((answer) => responseOf({ ...answer, comments: ['Hi', null] }));
      await storeResponses(sql, survey, responses);
      const { figures } = await readResults(sql, admin, { survey });
      const { index, favorable, score, statements } = figuresOf(responses);
      expect(figures).toMatchObject({
        responses: responses.length,
        index: close(index),
        favorable: close(favorable),
        score: close(score),
        statements: statements.map((each) => ({
          ...each,
          favorable: close(each.favorable),
          mean: close(each.mean),
        })),
      });
    }),
    { numRuns: 25 },
  );
});

test('Answers are compared by the program that a business has a seat in, from five on', async () => {
  const survey = await openNewSurvey(sql, admin, { privacy: 'confidential', groupedBy: 'program' });
  // Alder Bakery is in the program, Cedar Care has left what its sponsor sees, Birch Cycles never joined.
  await sql`delete from public.seats where business_id is not null`;
  const seat = (business: string, withdrawn: boolean) => sql`
    update public.seats s set state = 'activated', business_id = ${business}, activated_at = now(),
      consent_version = 1, withdrawn_at = case when ${withdrawn} then now() end
    where s.id = (
      select x.id from public.seats x
      where x.program_id = ${ids.program} and x.state = 'unassigned' order by x.number limit 1
    )`;
  await sql`alter table public.seats disable trigger user`;
  await seat(ids.alder, false);
  await seat(ids.cedar, true);
  await sql`alter table public.seats enable trigger user`;
  const answersOf = (engagementId: string, count: number) =>
    storeResponses(
      sql,
      survey,
      Array.from({ length: count }, () => responseOf({ invited: true, engagementId })),
    );
  await answersOf(ids.alderEngagement, 4);
  await answersOf(ids.cedarEngagement, 3);
  await answersOf(ids.birchEngagement, 2);
  const groups = async () =>
    (await readResults(sql, admin, { survey })).groups.map(({ value, label, responses }) => ({
      value,
      label,
      responses,
    }));
  expect(await groups()).toEqual([]);
  await answersOf(ids.alderEngagement, 1);
  expect(await groups()).toEqual([{ value: ids.program, label: 'Main Street', responses: 5 }]);
  const { figures } = await readResults(sql, admin, { survey, group: ids.program });
  expect(figures?.responses).toBe(5);
});
