/**
 * Answers from before somebody had an account: in this browser, or under a claim in the link that
 * confirmed their address. Asked for once, after the first sign-in.
 */

import { atom } from 'nanostores';
import { type Adopted, adoptAnswers, takeClaim } from '#data/quiz.ts';
import type { AppError } from '#lib/errors.ts';
import { failureOf } from '#lib/failure-of.ts';
import { newId } from '#lib/new-id.ts';
import type { Db } from '#lib/supabase.ts';
import {
  clearVisitorAnswers,
  readVisitorAnswers,
  type VisitorAnswers,
} from '#lib/visitor-answers.ts';

export type AnswersState =
  | { state: 'none' }
  | { state: 'asking'; answers: VisitorAnswers; failure: AppError | null }
  | { state: 'taking' };

interface AnswersDoors {
  db: () => Promise<Db>;
  businessId: () => string | null;
  /** Opens the page of an attempt: its questions, or its results. */
  open: (attemptId: string) => void;
}

/** Makes the store of one page. `newId` gives the id under which the attempt is made. */
export function createAnswersStore(doors: AnswersDoors, makeId: () => string = newId) {
  const $answers = atom<AnswersState>({ state: 'none' });
  // One id for all tries: the second time finds what the first one made.
  const id = makeId();

  function look(): void {
    const answers = readVisitorAnswers();
    $answers.set(
      answers && answers.answers.length > 0
        ? { state: 'asking', answers, failure: null }
        : { state: 'none' },
    );
  }

  function arrived(adopted: Adopted): void {
    clearVisitorAnswers();
    // A first look is shown as the result that was promised; the full quiz goes on from there.
    doors.open(adopted.first_look_id ?? adopted.attempt_id);
  }

  return {
    $answers,
    look,

    /** Makes the browser's answers the person's own. */
    async use(): Promise<void> {
      const now = $answers.get();
      if (now.state !== 'asking') return;
      $answers.set({ state: 'taking' });
      try {
        arrived(await adoptAnswers(await doors.db(), id, now.answers, doors.businessId()));
      } catch (thrown) {
        $answers.set({ ...now, failure: failureOf(thrown) });
      }
    },

    /** They are not theirs: a shared computer. */
    refuse(): void {
      clearVisitorAnswers();
      $answers.set({ state: 'none' });
    },

    /** Not now: asked again on the next page. */
    later(): void {
      $answers.set({ state: 'none' });
    },

    /** Takes what a link brought along; where it holds nothing, this browser is asked. */
    async take(claim: string): Promise<void> {
      $answers.set({ state: 'taking' });
      try {
        const adopted = await takeClaim(await doors.db(), claim, id, doors.businessId());
        if (adopted) return arrived(adopted);
      } catch {
        // The same answers may still wait in this browser.
      }
      look();
    },
  };
}
