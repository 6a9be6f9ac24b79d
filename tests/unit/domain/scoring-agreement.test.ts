import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actAs, answerAttempt, createPerson } from '#backend/local/demo/builders.ts';
import type { AttemptView } from '#data/attempts.ts';
import type { QuizVersion } from '#data/quiz.ts';
import { scoreAttempt } from '#domain/scoring.ts';
import { createTestDatabase, type TestDatabase, within } from '../../fixtures/database.ts';

let database: TestDatabase;
let person: { id: string; email: string };
beforeAll(async () => {
  database = await createTestDatabase();
  person = await createPerson(database.db, { email: 'owner@example.test', fullName: 'Olive' });
});
afterAll(() => database.drop());

const areaKeys = [
  'web-design',
  'custom-research',
  'growth-strategy',
  'sales-marketing',
  'business-planning',
  'people-management',
  'financial-projection',
  'operations-workflows',
];

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
}

const answer = fc.oneof(
  { weight: 1, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 4 }) },
);
const areaOf = (weights: number[]): fc.Arbitrary<Area> =>
  fc.record({
    importance: fc.integer({ min: 1, max: 3 }),
    rating: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    questions: fc
      .array(fc.record({ weight: fc.constantFrom(...weights), answer }), {
        minLength: 2,
        maxLength: 5,
      })
      .chain((questions) =>
        fc
          .nat({ max: questions.length - 1 })
          .map((chosen) =>
            questions.map((question, index) => ({ ...question, firstLook: index === chosen })),
          ),
      ),
  });
const caseOf = (weights: number[]): fc.Arbitrary<Case> =>
  fc
    .record({
      kind: fc.constantFrom('full' as const, 'first_look' as const),
      areas: fc.array(areaOf(weights), { minLength: areaKeys.length, maxLength: areaKeys.length }),
    })
    .filter(({ kind, areas }) =>
      areas.some(({ questions }) =>
        questions.some((each) => each.answer !== undefined && (kind === 'full' || each.firstLook)),
      ),
    );

const keyOf = (areaIndex: number, index: number) => `${areaKeys[areaIndex]}.q${index}`;

class Undo extends Error {}

