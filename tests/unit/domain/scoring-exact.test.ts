/**
 * The scores of both published versions of the quiz against exact fractions: what the browser
 * previews and what the database stores, from the same random answers.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerAttempt, createPerson } from '#backend/local/demo/builders.ts';
import type { AttemptView } from '#data/attempts.ts';
import type { QuizVersion } from '#data/quiz.ts';
import type { QuizKind } from '#domain/attempt.ts';
import type { Level } from '#domain/level.ts';
import { type Scored, scoreAttempt } from '#domain/scoring.ts';
import { createTestDatabase, type TestDatabase, within } from '../../fixtures/database.ts';

/** A fraction; `over` is positive. */
interface Fraction {
  top: bigint;
  over: bigint;
}

const whole = (value: number): Fraction => ({ top: BigInt(value), over: 1n });
/** A decimal number, as it's written: 1.5 is 15/10. */
function exactly(value: number): Fraction {
  const [, before = '', after = ''] = /^(\d+)(?:\.(\d+))?$/.exec(String(value)) ?? [];
  return { top: BigInt(before + after), over: 10n ** BigInt(after.length) };
}
const plus = (a: Fraction, b: Fraction) => ({
  top: a.top * b.over + b.top * a.over,
  over: a.over * b.over,
});
const times = (a: Fraction, b: Fraction) => ({ top: a.top * b.top, over: a.over * b.over });
/** `b` is positive. */
const by = (a: Fraction, b: Fraction) => ({ top: a.top * b.over, over: a.over * b.top });
const minus = (a: Fraction, b: Fraction) => plus(a, { top: -b.top, over: b.over });
const compare = (a: Fraction, b: Fraction) => {
  const gap = a.top * b.over - b.top * a.over;
  return gap < 0n ? -1 : gap > 0n ? 1 : 0;
};
const sumOf = (list: Fraction[]) => list.reduce(plus, whole(0));
/** Twelve decimals of a fraction as a number. */
const numberOf = ({ top, over }: Fraction) => Number((top * 10n ** 12n) / over) / 1e12;

const HUNDRED = whole(100);

function levelOf(score: Fraction): Level {
  if (compare(score, whole(25)) < 0) return 'starting';
  if (compare(score, whole(50)) < 0) return 'developing';
  return compare(score, whole(75)) < 0 ? 'established' : 'strong';
}

function noteOf(score: Fraction, rating: number | null) {
  if (rating === null) return null;
  const gap = minus(whole(25 * (rating - 1)), score);
  if (compare(gap, whole(25)) >= 0) return 'check-the-evidence';
  return compare(gap, whole(-25)) <= 0 ? 'hidden-strength' : null;
}

/** By question key: 0 to 4, 'no' (doesn't apply), or null (blank). */
type Answers = Map<string, number | 'no' | null>;
type Ratings = Map<string, number | null>;

/** The rules of the quiz, written again with fractions. */
function exactScores(version: QuizVersion, kind: QuizKind, answers: Answers, ratings: Ratings) {
  const areas = version.areas.map((area) => {
    const asked = version.questions.filter(
      (question) => question.area_key === area.key && (kind === 'full' || question.first_look),
    );
    const applicable = asked.filter(({ key }) => answers.get(key) !== 'no');
    const answered = applicable.flatMap((question) => {
      const value = answers.get(question.key);
      return typeof value === 'number' ? [{ ...question, value }] : [];
    });
    const isEnough =
      applicable.length >= (kind === 'full' ? 2 : 1) &&
      4 * answered.length >= 3 * applicable.length;
    const weighed = (value: (each: { value: number }) => number) =>
      sumOf(answered.map((each) => times(exactly(each.weight), whole(value(each)))));
    const score = isEnough
      ? by(
          times(
            HUNDRED,
            weighed(({ value }) => value),
          ),
          weighed(() => 4),
        )
      : null;
    const note = score && noteOf(score, ratings.get(area.key) ?? null);
    const factor = note === 'check-the-evidence' ? exactly(1.25) : whole(1);
    const priority = score && times(times(minus(HUNDRED, score), whole(area.importance)), factor);
    return { area, asked, applicable, answered, score, note, priority };
  });
  const scores = areas.flatMap(({ score }) => (score ? [score] : []));
  return {
    areas,
    overall: scores.length >= 6 ? by(sumOf(scores), whole(scores.length)) : null,
    recommended: areas
      .flatMap(({ area, priority }) => (priority ? [{ area, priority }] : []))
      .toSorted((a, b) => compare(b.priority, a.priority) || a.area.position - b.area.position)
      .slice(0, 3)
      .map(({ area }) => area.key),
  };
}

let database: TestDatabase;
let person: { id: string };
const versions = new Map<number, QuizVersion>();
beforeAll(async () => {
  database = await createTestDatabase();
  person = await createPerson(database.db, { email: 'owner@example.test', fullName: 'Olive' });
  for (const number of [1, 2]) {
    const [row] = await database.sql<{ quiz: QuizVersion }[]>`
      select private.quiz_version_json(id) as quiz from public.quiz_versions where number = ${number}`;
    if (!row) throw new Error(`Version ${number} is missing.`);
    versions.set(number, row.quiz);
  }
});
afterAll(() => database.drop());

const versionOf = (number: number): QuizVersion => {
  const version = versions.get(number);
  if (!version) throw new Error(`Version ${number} is missing.`);
  return version;
};

