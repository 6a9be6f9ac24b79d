import type { Page } from '@playwright/test';
import { register } from '../support/account-steps.ts';
import { expect, test } from '../support/harness.ts';
import { openProject } from '../support/project-steps.ts';

// React logs the error that broke a screen, once; the browser logs requests that a test aborts.
test.use({
  as: 'owner',
  changesDemo: false,
  expectedConsole: /RangeError|Failed to load resource/,
});

const BROKEN = 'Something went wrong on this page';

/** Collects console errors from the page's own code from now on. */
function errorsOf(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load'))
      errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return errors;
}

/** Makes rendering dates, or names in the navigation, throw from now on. */
const breakDrawing = (page: Page, what: 'dates' | 'names') =>
  page.evaluate((broken) => {
    const fail = () => {
      throw new RangeError('A test broke this');
    };
    if (broken === 'dates') {
      Date.prototype.getUTCMonth = fail;
      return;
    }
    // Breaks the user's initials and their list of businesses.
    const { toUpperCase } = String.prototype;
    String.prototype.toUpperCase = function () {
      return this.length <= 2 ? fail() : toUpperCase.call(this);
    };
    const { filter } = Array.prototype;
    Array.prototype.filter = function (...args: Parameters<typeof filter>) {
      return this[0]?.role === 'owner' ? fail() : filter.apply(this, args);
    };
  }, what);

test('A broken screen says so and gives back what was typed', async ({ page, site }) => {
  await openProject(page, site, 'Larger ovens');
  const errors = errorsOf(page);
  await page.getByLabel('New task').fill('Call the landlord');
  await page.getByLabel('New update').fill('They can come in May.');
  await page.route('**/rest/v1/rpc/add_project_update', async (route) => {
    const response = await route.fetch();
    await breakDrawing(page, 'dates');
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Add update' }).click();

  const alert = page.getByRole('alert').filter({ hasText: BROKEN });
  await expect(alert).toBeVisible();
  await expect(alert.getByRole('link', { name: 'Go to the home page' })).toHaveAttribute(
    'href',
    '/',
  );
  // Text that isn't saved anywhere is shown so it can be copied.
  await expect(alert.getByRole('term')).toHaveText('New task');
  await expect(alert.getByRole('definition')).toHaveText('Call the landlord');
  await expect(page.getByRole('link', { name: 'Projects' }).first()).toBeVisible();
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain('RangeError');

  await page.unrouteAll();
  await alert.getByRole('button', { name: 'Reload the page' }).click();
  await expect(page.getByRole('heading', { name: 'Larger ovens' })).toBeVisible();
  await expect(page.getByText('They can come in May.')).toBeVisible();
});

test('Where a part of the navigation breaks, its links stay', async ({ page, site }) => {
  await register(page, site, 'breaks', 'Marsh Bakery');
  await page.goto('/dashboard/profile');
  const name = page.getByLabel('Your name');
  await expect(name).not.toHaveValue('');
  const errors = errorsOf(page);
  // Saving the profile makes the navigation reload its names.
  await page.route('**/rest/v1/rpc/session_context', async (route) => {
    await breakDrawing(page, 'names');
    await route.continue();
  });
  await name.fill('Somebody Else');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await expect.poll(() => errors.length).toBeGreaterThan(0);
  const aside = page.getByRole('complementary', { name: 'Navigation and account' });
  await expect(aside.getByRole('link', { name: 'Your businesses' })).toBeVisible();
  await expect(aside.getByRole('link', { name: 'Profile' })).toBeVisible();
  await expect(aside.getByRole('button', { name: 'Sign out' })).toBeVisible();
  await expect(aside.getByRole('link', { name: 'Skills' })).toBeVisible();
});

test.describe('An uncaught error', () => {
  test.use({ expectedConsole: /A test threw this/ });

  test('is told in words', async ({ page }) => {
    await page.goto('/dashboard');
    const notices = page.getByRole('region', { name: /^Notifications/ });
    await notices.waitFor({ state: 'attached' });
    await page.evaluate(() => void Promise.reject(new Error('A test threw this')));
    await expect(notices.getByText('That didn’t work')).toBeVisible();
    await expect(notices.getByText('your last step may not be saved')).toBeVisible();
    await expect(notices.getByRole('button', { name: 'Reload' })).toBeVisible();
  });
});
