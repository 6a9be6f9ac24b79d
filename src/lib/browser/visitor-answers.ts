/**
 * Quiz answers that a visitor gives before they have an account: stored only in this browser until
 * they register or clear them. Reading and writing are safe on the server, where nothing is stored.
 */
import {
  type Answer,
  type Confidence,
  isAnswer,
  isConfidence,
  QUIZ_KINDS,
  type QuizKind,
} from '#domain/attempt.ts';
import { VISITOR_ANSWERS } from './has-visitor-answers.ts';
import { onStored, readJson, writeStored } from './stored.ts';

export type VisitorAnswers = {
  version_id: string;
  kind: QuizKind;
  answers: Answer[];
  confidences: Confidence[];
  updated_at: string;
};

/**
 * The visitor's answers in this browser, or null if there are none that can be read. Anything could
 * be stored there; what isn't an answer is dropped.
 */
export function readVisitorAnswers(): VisitorAnswers | null {
  const { version_id, kind, ...read } = Object(readJson(VISITOR_ANSWERS)) as Record<
    string,
    unknown
  >;
  const knownKind = QUIZ_KINDS.find((each) => each === kind);
  if (typeof version_id !== 'string' || !knownKind) return null;
  const answers = listOf(read.answers).filter(isAnswer);
  const confidences = listOf(read.confidences).filter(isConfidence);
  if (answers.length === 0 && confidences.length === 0) return null;
  const updated_at =
    typeof read.updated_at === 'string' ? read.updated_at : new Date(0).toISOString();
  return { version_id, kind: knownKind, answers, confidences, updated_at };
}

const listOf = (given: unknown): unknown[] => (Array.isArray(given) ? given : []);

/** Deletes them, once they're part of someone's attempt or that person has refused them. */
export const clearVisitorAnswers = (): boolean => writeStored(VISITOR_ANSWERS, null);

/**
 * Merges a change into the stored answers. Another tab may have added some, so each question keeps
 * its newer answer. Answers to another version are replaced: a record belongs to one version. A
 * first look that continues as the full quiz becomes `full` and stays that way.
 * @returns whether the browser stored it (storage may be full or denied)
 */
export function keepVisitorAnswers(change: Omit<VisitorAnswers, 'updated_at'>): boolean {
  const before = readVisitorAnswers();
  const base = before?.version_id === change.version_id ? before : null;
  return writeStored(VISITOR_ANSWERS, {
    version_id: change.version_id,
    kind: base?.kind === 'full' ? 'full' : change.kind,
    answers: newerAnswers(base?.answers ?? [], change.answers),
    confidences: laterByArea(base?.confidences ?? [], change.confidences),
    updated_at: new Date().toISOString(),
  } satisfies VisitorAnswers);
}

/** Calls back when another tab changes the answers. Returns the cleanup. */
export const onVisitorAnswers = (changed: () => void): (() => void) =>
  onStored(() => VISITOR_ANSWERS, changed);

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
