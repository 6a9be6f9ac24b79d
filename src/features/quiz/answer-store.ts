/** Where the answers go: this browser for a visitor, the attempt for somebody who is signed in. */
import type { ReadableAtom } from 'nanostores';
import type { Answer, Confidence } from '#domain/attempt.ts';
import type { Scored } from '#domain/scoring.ts';
import type { SaveStatus } from '#lib/save-status.ts';

export type Outcome =
  /** A visitor's: computed here, stored nowhere. */
  | { name: 'preview'; scored: Scored }
  /** The database has computed the result. */
  | { name: 'submitted' }
  /** Some answers were not accepted; their statuses say why. */
  | { name: 'refused' };

export interface AnswerStore {
  /** Whether finishing closes the answers. A visitor's result is a preview, and they can go on changing it. */
  isFinal: boolean;
  $answers: ReadableAtom<ReadonlyMap<string, Answer>>;
  $ratings: ReadableAtom<ReadonlyMap<string, number>>;
  /** How safe what is not saved yet is, by the id of the step (`steps.ts`). */
  $unsaved: ReadableAtom<ReadonlyMap<string, SaveStatus>>;
  /** Whether the attempt ended somewhere else: on another device, or by its age. */
  $ended: ReadableAtom<boolean>;
  /** Reads what the browser holds and follows it; called once, in a browser. Gives the end of it. */
  open(): () => void;
  answer(answer: Answer): void;
  rate(confidence: Confidence): void;
  /** How far finishing is; null where nobody asked for it. */
  $finishing: ReadableAtom<SaveStatus | null>;
  /**
   * Waits until everything is sent, then ends the quiz; goes on by itself after a lost connection or
   * a reload. Throws an AppError when the quiz cannot be finished as it is.
   */
  finish(signal: AbortSignal): Promise<Outcome>;
  /** Cancels finishing the quiz, unless it's finished already. */
  cancelFinish(): void;
}
