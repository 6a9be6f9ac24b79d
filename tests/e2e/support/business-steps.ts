import type { Page } from '@playwright/test';
import { expect } from './harness.ts';

/** The page of a business. */
export const BUSINESS = /\/dashboard\/businesses\/[0-9a-f-]{36}$/;

/** Makes a business and opens its page. */
export async function addBusiness(page: Page, name: string): Promise<void> {
  await page.goto('/dashboard/businesses/new');
  await page.getByLabel('Business name').fill(name);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard');
  await page.goto('/dashboard/businesses');
  await page.getByRole('link', { name, exact: true }).click();
  await page.waitForURL(BUSINESS);
}

/** The page of a business has its scripts. */
export const ready = (page: Page) =>
  expect(page.getByRole('button', { name: 'Archive this business' })).toBeEnabled();
