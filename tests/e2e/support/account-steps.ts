import type { Page } from '@playwright/test';
import type { Sql } from 'postgres';
import { demoPassword } from '#backend/local/demo/accounts.ts';
import { createPerson } from '#backend/local/demo/builders.ts';
import { within } from '../../fixtures/database.ts';
import { expect, type Site } from './harness.ts';
import { addSession } from './session.ts';

/** The password that people choose when they register. */
export const CHOSEN_PASSWORD = 'plum-harbor-lantern';

export interface Member {
  id: string;
  email: string;
  name: string;
}

export const newAddress = (name: string) =>
  `${name}-${crypto.randomUUID().slice(0, 8)}@example.com`;

/** Fills in the open registration form. */
export async function typeRegistration(page: Page, email: string, password = CHOSEN_PASSWORD) {
  await page.getByLabel('Your name').fill('Rosa Marsh');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
}

/** Fills in and submits the open registration form, and waits until it says an email was sent. */
export async function fillRegistration(page: Page, email: string): Promise<void> {
  await typeRegistration(page, email);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
}

/** Opens the emailed link in this browser and clicks the page's button. */
export async function confirmFromMail(page: Page, site: Site, email: string): Promise<void> {
  await page.goto(site.linkIn(await site.mail(email, /confirm/i)));
  await page.getByRole('button', { name: 'Confirm and sign in' }).click();
}

/** Chooses a password after confirming in a different browser than the one that registered. */
export async function chooseFirstPassword(page: Page): Promise<void> {
  await page.waitForURL((url) => url.pathname === '/update-password');
  await expect(page.getByText('It was registered in another browser')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('chosen-on-the-telephone');
  await page.getByRole('button', { name: 'Save' }).click();
}

/** Confirms that the quiz answers from this browser, or from the registration, are the user's. */
export async function useAnswers(page: Page, question: RegExp): Promise<void> {
  const dialog = page.getByRole('dialog', { name: question });
  const use = dialog.getByRole('button', { name: 'Use them' });
  // Enter doesn't delete what they answered.
  await expect(use).toBeFocused();
  await use.click();
}

/** Registers with the form and confirms, up to the dashboard; returns the email address. */
export async function registerByForm(page: Page, site: Site, name: string): Promise<string> {
  const email = newAddress(name);
  await page.goto('/register');
  await fillRegistration(page, email);
  await confirmFromMail(page, site, email);
  await page.waitForURL((url) => url.pathname.startsWith('/dashboard'));
  return email;
}

/**
 * Creates an account with the demo's password and signs this browser in, without opening a page.
 * @param businessName the business it owns; none if left out
 * @returns the email address
 */
export async function register(
  page: Page,
  site: Site,
  name: string,
  businessName?: string,
): Promise<string> {
  const email = newAddress(name);
  await createMember(site.sql, { email, fullName: 'Rosa Marsh', businessName });
  await addSession(page, site, email);
  return email;
}

/** Creates an account with the demo's password. */
export async function createMember(
  sql: Sql,
  who: { email: string; fullName: string; businessName?: string | undefined },
): Promise<Member> {
  const { email, fullName, businessName } = who;
  const [demo] = await sql`
    select encrypted_password from auth.users where email = 'owner@demo.test'`;
  const { id } = await createPerson(within(sql), {
    id: crypto.randomUUID(),
    email,
    fullName,
    timeZone: 'America/Denver',
    passwordHash: demo?.encrypted_password,
    ...(businessName && { businessName }),
  });
  return { id, email, name: fullName };
}

/** Signs in with the open form. */
export async function signInHere(
  page: Page,
  email: string,
  password = demoPassword,
): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'You’re signed out' })).toBeVisible();
}
