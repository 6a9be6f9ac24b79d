import type { Page } from '@playwright/test';
import { expect, type Site } from './harness.ts';

export const PASSWORD = 'plum-harbor-lantern';
/** The page of an attempt. */
export const ATTEMPT = /\/dashboard\/skills\/quiz\/[0-9a-f-]{36}$/;
/** What a browser writes into its console by itself when a story cuts its connection or is refused. */
export const CUT =
  /Failed to load resource: (net::ERR_INTERNET_DISCONNECTED|the server responded with a status of 4\d\d)/;

export const newAddress = (name: string) =>
  `${name}-${crypto.randomUUID().slice(0, 8)}@example.com`;

/** Waits until the scripts of the quiz are there. */
export async function quizIsLive(page: Page): Promise<void> {
  await page.locator('#quiz[data-live]').waitFor();
}

/** Fills in the registration that is open, and waits for the word that a mail is on its way. */
export async function fillRegistration(page: Page, email: string): Promise<void> {
  await page.getByLabel('Your name').fill('Rosa Marsh');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Look in your mail' })).toBeVisible();
}

/** Opens the mail's link in this browser and presses its button. */
export async function confirmFromMail(page: Page, site: Site, email: string): Promise<void> {
  await page.goto(site.linkIn(await site.mail(email, /confirm/i)));
  await page.getByRole('button', { name: 'Confirm and sign in' }).click();
}

/** Makes an account and starts an attempt with it; gives the address of the person. */
export async function startQuiz(page: Page, site: Site, name: string): Promise<string> {
  const email = newAddress(name);
  await page.goto('/register');
  await fillRegistration(page, email);
  await confirmFromMail(page, site, email);
  await page.waitForURL((url) => url.pathname === '/dashboard');
  await page.goto('/dashboard/skills/quiz');
  await page.getByRole('button', { name: 'Start the quiz' }).click();
  await page.waitForURL(ATTEMPT);
  await quizIsLive(page);
  return email;
}

export async function signInHere(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** What stands at the top: a question, a confidence or the review. */
export const heading = (page: Page) => page.getByRole('heading', { level: 1 });

/** Presses a key for the step in view and Enter, and waits for the next step. */
export async function pressAndGoOn(page: Page, key: string): Promise<void> {
  const before = (await page.locator('#quiz').textContent()) ?? '';
  await page.keyboard.press(key);
  await page.keyboard.press('Enter');
  await expect(page.locator('#quiz')).not.toHaveText(before);
}

/** Answers everything that is left, with the keyboard alone, until the review. */
export async function answerTheRest(page: Page, value: string): Promise<void> {
  for (let step = 0; step < 50; step += 1) {
    const title = (await heading(page).textContent()) ?? '';
    if (/answered$/.test(title)) return;
    await pressAndGoOn(page, value);
  }
  throw new Error('The quiz does not come to an end.');
}
