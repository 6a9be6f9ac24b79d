import type { Page } from '@playwright/test';
import { hashPassword } from '#backend/local/auth/passwords.ts';
import { createPerson } from '#backend/local/demo/builders.ts';
import { within } from '../../fixtures/database.ts';
import { expect, type Site } from './harness.ts';
import { inDatabase } from './pair.ts';
import { addSession } from './session.ts';

export const PASSWORD = 'plum-harbor-lantern';
let hash: Promise<string> | undefined;
function passwordHash(): Promise<string> {
  hash ??= hashPassword(PASSWORD);
  return hash;
}

export const newAddress = (name: string) =>
  `${name}-${crypto.randomUUID().slice(0, 8)}@example.com`;

/** Types into the registration that is open. */
export async function typeRegistration(page: Page, email: string, password = PASSWORD) {
  await page.getByLabel('Your name').fill('Rosa Marsh');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
}

/** Fills in the registration that is open, and waits for the word that a mail is on its way. */
export async function fillRegistration(page: Page, email: string): Promise<void> {
  await typeRegistration(page, email);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Look in your mail' })).toBeVisible();
}

/** Opens the mail's link in this browser and presses its button. */
export async function confirmFromMail(page: Page, site: Site, email: string): Promise<void> {
  await page.goto(site.linkIn(await site.mail(email, /confirm/i)));
  await page.getByRole('button', { name: 'Confirm and sign in' }).click();
}

/** Chooses a password after confirming in another browser than the one that registered. */
export async function chooseFirstPassword(page: Page): Promise<void> {
  await page.waitForURL((url) => url.pathname === '/update-password');
  await expect(page.getByText('It was registered in another browser')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('chosen-on-the-telephone');
  await page.getByRole('button', { name: 'Save' }).click();
}

/** Says that the answers which this browser, or the registration, brings are theirs. */
export async function useAnswers(page: Page, question: RegExp): Promise<void> {
  const dialog = page.getByRole('dialog', { name: question });
  await dialog.getByRole('button', { name: 'Use them' }).click();
}

/** Registers by the form and stands on the dashboard afterwards, or where `start` leads; gives the address. */
export async function registerByForm(page: Page, site: Site, name: string, start = '/register') {
  const email = newAddress(name);
  await page.goto(start);
  await fillRegistration(page, email);
  await confirmFromMail(page, site, email);
  await page.waitForURL((url) => url.pathname.startsWith('/dashboard'));
  return email;
}

/**
 * Makes an account without a business and gives its session to this browser; opens no page.
 * @returns the address; the password is PASSWORD
 */
export async function register(page: Page, site: Site, name: string): Promise<string> {
  const email = newAddress(name);
  await inDatabase(site, async (sql) =>
    createPerson(within(sql), {
      email,
      fullName: 'Rosa Marsh',
      timeZone: 'America/Denver',
      passwordHash: await passwordHash(),
    }),
  );
  await addSession(page, site, { email, password: PASSWORD });
  return email;
}

/** Signs in by the form that is open. */
export async function signInHere(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
}
