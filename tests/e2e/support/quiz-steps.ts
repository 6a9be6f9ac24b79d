import type { Page } from '@playwright/test';
import { asPerson } from '../../fixtures/database.ts';
import { register } from './account-steps.ts';
import { expect, type Site } from './harness.ts';

/** The URL of an attempt's page. */
export const ATTEMPT = /\/dashboard\/skills\/quiz\/[0-9a-f-]{36}$/;

/** Waits until the quiz is hydrated. */
export async function quizIsLive(page: Page): Promise<void> {
  await page.locator('#quiz[data-live]').waitFor();
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

/** Answers the current step with a key, presses Enter, and waits for the next step. */
export async function pressAndGoOn(page: Page, key: string): Promise<void> {
  const before = (await page.locator('#quiz').textContent()) ?? '';
  await page.keyboard.press(key);
  await page.keyboard.press('Enter');
  await expect(page.locator('#quiz')).not.toHaveText(before);
}

/** Answers all remaining steps with the keyboard, up to the review. */
export async function answerTheRest(page: Page, value: string): Promise<void> {
  for (let step = 0; step < 50; step += 1) {
    const title = (await heading(page).textContent()) ?? '';
    if (/answered$/.test(title)) return;
    await pressAndGoOn(page, value);
  }
  throw new Error('The quiz does not come to an end.');
}
