/**
 * Quiz answers from before a person had an account: in this browser, or saved during registration
 * under the claim in the confirmation link. We always ask before using them.
 */
import { atom } from 'nanostores';
import { type Adopted, adoptAnswers, countClaimed, removeClaim, takeClaim } from '#data/quiz.ts';
import { forgetClaim } from '#lib/browser/pending-claim.ts';
import { clearVisitorAnswers, readVisitorAnswers } from '#lib/browser/visitor-answers.ts';
import { classifyError } from '#lib/classify-error.ts';
import type { AppError } from '#lib/errors.ts';
import { newId } from '#lib/new-id.ts';
import type { Db } from '#lib/supabase.ts';

/** Where the answers are: in this browser, or saved by a registration, maybe in another browser. */
type Source = 'browser' | 'registration';

export type AnswersState =
  | { state: 'none' }
  /** Asking the backend how many answers the registration saved. */
  | { state: 'looking' }
  /** `from` is where the answers are, `count` how many questions were answered. */
  | { state: 'asking'; from: Source; count: number; failure: AppError | null }
  | { state: 'taking' };

interface AnswersDeps {
  db: () => Promise<Db>;
  businessId: () => string | null;
  /** Opens an attempt: its questions, or its results. */
  open: (attemptId: string) => void;
}

interface Adoption {
  id: string;
  claim: string | null;
  businessId: string | null;
}

async function adopt(db: Db, from: Source, to: Adoption): Promise<Adopted | null> {
  if (from === 'registration') return takeClaim(db, to.claim ?? '', to.id, to.businessId);
  const answers = readVisitorAnswers();
  return answers && adoptAnswers(db, to.id, answers, to.businessId);
}

/** How many answers a registration saved; 0 if the request fails, and the next page asks again. */
async function countWaiting({ db }: AnswersDeps, claim: string): Promise<number> {
  try {
    const count = await countClaimed(await db(), claim);
    if (count === 0) forgetClaim();
    return count;
  } catch {
    return 0;
  }
}

async function deleteClaim({ db }: AnswersDeps, claim: string): Promise<void> {
  try {
    await removeClaim(await db(), claim);
    forgetClaim();
  } catch {
    // The next page asks again, so the answers aren't lost.
  }
}

/** Creates a page's store. `makeId` generates the new attempt's id. */
export function createAnswersStore(deps: AnswersDeps, makeId: () => string = newId) {
  const $answers = atom<AnswersState>({ state: 'none' });
  // All retries share one id, so a second attempt finds what the first one created.
  const id = makeId();
  let claim: string | null = null;

  const ask = (from: Source, count: number) =>
    $answers.set(count > 0 ? { state: 'asking', from, count, failure: null } : { state: 'none' });

  /** Looks in this browser first, since it usually has the registration's answers too. */
  async function look(pendingClaim: string | null): Promise<void> {
    claim = pendingClaim;
    const count = readVisitorAnswers()?.answers.length ?? 0;
    if (count > 0) ask('browser', count);
    else await lookForClaimed();
  }

  async function lookForClaimed(): Promise<void> {
    if (claim !== null) $answers.set({ state: 'looking' });
    ask('registration', claim === null ? 0 : await countWaiting(deps, claim));
  }

  /** Saves the answers to the person's account. */
  async function use(): Promise<void> {
    const now = $answers.get();
    if (now.state !== 'asking') return;
    $answers.set({ state: 'taking' });
    try {
      const db = await deps.db();
      const adopted = await adopt(db, now.from, { id, claim, businessId: deps.businessId() });
      clearVisitorAnswers();
      forgetClaim();
      // We don't need the registration's copy anymore, and it expires in 30 days anyway.
      if (claim && now.from === 'browser') await removeClaim(db, claim).catch(() => {});
      // A first look opens as the promised result; the full quiz continues from there.
      if (adopted) deps.open(adopted.first_look_id ?? adopted.attempt_id);
      else $answers.set({ state: 'none' });
    } catch (thrown) {
      $answers.set({ ...now, failure: classifyError(thrown) });
    }
  }

  /** Deletes answers that aren't theirs, from a shared computer or someone else's registration. */
  async function refuse(): Promise<void> {
    const now = $answers.get();
    if (now.state !== 'asking') return;
    if (now.from === 'browser') {
      clearVisitorAnswers();
      return lookForClaimed();
    }
    $answers.set({ state: 'none' });
    if (claim) await deleteClaim(deps, claim);
  }

  /** Not now: the next page asks again. */
  const later = (): void => $answers.set({ state: 'none' });

  return { $answers, look, use, refuse, later };
}
