/**
 * Answers from before somebody had an account: in this browser, or left by their registration under
 * the claim in the link that confirmed their address. Nothing is used without asking.
 */

import { atom } from 'nanostores';
import { type Adopted, adoptAnswers, countClaimed, removeClaim, takeClaim } from '#data/quiz.ts';
import { classifyError } from '#lib/classify-error.ts';
import type { AppError } from '#lib/errors.ts';
import { newId } from '#lib/new-id.ts';
import { forgetClaim } from '#lib/pending-claim.ts';
import type { Db } from '#lib/supabase.ts';
import { clearVisitorAnswers, readVisitorAnswers } from '#lib/visitor-answers.ts';

export type AnswersState =
  | { state: 'none' }
  /** Asks the backend what the registration left. */
  | { state: 'looking' }
  | {
      state: 'asking';
      /** Where the answers are: in this browser, or with the registration in another one. */
      from: 'browser' | 'registration';
      /** How many questions were answered. */
      count: number;
      failure: AppError | null;
    }
  | { state: 'taking' };

interface AnswersDeps {
  db: () => Promise<Db>;
  businessId: () => string | null;
  /** Opens the page of an attempt: its questions, or its results. */
  open: (attemptId: string) => void;
}

/** Makes the store of one page. `newId` gives the id under which the attempt is made. */
export function createAnswersStore(deps: AnswersDeps, makeId: () => string = newId) {
  const $answers = atom<AnswersState>({ state: 'none' });
  // One id for all tries: the second time finds what the first one made.
  const id = makeId();
  let claim: string | null = null;

  function ask(from: 'browser' | 'registration', count: number): void {
    $answers.set(count > 0 ? { state: 'asking', from, count, failure: null } : { state: 'none' });
  }

  async function askForClaimed(): Promise<void> {
    if (claim === null) return $answers.set({ state: 'none' });
    $answers.set({ state: 'looking' });
    try {
      const count = await countClaimed(await deps.db(), claim);
      if (count === 0) forgetClaim();
      ask('registration', count);
    } catch {
      // The claim waits in this tab: the next page asks again.
      $answers.set({ state: 'none' });
    }
  }

  async function adopt(from: 'browser' | 'registration'): Promise<Adopted | null> {
    const db = await deps.db();
    if (from === 'registration') return takeClaim(db, claim ?? '', id, deps.businessId());
    const answers = readVisitorAnswers();
    return answers && adoptAnswers(db, id, answers, deps.businessId());
  }

  return {
    $answers,

    /**
     * Looks in this browser first, where the registration's answers usually are as well.
     * @param pending claim of a confirmation link, if one waits
     */
    async look(pending: string | null): Promise<void> {
      claim = pending;
      const count = readVisitorAnswers()?.answers.length ?? 0;
      if (count > 0) ask('browser', count);
      else await askForClaimed();
    },

    /** Makes the answers the person's own. */
    async use(): Promise<void> {
      const now = $answers.get();
      if (now.state !== 'asking') return;
      $answers.set({ state: 'taking' });
      try {
        const adopted = await adopt(now.from);
        clearVisitorAnswers();
        forgetClaim();
        // The copy that the registration left isn't needed any more; it would be gone in 30 days.
        if (claim && now.from === 'browser')
          await removeClaim(await deps.db(), claim).catch(() => {});
        // A first look is shown as the result that was promised; the full quiz goes on from there.
        if (adopted) deps.open(adopted.first_look_id ?? adopted.attempt_id);
        else $answers.set({ state: 'none' });
      } catch (thrown) {
        $answers.set({ ...now, failure: classifyError(thrown) });
      }
    },

    /** They are not theirs: a shared computer, or a registration by somebody else. */
    async refuse(): Promise<void> {
      const now = $answers.get();
      if (now.state !== 'asking') return;
      if (now.from === 'browser') {
        clearVisitorAnswers();
        return askForClaimed();
      }
      $answers.set({ state: 'none' });
      try {
        await removeClaim(await deps.db(), claim ?? '');
        forgetClaim();
      } catch {
        // Asked again on the next page.
      }
    },

    /** Not now: asked again on the next page. */
    later(): void {
      $answers.set({ state: 'none' });
    },
  };
}
