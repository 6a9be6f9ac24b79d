/** Who keeps the answers: the browser of a visitor, or the attempt of somebody who is signed in. */

import type { ReadableAtom } from 'nanostores';
import type { Answer, Confidence } from '#domain/attempt.ts';
import type { Scored } from '#domain/scoring.ts';

/** How safe one answer is. An answer without a mark is saved. */
export type Mark =
  | { name: 'saving' }
  /** Kept in this browser and sent by itself when the connection is back. */
  | { name: 'not-sent' }
  /** The browser keeps nothing: it lives as long as this tab. */
  | { name: 'this-tab' }
  /** Kept in this browser until the person signs in again. */
  | { name: 'signed-out' }
  | { name: 'refused'; sentence: string };

export type Outcome =
  /** A visitor's: computed here, stored nowhere. */
  | { name: 'preview'; scored: Scored }
  /** The database has computed the result. */
  | { name: 'submitted' }
  /** Some answers were not accepted; their marks say why. */
  | { name: 'refused' };

export type Keeper = {
  /** Whether finishing closes the answers. A visitor's result is a preview, and they can go on changing it. */
  isFinal: boolean;
  $answers: ReadableAtom<ReadonlyMap<string, Answer>>;
  $ratings: ReadableAtom<ReadonlyMap<string, number>>;
  /** By the id of the step (`steps.ts`). */
  $marks: ReadableAtom<ReadonlyMap<string, Mark>>;
  /** Whether the attempt ended somewhere else: on another device, or by its age. */
  $ended: ReadableAtom<boolean>;
  /** Reads what the browser holds and follows it; called once, in a browser. Gives the end of it. */
  open(): () => void;
  answer(answer: Answer): void;
  rate(confidence: Confidence): void;
  /** How far finishing is; null where nobody asked for it. */
  $finishing: ReadableAtom<Mark | null>;
  /**
   * Waits until everything is sent, then ends the quiz; goes on by itself after a lost connection or
   * a reload. Throws an AppError when the quiz cannot be finished as it is.
   */
  finish(signal: AbortSignal): Promise<Outcome>;
  /** Cancels finishing the quiz, unless it's finished already. */
  cancelFinish(): void;
};
