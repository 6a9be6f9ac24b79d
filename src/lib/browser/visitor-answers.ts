/**
 * Quiz answers that a visitor gives before they have an account: stored only in this browser until
 * they register or clear them. Reading and writing are safe on the server, where nothing is stored.
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
    /** ISO 8601, UTC. Of two answers to one question, the newer one counts. */
    answered_at: moment,
  }),
  v.check(({ applies, value }) => applies === (value !== null)),
) satisfies v.GenericSchema<unknown, Answer>;

/** How sure the owner is about one area: `rating` is 1 (a guess) to 5 (could prove it). */
export const confidence = v.object({
  area_key: v.string(),
  rating: wholeBetween(1, 5),
}) satisfies v.GenericSchema<unknown, Confidence>;

/** The stored record. Invalid answers and confidences in it are dropped on reading. */
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

/** The visitor's answers in this browser, or null if there are none that can be read. */
export function readVisitorAnswers(): VisitorAnswers | null {
  const read = readStored(STORAGE_KEY, stored);
  if (read === null) return null;
  const answers = read.answers.filter((each) => v.is(answer, each));
  const confidences = read.confidences.filter((each) => v.is(confidence, each));
  if (answers.length === 0 && confidences.length === 0) return null;
  return { ...read, answers, confidences };
}

/** Deletes them, once they're part of someone's attempt or that person has refused them. */
export const clearVisitorAnswers = (): boolean => writeStored(STORAGE_KEY, null);

/**
 * Merges a change into the stored answers. Another tab may have added some, so each question keeps
 * its newer answer. Answers to another version are replaced: a record belongs to one version. A
 * first look that continues as the full quiz becomes `full` and stays that way.
 * @returns whether the browser stored it (storage may be full or denied)
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

/** Calls back when another tab changes the answers. Returns the cleanup. */
export const onVisitorAnswers = (changed: () => void): (() => void) =>
  onStored(() => STORAGE_KEY, changed);

/** Merges two lists; the newer answer to a question wins. */
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
