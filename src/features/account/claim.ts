import { newClaim, storeClaim } from '#data/quiz.ts';
import { hrefFor } from '#lib/routes.ts';
import type { Db } from '#lib/supabase.ts';
import { readVisitorAnswers } from '#lib/visitor-answers.ts';

interface Landing {
  next: string;
  /** The key of the claim in `next`: the registration names it, so that the claim works for no one else. */
  quizClaim?: string;
}

/**
 * Where a new account goes once its address is confirmed. Answers from this browser are stored under
 * a random claim first, so that they follow the person to the device on which they open the mail; the
 * dashboard asks whether to use them and opens the quiz. Storing them is a courtesy: where it fails
 * they still wait in this browser.
 */
export async function landingWithAnswers(db: Db, next: string | null): Promise<Landing> {
  const answers = readVisitorAnswers();
  const home = hrefFor('/dashboard');
  if (!answers) return { next: next ?? home };
  try {
    const claim = newClaim();
    const quizClaim = await storeClaim(db, claim, answers);
    return { next: `${home}?claim=${claim}`, quizClaim };
  } catch {
    return { next: home };
  }
}
