import { newClaim, storeClaim } from '#data/quiz.ts';
import { hrefFor } from '#lib/routes.ts';
import type { Db } from '#lib/supabase.ts';
import { readVisitorAnswers } from '#lib/visitor-answers.ts';

/**
 * Where a new account goes once its address is confirmed. Answers from this browser are stored under
 * a random claim first, so that they follow the person to the device on which they open the mail.
 * Storing them is a courtesy: where it fails they still wait in this browser.
 */
export async function landingWithAnswers(db: Db, next: string | null): Promise<string> {
  const answers = readVisitorAnswers();
  if (!answers) return next ?? hrefFor('/dashboard');
  const quiz = hrefFor('/dashboard/skills/quiz');
  try {
    const claim = newClaim();
    await storeClaim(db, claim, answers);
    return `${quiz}?claim=${claim}`;
  } catch {
    return quiz;
  }
}