const value = fc.oneof(
  { weight: 10, arbitrary: fc.integer({ min: 0, max: 4 }) },
  { weight: 1, arbitrary: fc.constant('no' as const) },
  { weight: 1, arbitrary: fc.constant(null) },
);
/** Four answers and a confidence for each of eight areas, some of which are skipped. */
const given = fc.array(
  fc.record({
    isSkipped: fc.oneof(
      { weight: 9, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    values: fc.array(value, { minLength: 4, maxLength: 4 }),
    rating: fc.option(fc.integer({ min: 1, max: 5 })),
  }),
  { minLength: 8, maxLength: 8 },
);
const kinds = fc.constantFrom<QuizKind>('full', 'first_look');
type Given = typeof given extends fc.Arbitrary<infer Value> ? Value : never;

/** The answers to the questions that are asked; blanks are left out when they are given. */
function answersOf(version: QuizVersion, kind: QuizKind, areas: Given) {
  const answers: Answers = new Map();
  const ratings: Ratings = new Map();
  for (const [place, { key }] of version.areas.entries()) {
    const own = areas[place];
    ratings.set(key, own?.rating ?? null);
    const questions = version.questions.filter(({ area_key }) => area_key === key);
    for (const [index, question] of questions.entries()) {
      if (kind === 'first_look' && !question.first_look) continue;
      answers.set(question.key, own?.isSkipped ? 'no' : (own?.values[index] ?? null));
    }
  }
  return { answers, ratings };
}

const toSend = (answers: Answers) =>
  [...answers].flatMap(([question_key, value]) =>
    value === null
      ? []
      : [{ question_key, value: value === 'no' ? null : value, applies: value !== 'no' }],
  );
const toRate = (ratings: Ratings) =>
  [...ratings].flatMap(([area_key, rating]) => (rating === null ? [] : [{ area_key, rating }]));

/** What the browser shows. */
const previewOf = (version: QuizVersion, kind: QuizKind, answers: Answers, ratings: Ratings) =>
  scoreAttempt(
    version,
    kind,
    toSend(answers).map((each) => ({ ...each, answered_at: '2026-11-25T10:00:00Z' })),
    toRate(ratings),
  );

class Undo extends Error {}

/** What the database stores, for a version that's published and for one that's retired. */
async function storedFor(
  version: QuizVersion,
  kind: QuizKind,
  answers: Answers,
  ratings: Ratings,
): Promise<Scored> {
  const id = crypto.randomUUID();
  let scored: Scored | undefined;
  await database.sql
    .begin(async (sql) => {
      await sql`
        insert into public.attempts (id, user_id, version_id, kind)
        values (${id}, ${person.id}, ${version.id}, ${kind})`;
      const attempt = { id, versionId: version.id };
      await answerAttempt(within(sql), attempt, toSend(answers), toRate(ratings));
      await sql`select private.submit_attempt(${id})`;
      const claims = JSON.stringify({ sub: person.id, role: 'authenticated', aal: 'aal1' });
      await sql`select set_config('request.jwt.claims', ${claims}, true)`;
      const [row] = await sql<{ view: AttemptView }[]>`select public.get_attempt(${id}) as view`;
      if (row) scored = { ...row.view, overall_score: row.view.attempt.overall_score };
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  if (!scored) throw new Error('The attempt is not there.');
  return scored;
}

/** Expects a result to be the exact one, to nine decimals, and its words and order to be exactly it. */
function expectExact(scored: Scored, exact: ReturnType<typeof exactScores>) {
  const near = (found: number | null, wanted: Fraction | null) =>
    wanted === null ? expect(found).toBeNull() : expect(found).toBeCloseTo(numberOf(wanted), 9);
  near(scored.overall_score, exact.overall);
  for (const area of exact.areas) {
    const found = scored.scores.find(({ area_key }) => area_key === area.area.key);
    near(found?.score ?? null, area.score);
    expect(found).toMatchObject({
      level: area.score && levelOf(area.score),
      confidence_note: area.note,
      asked: area.asked.length,
      applicable: area.applicable.length,
      answered: area.answered.length,
    });
  }
  expect(scored.recommendations.map(({ area_key }) => area_key)).toEqual(exact.recommended);
}

describe.each([1, 2])('Version %i of the quiz', (number) => {
  test('A preview in the browser is the exact score', () => {
    const version = versionOf(number);
    fc.assert(
      fc.property(given, kinds, (areas, kind) => {
        const { answers, ratings } = answersOf(version, kind, areas);
        expectExact(
          previewOf(version, kind, answers, ratings),
          exactScores(version, kind, answers, ratings),
        );
      }),
      { numRuns: 500 },
    );
  });

  test('What the database stores is the exact score', async () => {
    const version = versionOf(number);
    await fc.assert(
      fc.asyncProperty(given, kinds, async (areas, kind) => {
        const { answers, ratings } = answersOf(version, kind, areas);
        expectExact(
          await storedFor(version, kind, answers, ratings),
          exactScores(version, kind, answers, ratings),
        );
      }),
      { numRuns: 80 },
    );
  });

  test('A skipped area has no score, and leaves the others’ scores and order as they are', () => {
    const version = versionOf(number);
    const place = fc.nat({ max: 7 });
    fc.assert(
      fc.property(given, place, (areas, skipped) => {
        const skipping = areas.map((area, at) => ({
          ...area,
          isSkipped: area.isSkipped || at === skipped,
        }));
        const blank = areas.map((area, at) =>
          at === skipped ? { ...area, isSkipped: false, values: [null, null, null, null] } : area,
        );
        const [one, other] = [skipping, blank].map((each) => {
          const { answers, ratings } = answersOf(version, 'full', each);
          return previewOf(version, 'full', answers, ratings);
        });
        expect(one?.scores[skipped]).toMatchObject({ score: null, level: null, applicable: 0 });
        const rest = (scored?: Scored) => scored?.scores.filter((_, at) => at !== skipped);
        expect(rest(one)).toEqual(rest(other));
        expect(one?.recommendations).toEqual(other?.recommendations);
        expect(one?.overall_score).toEqual(other?.overall_score);
      }),
    );
  });
});
