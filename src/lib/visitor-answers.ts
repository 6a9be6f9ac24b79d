/**
 * What a visitor answered before having an account: kept in this browser, and nowhere else, until
 * they register or clear it. Every function may be called on the server, where it finds nothing.
 */

import type { Answer, Confidence, QuizKind } from '#domain/attempt.ts';

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
  try {
    const text = browserStorage()?.getItem(STORAGE_KEY);
    return text ? parse(JSON.parse(text)) : null;
  } catch {
    return null;
  }
}

/** Forgets them: after they became someone's attempt, or when that person refused them. */
export function clearVisitorAnswers(): void {
  try {
    browserStorage()?.removeItem(STORAGE_KEY);
  } catch {
    // A browser that refuses storage has nothing to forget.
  }
}

/**
 * Adds to what is kept. Another tab may have answered meanwhile, so each question keeps its newer
 * answer; answers to another version are replaced, because one record belongs to one version.
 * A first look that goes on to the full quiz becomes `full` and never goes back.
 * @returns whether the browser kept it (storage may be full or denied)
 */
export function keepVisitorAnswers(change: {
  version_id: string;
  kind: QuizKind;
  answers: Answer[];
  confidences: Confidence[];
}): boolean {
  const before = readVisitorAnswers();
  const base = before?.version_id === change.version_id ? before : null;
  const next: VisitorAnswers = {
    version_id: change.version_id,
    kind: base?.kind === 'full' ? 'full' : change.kind,
    answers: newerAnswers(base?.answers ?? [], change.answers),
    confidences: laterByArea(base?.confidences ?? [], change.confidences),
    updated_at: new Date().toISOString(),
  };
  try {
    const storage = browserStorage();
    if (!storage) return false;
    storage.setItem(STORAGE_KEY, JSON.stringify(next));
    return true;
  } catch {
    return false;
  }
}

/**
 * Calls back when another tab of this browser changed the answers.
 * @returns how to stop listening
 */
export function onVisitorAnswers(changed: () => void): () => void {
  if (typeof window === 'undefined') return () => {};
  const listener = (event: StorageEvent) => {
    if (event.key === STORAGE_KEY || event.key === null) changed();
  };
  window.addEventListener('storage', listener);
  return () => window.removeEventListener('storage', listener);
}

/** Both lists as one; where both answer a question, the newer answer stands. */
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

function browserStorage(): Storage | undefined {
  return typeof window === 'undefined' ? undefined : window.localStorage;
}

/** Storage can hold anything: what does not fit is left out, and an empty record is none. */
function parse(value: unknown): VisitorAnswers | null {
  if (!isRecord(value)) return null;
  const { version_id, kind, updated_at } = value;
  if (typeof version_id !== 'string' || (kind !== 'full' && kind !== 'first_look')) return null;
  const answers = list(value.answers).filter(isAnswer);
  const confidences = list(value.confidences).filter(isConfidence);
  if (answers.length === 0 && confidences.length === 0) return null;
  return {
    version_id,
    kind,
    answers,
    confidences,
    updated_at: typeof updated_at === 'string' ? updated_at : new Date(0).toISOString(),
  };
}

function isAnswer(value: unknown): value is Answer {
  if (!isRecord(value)) return false;
  const { question_key, value: chosen, applies, answered_at } = value;
  if (typeof question_key !== 'string' || typeof answered_at !== 'string') return false;
  if (Number.isNaN(Date.parse(answered_at))) return false;
  return applies === true ? isWholeBetween(chosen, 0, 4) : applies === false && chosen === null;
}

function isConfidence(value: unknown): value is Confidence {
  return (
    isRecord(value) && typeof value.area_key === 'string' && isWholeBetween(value.rating, 1, 5)
  );
}

function isWholeBetween(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
