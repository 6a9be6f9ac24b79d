/**
 * Looks for one person's answer in everything an admin can read of a survey: each combination of
 * filters, again and again while responses come in, and all differences between any of them.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SurveyResults } from '#data/survey-results.ts';
import { asPerson } from '../../fixtures/database.ts';
import { openWorld, refusalOf } from '../../fixtures/personas.ts';
import {
  openNewSurvey,
  responseOf,
  type StoredResponse,
  storeResponses,
} from '../../fixtures/survey-results.ts';

const world = await openWorld();
const { sql, ask, people, ids } = world;
const { admin, coach, otherCoach, owner, visitor } = people;

test.each(['surveys', 'survey_invitations', 'survey_responses'])(
  'Nobody reads %s directly, admins included',
  async (table) => {
    for (const who of [visitor, owner, coach, admin]) {
      const read = asPerson(sql, who, (tx) => tx`select * from public.${tx(table)}`);
      expect(await refusalOf(read)).toMatch(/^42501 permission denied/);
    }
  },
);

test.each(['survey_batches', 'survey_batch_answers'])('Nobody reads %s', async (table) => {
  for (const who of [visitor, owner, coach, admin]) {
    const read = asPerson(sql, who, (tx) => tx`select * from private.${tx(table)}`);
    expect(await refusalOf(read)).toMatch(/^42501 permission denied/);
  }
});

/** Engagements that are over, as if they had been through all steps: two coaches have six each. */
const engagements = Array.from({ length: 12 }, () => crypto.randomUUID());
await sql.begin(async (tx) => {
  await tx`alter table public.engagements disable trigger user`;
  for (const [place, id] of engagements.entries()) {
    const { userId } = place % 2 ? coach : otherCoach;
    await tx`
      insert into public.engagements (id, business_id, owner_id, coach_id, state, closed_at)
      values (${id}, ${ids.alder}, ${owner.userId}, ${userId}, 'completed', now())`;
  }
  await tx`alter table public.engagements enable trigger user`;
});

/** The first days of this quarter and the two before. */
const quarters = [0, 1, 2].map((ago) => {
  const now = new Date();
  const month = Math.floor(now.getUTCMonth() / 3) * 3 - 3 * ago;
  return new Date(Date.UTC(now.getUTCFullYear(), month, 1)).toISOString().slice(0, 10);
});

/** Every combination of filters. */
const filters = ['', ...quarters].flatMap((quarter) =>
  ['', 'personal', 'public'].flatMap((link) =>
    ['', coach.userId, otherCoach.userId].map((group) => ({ quarter, link, group })),
  ),
);

/** What an admin reads with each of the filters, at one time. */
async function readEverything(survey: string): Promise<SurveyResults[]> {
  const given = filters.map((filter) => ({ ...filter, survey }));
  const rows = await asPerson(
    sql,
    admin,
    (tx) => tx`
      select admin_survey_results(f.filter) -> 'survey' as survey
      from jsonb_array_elements(${given as never}) with ordinality as f (filter, place)
      order by f.place`,
  );
  return rows.map((row) => row.survey);
}

/** Which responses are behind an answer to a question with each filter, as the database has it. */
async function readMembers(survey: string): Promise<Map<string, number>[][]> {
  const rows = await sql`
    select b.question, b.quarter::text, b.invited, b.grouped, a.response_id as id,
      r.agreement, r.recommend
    from private.survey_batches b
    join private.survey_batch_answers a on a.batch_id = b.id
    join public.survey_responses r on r.id = a.response_id
    where b.survey_id = ${survey}`;
  return filters.map(({ quarter, link, group }) =>
    Array.from({ length: 14 }, (_, question) => {
      const matching = rows.filter(
        (row) =>
          row.question === question &&
          (!quarter || row.quarter === quarter) &&
          (!link || row.invited === (link === 'personal')) &&
          (!group || row.grouped === group),
      );
      const answerOf = (row: (typeof rows)[number]) =>
        question === 11 ? row.recommend : (row.agreement[question - 1] ?? 0);
      return new Map(matching.map((row) => [String(row.id), Number(answerOf(row))]));
    }),
  );
}

/** What's said about a question: how many answered and, for scales, how many chose each step. */
function saidAbout({ figures }: SurveyResults, question: number) {
  if (question === 0) return { answers: figures.responses ?? 0, counts: null };
  if (question > 11) {
    return { answers: figures.comments[question - 12]?.length ?? 0, counts: null };
  }
  const scale = question === 11 ? figures.recommend : figures.statements[question - 1];
  return { answers: scale?.answers ?? 0, counts: scale?.counts ?? null };
}

