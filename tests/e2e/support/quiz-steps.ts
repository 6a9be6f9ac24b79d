import type { Page } from '@playwright/test';
import { LETTERS } from '#features/quiz/use-quiz-keys.ts';
import { asPerson } from '../../fixtures/database.ts';
import { register } from './account-steps.ts';
import { expect, type Site } from './harness.ts';

/** The URL of an attempt's page. */
export const ATTEMPT = /\/dashboard\/skills\/quiz\/[0-9a-f-]{36}$/;

/** The link of the intro, which visitors read before their first answer. */
export const startLink = (page: Page) => page.getByRole('link', { name: 'Start', exact: true });

/** Waits until the quiz is hydrated, and leaves its intro. */
export async function quizIsLive(page: Page): Promise<void> {
  await page.locator('#quiz[data-live]').waitFor();
  if (await startLink(page).isVisible()) {
    await startLink(page).click();
    await expect(heading(page)).toBeFocused();
  }
}

/** Finishes the quiz at its review, and opens the results from the bloom. */
export async function finishQuiz(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Finish and see your results' }).click();
  await expect(heading(page)).toHaveText('Your skills in bloom');
  await expect(heading(page)).toBeFocused();
  await page.getByRole('button', { name: 'See your results', exact: true }).click();
}

/** Creates an account with an attempt and opens the attempt; returns the email address. */
export async function startQuiz(page: Page, site: Site, name: string): Promise<string> {
  const email = await register(page, site, name);
  const id = crypto.randomUUID();
  const [person] = await site.sql`select id from auth.users where email = ${email}`;
  await asPerson(
    site.sql,
    { userId: person?.id, email },
    (tx) => tx`select start_attempt(${id}, (get_quiz() ->> 'id')::uuid, null)`,
  );
  await page.goto(`/dashboard/skills/quiz/${id}`);
  await quizIsLive(page);
  return email;
}

/** The current step's heading: a question, a confidence rating or the review. */
export const heading = (page: Page) => page.getByRole('heading', { level: 1 });

/** The key that chooses an answer of 0 to 4; the others have the same name. */
const letter = (answer: string): string => LETTERS[Number(answer)]?.toLowerCase() ?? answer;

/**
 * Answers the current step with a key, or passes it over if that's no answer to it, and waits for
 * the next step.
 * @param answer 0 to 4, or x; a confidence step is rated with the same number
 */
export async function pressAndGoOn(page: Page, answer: string): Promise<void> {
  const before = (await heading(page).textContent()) ?? '';
  const asked = await page.evaluate(() =>
    document.querySelector('#quiz input')?.getAttribute('name'),
  );
  if (asked === 'answer') await page.keyboard.press(letter(answer));
  else if (asked === 'confidence' && /^[1-5]$/.test(answer)) await page.keyboard.press(answer);
  else
    await page
      .locator('#quiz')
      .getByRole('button', { name: /^(Next|Continue)$/ })
      .click();
  await expect(heading(page)).not.toHaveText(before);
}

/** Answers all remaining steps with the keyboard, up to the review. */
export async function answerTheRest(page: Page, value: string): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    const title = (await heading(page).textContent()) ?? '';
    if (/answered$/.test(title)) return;
    await pressAndGoOn(page, value);
  }
  throw new Error('The quiz does not come to an end.');
}
