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

/** In the page: the current step's heading, and the name of its fields if it's answered with keys. */
const currentStep = (page: Page) =>
  page.evaluate(() => ({
    title: document.querySelector('#quiz h1')?.textContent ?? '',
    asked: document.querySelector('#quiz input')?.getAttribute('name'),
  }));

/**
 * Waits until another step than the one with this title is shown. It looks at every frame: an
 * assertion would look again up to half a second later, at each of forty steps.
 */
export async function nextStep(page: Page, title: string): Promise<void> {
  await page.waitForFunction(
    (before) => {
      const now = document.querySelector('#quiz h1')?.textContent;
      return now && now !== before;
    },
    title,
    { timeout: 15_000 },
  );
}

/**
 * Answers the current step with a key, or passes it over if that's no answer to it, and waits for
 * the next step.
 * @param answer 0 to 4, or x; a confidence step is rated with the same number
 * @param atOnce press Enter instead of waiting until the page goes on
 */
export async function pressAndGoOn(page: Page, answer: string, atOnce = false): Promise<void> {
  const { title, asked } = await currentStep(page);
  const key =
    asked === 'answer'
      ? letter(answer)
      : asked === 'confidence' && /^[1-5]$/.test(answer)
        ? answer
        : null;
  if (key) {
    await page.keyboard.press(key);
    if (atOnce) await page.keyboard.press('Enter');
  } else
    await page
      .locator('#quiz')
      .getByRole('button', { name: /^(Next|Continue)$/ })
      .click();
  await nextStep(page, title);
}

/** Answers all remaining steps with the keyboard, up to the review. */
export async function answerTheRest(page: Page, value: string): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    if (/answered$/.test((await currentStep(page)).title)) return;
    await pressAndGoOn(page, value, true);
  }
  throw new Error('The quiz does not come to an end.');
}