/** What the database makes of a case, by the procedures that people use; nothing of it stays. */
async function byTheDatabase(given: Case): Promise<AttemptView> {
  let view: AttemptView | undefined;
  await database.sql
    .begin(async (sql) => {
      const version = crypto.randomUUID();
      await sql`insert into public.quiz_versions (id, number, title) values (${version}, 2, 'Case')`;
      await sql`
        insert into public.quiz_version_areas (version_id, area_key, importance)
        select ${version}, a.key, a.importance
        from jsonb_to_recordset(${sql.json(
          given.areas.map(({ importance }, index) => ({ key: areaKeys[index] ?? '', importance })),
        )}) as a (key text, importance int)`;
      const questions = given.areas.flatMap((each, areaIndex) =>
        each.questions.map(({ weight, firstLook }, index) => ({
          key: keyOf(areaIndex, index),
          area_key: areaKeys[areaIndex] ?? '',
          weight,
          first_look: firstLook,
        })),
      );
      await sql`
        insert into public.quiz_questions (
          version_id, key, area_key, practice, position, text, anchors, weight, action, first_look
        )
        select ${version}, q.key, q.area_key, '', row_number() over (), '', '{0,1,2,3,4}', q.weight,
          '', q.first_look
        from jsonb_to_recordset(${sql.json(questions)})
          as q (key text, area_key text, weight numeric, first_look boolean)`;
      await sql`update public.quiz_versions set state = 'published' where id = ${version}`;

      const answers = given.areas.flatMap((each, areaIndex) =>
        each.questions.flatMap(({ answer: value, firstLook }, index) =>
          value === undefined || (given.kind === 'first_look' && !firstLook)
            ? []
            : [{ question_key: keyOf(areaIndex, index), value, applies: value !== null }],
        ),
      );
      const confidences = given.areas.flatMap(({ rating }, index) =>
        rating === undefined ? [] : [{ area_key: areaKeys[index] ?? '', rating }],
      );
      const id = crypto.randomUUID();
      await actAs(within(sql), person, async () => {
        if (given.kind === 'full') {
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

/** A number as a fraction of whole numbers, so that nothing is ever rounded. */
type Fraction = { over: bigint; under: bigint };
const compare = (a: Fraction, b: Fraction) => {
  const difference = a.over * b.under - b.over * a.under;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};
const whole = (value: number): Fraction => ({ over: BigInt(value), under: 1n });
const toNumber = ({ over, under }: Fraction) => Number((over * 10n ** 15n) / under) / 10 ** 15;

/** The same rules once more, in exact fractions: what the product says, read sentence by sentence. */
function byHand({ kind, areas }: Case) {
  const scores = areas.map((each, areaIndex) => {
    const asked = each.questions
      .map((question, index) => ({ ...question, key: keyOf(areaIndex, index) }))
      .filter(({ firstLook }) => kind === 'full' || firstLook);
    const applicable = asked.filter((question) => question.answer !== null);
    const answered = applicable.filter((question) => question.answer !== undefined);
    let over = 0n;
    let under = 0n;
    for (const { weight, answer: value } of answered) {
      const tenths = BigInt(Math.round(weight * 10));
      over += 100n * tenths * BigInt(value ?? 0);
      under += 4n * tenths;
    }
    const enough =
      answered.length > 0 &&
      (kind === 'first_look' || applicable.length >= 2) &&
      answered.length * 100 >= applicable.length * 75;
    const score = enough ? { over, under } : null;

    let note: string | null = null;
    if (score && each.rating !== undefined) {
      const felt = 25 * (each.rating - 1);
      if (compare(score, whole(felt - 25)) <= 0) note = 'check-the-evidence';
      if (compare(score, whole(felt + 25)) >= 0) note = 'hidden-strength';
    }
    let weakest: (typeof answered)[number] | undefined;
    for (const question of answered) {
      const lower = !weakest || (question.answer ?? 0) < (weakest.answer ?? 0);
      const heavier =
        weakest && question.answer === weakest.answer && question.weight > weakest.weight;
      if (lower || heavier) weakest = question;
    }
    const level =
      score &&
      ['starting', 'developing', 'established', 'strong'].find(
        (_, step) => step === 3 || compare(score, whole(25 * (step + 1))) < 0,
      );
    return {
      area_key: areaKeys[areaIndex] ?? '',
      score,
      level: level ?? null,
      asked: asked.length,
      applicable: applicable.length,
      answered: answered.length,
      confidence_note: note,
      weakest_question_key: weakest?.key ?? null,
      importance: each.importance,
    };
  });

  const scored = scores.flatMap(({ score, ...rest }) => (score ? [{ ...rest, score }] : []));
  const total = scored.reduce(
    (sum, { score }) => ({
      over: sum.over * score.under + score.over * sum.under,
      under: sum.under * score.under,
    }),
    whole(0),
  );
  const overall =
    scored.length >= 6
      ? toNumber({ over: total.over, under: total.under * BigInt(scored.length) })
      : null;
  const ranked = scored.map(({ score, ...each }) => ({
    area_key: each.area_key,
    reason_question_key: each.weakest_question_key,
    priority: {
      over:
        (100n * score.under - score.over) *
        BigInt(each.importance) *
        (each.confidence_note === 'check-the-evidence' ? 5n : 4n),
      under: score.under * 4n,
    },
  }));
  // Sorting keeps the order of the areas among equals.
  ranked.sort((a, b) => compare(b.priority, a.priority));
  return {
    overall_score: overall,
    scores: scores.map(({ importance: _, score, ...each }) => ({
      ...each,
      score: score && toNumber(score),
    })),
    recommendations: ranked.slice(0, 3).map(({ priority, ...each }, index) => ({
      ...each,
      position: index + 1,
      priority: toNumber(priority),
    })),
  };
}

/** Nine decimals: what three ways of computing may differ in is far behind them. */
function rounded<Value>(value: Value): Value {
  return JSON.parse(
    JSON.stringify(value, (_, each) =>
      typeof each === 'number' ? Math.round(each * 1e9) / 1e9 : each,
    ),
  );
}

describe('What answers are worth', () => {
  test('The database and the rules worked out by hand in exact fractions agree', async () => {
    await fc.assert(
      fc.asyncProperty(caseOf([0.5, 1, 1.1, 1.5, 2, 3]), async (given) => {
        const view = await byTheDatabase(given);
        expect(
          rounded({
            overall_score: view.attempt.overall_score,
            scores: view.scores,
            recommendations: view.recommendations.map(
              ({ toolbox_item: _, chosen_by: __, ...each }) => each,
            ),
          }),
        ).toEqual(rounded(byHand(given)));
      }),
      { numRuns: 120 },
    );
  });

  test('The preview in the browser agrees with what the database stores', async () => {
    await fc.assert(
      // Halves and wholes, as the quiz has them: a tenth has no exact place in the browser's numbers.
      fc.asyncProperty(caseOf([0.5, 1, 1.5, 2, 3]), async (given) => {
        const view = await byTheDatabase(given);
        const preview = scoreAttempt(
          view.version as QuizVersion,
          given.kind,
          view.answers,
          view.confidences,
        );
        expect(rounded({ ...preview })).toEqual(
          rounded({
            overall_score: view.attempt.overall_score,
            scores: view.scores,
            recommendations: view.recommendations.map(
              ({ toolbox_item: _, chosen_by: __, ...each }) => each,
            ),
          }),
        );
      }),
      { numRuns: 120 },
    );
  });

  test.each([
    [24.9999, 'starting'],
    [25, 'developing'],
    [49.9999, 'developing'],
    [50, 'established'],
    [74.9999, 'established'],
    [75, 'strong'],
    [null, null],
  ])('A score of %s is %s', async (score, level) => {
    const [row] = await database.sql`select private.level_of(${score}) as level`;
    expect(row?.level).toBe(level);
  });
});
