/**
 * What a visitor answered before having an account: kept in this browser, and nowhere else, until
 * they register or clear it. Reading and writing may also be called on the server, which keeps nothing.
 */
import * as v from 'valibot';
import { type Answer, type Confidence, QUIZ_KINDS, type QuizKind } from '#domain/attempt.ts';
import { onStored, readStored, writeStored } from './stored.ts';

const wholeBetween = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
const moment = v.pipe(
  v.string(),
  v.check((text) => !Number.isNaN(Date.parse(text))),
);

/** One answer: `value` is 0 to 4, or null exactly when `applies` is false. */
export const answer = v.pipe(
  v.object({
    question_key: v.string(),
    value: v.nullable(wholeBetween(0, 4)),
    applies: v.boolean(),
    /** ISO 8601, UTC; the newer of two answers to one question stands. */
    answered_at: moment,
  }),
  v.check(({ applies, value }) => applies === (value !== null)),
) satisfies v.GenericSchema<unknown, Answer>;

/** How sure the owner is about one area: `rating` is 1 (a guess) to 5 (could prove it). */
export const confidence = v.object({
  area_key: v.string(),
  rating: wholeBetween(1, 5),
}) satisfies v.GenericSchema<unknown, Confidence>;

/** What is kept; parts that do not fit are left out. */
const stored = v.object({
  version_id: v.string(),
  kind: v.picklist(QUIZ_KINDS),
  answers: v.fallback(v.array(v.unknown()), []),
  confidences: v.fallback(v.array(v.unknown()), []),
  updated_at: v.fallback(v.string(), new Date(0).toISOString()),
});

export type VisitorAnswers = {
  version_id: string;
  kind: QuizKind;
  answers: Answer[];
  confidences: Confidence[];
  updated_at: string;
};

const STORAGE_KEY = 'trellis-visitor-answers';

/** The answers of a visitor in this browser, or null when there are none that can be read. */
export function readVisitorAnswers(): VisitorAnswers | null {
  const read = readStored(STORAGE_KEY, stored);
  if (read === null) return null;
  const answers = read.answers.filter((each) => v.is(answer, each));
  const confidences = read.confidences.filter((each) => v.is(confidence, each));
  if (answers.length === 0 && confidences.length === 0) return null;
  return { ...read, answers, confidences };
}

/** Forgets them: after they became someone's attempt, or when that person refused them. */
export const clearVisitorAnswers = (): boolean => writeStored(STORAGE_KEY, null);

/**
 * Adds to what is kept. Another tab may have answered meanwhile, so each question keeps its newer
 * answer; answers to another version are replaced, because one record belongs to one version.
 * A first look that is continued as the full quiz becomes `full` and never goes back.
 * @returns whether the browser kept it (storage may be full or denied)
 */
export function keepVisitorAnswers(change: Omit<VisitorAnswers, 'updated_at'>): boolean {
  const before = readVisitorAnswers();
  const base = before?.version_id === change.version_id ? before : null;
  return writeStored(STORAGE_KEY, {
    version_id: change.version_id,
    kind: base?.kind === 'full' ? 'full' : change.kind,
    answers: newerAnswers(base?.answers ?? [], change.answers),
    confidences: laterByArea(base?.confidences ?? [], change.confidences),
    updated_at: new Date().toISOString(),
  } satisfies VisitorAnswers);
}

/** Calls back when another tab of this browser changed the answers. Gives the cleanup. */
export const onVisitorAnswers = (changed: () => void): (() => void) =>
  onStored(() => STORAGE_KEY, changed);

/** Merges both lists; where both answer a question, the newer answer counts. */
export function newerAnswers(earlier: Answer[], later: Answer[]): Answer[] {
  const byQuestion = new Map<string, Answer>();
  for (const answer of [...earlier, ...later]) {
    const known = byQuestion.get(answer.question_key);
    if (!known || Date.parse(answer.answered_at) >= Date.parse(known.answered_at)) {
      byQuestion.set(answer.question_key, answer);
    }
  }
  return [...byQuestion.values()];
}

function laterByArea(earlier: Confidence[], later: Confidence[]): Confidence[] {
  return [...new Map([...earlier, ...later].map((each) => [each.area_key, each])).values()];
}
