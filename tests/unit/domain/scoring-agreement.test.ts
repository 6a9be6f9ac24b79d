import * as fc from 'fast-check';
import type { TransactionSql } from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actAs, answerAttempt, createPerson } from '#backend/local/demo/builders.ts';
import { areaKeys } from '#collections/vocabulary.ts';
import type { AttemptView } from '#data/attempts.ts';
import type { QuizVersion } from '#data/quiz.ts';
import { LEVELS, levelOf } from '#domain/level.ts';
import { scoreAttempt } from '#domain/scoring.ts';
import { type RecommendableTool, toolFor } from '#domain/tool.ts';
import { createTestDatabase, type TestDatabase, within } from '../../fixtures/database.ts';

let database: TestDatabase;
let person: { id: string; email: string };
beforeAll(async () => {
  database = await createTestDatabase();
  person = await createPerson(database.db, { email: 'owner@example.test', fullName: 'Olive' });
});
afterAll(() => database.drop());

interface Question {
  weight: number;
  firstLook: boolean;
  /** Undefined for a blank, null for "doesn't apply to us". */
  answer: number | null | undefined;
}
interface Area {
  importance: number;
  rating: number | undefined;
  questions: Question[];
}
interface Case {
  kind: 'full' | 'first_look';
  areas: Area[];
  /** The published tools; some practices have several and some have none. */
  tools: RecommendableTool[];
}

const answer = fc.oneof(
  { weight: 1, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 4 }) },
);
// Multiples of one half, as in the quiz: unlike tenths, they're exact in JavaScript numbers.
const question = fc.record({ weight: fc.constantFrom(0.5, 1, 1.5, 2, 3), answer });
const area: fc.Arbitrary<Area> = fc.record({
  importance: fc.integer({ min: 1, max: 3 }),
  rating: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  questions: fc
    .tuple(fc.array(question, { minLength: 2, maxLength: 5 }), fc.nat())
    .map(([questions, at]) =>
      questions.map((each, index) => ({ ...each, firstLook: index === at % questions.length })),
    ),
});
const tool: fc.Arbitrary<RecommendableTool> = fc
  .record({
    area_key: fc.constantFrom(...areaKeys),
    question: fc.option(fc.nat({ max: 4 })),
    levels: fc.subarray([...LEVELS], { minLength: 1 }),
    minutes: fc.integer({ min: 5, max: 7 }),
    // Hyphens come before letters in some collations and after them in others.
    slug: fc.stringMatching(/^[a-c]{1,3}(-[a-c]{1,2})?$/),
  })
  .map(({ question, ...each }) => ({
    ...each,
    practice: question === null ? null : `${each.area_key}.${'abcde'.charAt(question)}`,
  }));
const anyCase: fc.Arbitrary<Case> = fc
  .record({
    kind: fc.constantFrom('full', 'first_look'),
    areas: fc.array(area, { minLength: areaKeys.length, maxLength: areaKeys.length }),
    tools: fc.uniqueArray(tool, { minLength: 0, maxLength: 60, selector: ({ slug }) => slug }),
  })
  .filter(({ kind, areas }) =>
    areas
      .flatMap(({ questions }) => questions)
      .some((each) => each.answer !== undefined && (kind === 'full' || each.firstLook)),
  );

const questionsOf = ({ areas }: Case) =>
  areas.flatMap(({ questions }, areaIndex) =>
    questions.map((question, index) => ({
      ...question,
      key: `${areaKeys[areaIndex]}.${'abcde'.charAt(index)}`,
      area_key: areaKeys[areaIndex] ?? '',
    })),
  );

/** Puts a case's tools in the place of all others. */
async function putTools(sql: TransactionSql, tools: RecommendableTool[]): Promise<void> {
  await sql`delete from public.toolbox_items`;
  await sql`
    insert into public.toolbox_items (
      id, slug, title, summary, type, area_key, practice, levels, minutes, format, reviewed_on, state
    )
    select gen_random_uuid(), t.slug, t.slug, '', 'guide', t.area_key, t.practice, t.levels,
      t.minutes, '', current_date, 'published'
    from jsonb_to_recordset(${sql.json(tools.map((each) => ({ ...each })))})
      as t (slug text, area_key text, practice text, levels text[], minutes int)`;
}