/** Groups answers by all the results that they're part of, and returns the size of each group. */
function sizesOf(results: readonly Iterable<string>[]): number[] {
  const places = new Map<string, string>();
  results.forEach((members, place) => {
    for (const id of members) places.set(id, `${places.get(id) ?? ''},${place}`);
  });
  const sizes = new Map<string, number>();
  for (const signature of places.values()) sizes.set(signature, (sizes.get(signature) ?? 0) + 1);
  return [...sizes.values()];
}

const someAnswer = fc.record({
  agreement: fc.array(fc.option(fc.integer({ min: 1, max: 5 })), { minLength: 10, maxLength: 10 }),
  recommend: fc.option(fc.integer({ min: 0, max: 10 })),
  hasComment: fc.boolean(),
  quarter: fc.constantFrom(...quarters),
  /** By the public link without one. */
  engagementId: fc.option(fc.constantFrom(...engagements)),
});
type SomeAnswer = typeof someAnswer extends fc.Arbitrary<infer Value> ? Value : never;
/** Responses that come in between two readings. */
const arrivals = fc.array(fc.array(someAnswer, { minLength: 1, maxLength: 4 }), {
  minLength: 8,
  maxLength: 12,
});
const setting = fc.constantFrom(
  { privacy: 'confidential', groupedBy: 'coach' },
  { privacy: 'confidential', groupedBy: null },
  { privacy: 'anonymous', groupedBy: null },
);

/** Stores responses, each with comments that nobody else writes. */
async function respond(
  survey: string,
  privacy: string,
  answers: readonly SomeAnswer[],
): Promise<void> {
  const responses: StoredResponse[] = answers.map((answer) => {
    const id = crypto.randomUUID();
    return responseOf({
      id,
      agreement: answer.agreement,
      recommend: answer.recommend,
      comments: answer.hasComment ? [id, `more by ${id}`] : [null, null],
      respondedOn: answer.quarter,
      invited: answer.engagementId !== null,
      engagementId: privacy === 'confidential' ? answer.engagementId : null,
    });
  });
  await storeResponses(sql, survey, responses);
}

test('No filter, no comparison of filters and no difference over time is about fewer than five answers', async () => {
  let shown = 0;
  await fc.assert(
    fc.asyncProperty(setting, arrivals, async ({ privacy, groupedBy }, batches) => {
      const survey = await openNewSurvey(sql, admin, { privacy, groupedBy });
      const comments: string[][] = [];
      const members: Set<string>[][] = Array.from({ length: 14 }, () => []);
      for (const [step, batch] of batches.entries()) {
        await respond(survey, privacy, batch);
        if (step === batches.length - 1) await ask(admin, "close_survey($1, 'over')", [survey]);
        const everything = await readEverything(survey);
        const behind = await readMembers(survey);
        everything.forEach((result, place) => {
          for (const answers of result.figures.comments) comments.push(answers ?? []);
          for (let question = 0; question < 14; question += 1) {
            const values = behind[place]?.[question] ?? new Map<string, number>();
            const said = saidAbout(result, question);
            // What the database says is behind a result is what the result says.
            expect(said.answers).toBe(values.size);
            const least = question === 11 ? 0 : 1;
            said.counts?.forEach((count, index) => {
              expect(count).toBe([...values.values()].filter((v) => v === index + least).length);
            });
            members[question]?.push(new Set(values.keys()));
            shown = Math.max(shown, values.size);
          }
        });
      }
      // Adding, subtracting and intersecting results never gets below one of these groups.
      for (const results of [...members, comments]) {
        for (const size of sizesOf(results)) expect(size).toBeGreaterThanOrEqual(5);
      }
    }),
    { numRuns: 4 },
  );
  // The results weren't empty all along.
  expect(shown).toBeGreaterThan(10);
});

test('The order of comments says nothing about who came when', async () => {
  const survey = await openNewSurvey(sql, admin);
  const written = Array.from({ length: 12 }, (_, place) => `Comment ${place}`);
  await storeResponses(
    sql,
    survey,
    written.map((text) => responseOf({ comments: [text, null] })),
  );
  const read = async () => (await readEverything(survey))[0]?.figures.comments[0];
  const first = await read();
  expect(first?.toSorted()).toEqual(written.toSorted());
  // One in 12! orders is the one they came in.
  expect(first).not.toEqual(written);
  expect(await read()).toEqual(first);
});