/** Publishes a case's questions as a quiz version and returns its id. */
async function publish(sql: TransactionSql, given: Case): Promise<string> {
  const version = crypto.randomUUID();
  const areas = given.areas.map(({ importance }, index) => ({
    key: areaKeys[index] ?? '',
    importance,
  }));
  const questions = questionsOf(given).map(({ key, area_key, weight, firstLook }) => {
    return { key, area_key, weight, first_look: firstLook };
  });
  await sql`insert into public.quiz_versions (id, number, title) values (${version}, 99, 'Case')`;
  await sql`
    insert into public.quiz_version_areas (version_id, area_key, importance)
    select ${version}, a.key, a.importance
    from jsonb_to_recordset(${sql.json(areas)}) as a (key text, importance int)`;
  await sql`
    insert into public.quiz_questions (
      version_id, key, area_key, practice, position, text, anchors, weight, action, first_look
    )
    select ${version}, q.key, q.area_key, '', row_number() over (), '', '{0,1,2,3,4}', q.weight,
      '', q.first_look
    from jsonb_to_recordset(${sql.json(questions)})
      as q (key text, area_key text, weight numeric, first_look boolean)`;
  await sql`update public.quiz_versions set state = 'published' where id = ${version}`;
  return version;
}

class Undo extends Error {}

/** Scores a case with the database procedures that people use, then rolls everything back. */
async function byTheDatabase(given: Case): Promise<AttemptView> {
  const { kind, areas } = given;
  const answers = questionsOf(given).flatMap(({ key, answer: value, firstLook }) =>
    value === undefined || (kind === 'first_look' && !firstLook)
      ? []
      : [{ question_key: key, value, applies: value !== null }],
  );
  const confidences = areas.flatMap(({ rating }, index) =>
    rating === undefined ? [] : [{ area_key: areaKeys[index] ?? '', rating }],
  );
  const id = crypto.randomUUID();
  let view: AttemptView | undefined;
  await database.sql
    .begin(async (sql) => {
      await putTools(sql, given.tools);
      const version = await publish(sql, given);
      await actAs(within(sql), person, async () => {
        if (kind === 'full') {
          await sql`select public.start_attempt(${id}, ${version}, null)`;
          await answerAttempt(within(sql), { id, versionId: version }, answers, confidences);
          await sql`select public.finish_attempt(${id})`;
        } else {
          await sql`
            select public.adopt_answers(${id}, ${version}, 'first_look', null,
              ${sql.json(answers)}, ${sql.json(confidences)})`;
        }
        const [row] = await sql<{ view: AttemptView }[]>`select public.get_attempt(${id}) as view`;
        view = row?.view;
      });
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  if (!view) throw new Error('The attempt is not there.');
  return view;
}

/** Rounds to nine decimals, because the two computations may differ in later ones. */
function rounded<Value>(value: Value): Value {
  return JSON.parse(
    JSON.stringify(value, (_, each) =>
      typeof each === 'number' ? Math.round(each * 1e9) / 1e9 : each,
    ),
  );
}

describe('What answers are worth', () => {
  test('The preview in the browser agrees with what the database stores', async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, async (given) => {
        const { version, answers, confidences, attempt, scores, recommendations } =
          await byTheDatabase(given);
        const preview = scoreAttempt(version as QuizVersion, given.kind, answers, confidences);
        expect(rounded({ ...preview })).toEqual(
          rounded({
            overall_score: attempt.overall_score,
            scores,
            recommendations: recommendations.map(
              ({ toolbox_item: _, chosen_by: __, ...each }) => each,
            ),
          }),
        );
        const slugs = preview.recommendations.map(({ area_key, reason_question_key: practice }) => {
          const level = preview.scores.find((each) => each.area_key === area_key)?.level ?? null;
          return toolFor(given.tools, { area_key, practice, level })?.slug ?? null;
        });
        expect(slugs).toEqual(
          recommendations.map(({ toolbox_item }) => toolbox_item?.slug ?? null),
        );
      }),
      { numRuns: 160 },
    );
  });

  test.each([
    [0, 'starting'],
    [24.9999, 'starting'],
    [25, 'developing'],
    [49.9999, 'developing'],
    [50, 'established'],
    [74.9999, 'established'],
    [75, 'strong'],
    [100, 'strong'],
  ])('A score of %s is %s in both, before any rounding', async (score, level) => {
    const [row] = await database.sql`select private.level_of(${score}) as level`;
    expect([row?.level, levelOf(score)]).toEqual([level, level]);
  });
});
