import type { Page } from '@playwright/test';
import { expect, test } from './support/harness.ts';
import { newProject } from './support/project-steps.ts';

// React writes what broke a screen into the console, once; a story that cuts a line, the browser.
test.use({ expectedConsole: /RangeError|Minified React error #31|Failed to load resource/ });

const BROKEN = 'Something went wrong on this page';

/** The errors of a page's own code in its console from now on. */
function errorsOf(page: Page): string[] {
  const heard: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load'))
      heard.push(message.text());
  });
  page.on('pageerror', (error) => heard.push(String(error)));
  return heard;
}

test('A screen that breaks says so, keeps the navigation, and gives back what was typed', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  await newProject(page, 'Larger ovens');
  const errors = errorsOf(page);
  // An answer of another shape than was promised, from which the page cannot draw a date.
  await page.route('**/rest/v1/rpc/add_project_update', async (route) => {
    await route.fetch();
    await route.fulfill({ json: { at: 'never' } });
  });
  await page.getByLabel('New task').fill('Call the landlord');
  await page.getByLabel('New update').fill('They can come in May.');
  await page.getByRole('button', { name: 'Add update' }).click();

  const alert = page.getByRole('alert').filter({ hasText: BROKEN });
  await expect(alert).toBeVisible();
  await expect(alert.getByRole('link', { name: 'Go to the home page' })).toHaveAttribute(
    'href',
    '/',
  );
  // Typed and kept nowhere: it can be copied.
  await expect(alert.getByRole('term')).toHaveText('New task');
  await expect(alert.getByRole('definition')).toHaveText('Call the landlord');
  await expect(page.getByRole('link', { name: 'Projects' }).first()).toBeVisible();
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain('RangeError');

  await page.unroute('**/rest/v1/rpc/add_project_update');
  await alert.getByRole('button', { name: 'Reload the page' }).click();
  await expect(page.getByRole('heading', { name: 'Larger ovens' })).toBeVisible();
  await expect(page.getByText('They can come in May.')).toBeVisible();
});

test('A draft that this browser kept is back after the reload', async ({ page, signIn }) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard/businesses');
  const business = page
    .locator('main')
    .getByRole('link', { name: /Bakery/ })
    .first();
  const address = await business.getAttribute('href');
  await page.route('**/rest/v1/rpc/save_plan_field', (route) => route.abort('connectionfailed'));
  await page.route('**/rest/v1/rpc/list_plan_versions', (route) => route.fulfill({ json: [{}] }));
  await page.goto(`${address}/plan`);
  const field = page.getByRole('textbox', { name: 'Problem', exact: true });
  await expect(field).toBeEditable();
  await field.fill('Nobody sells bread before seven.');
  await page
    .getByRole('button', { name: /history/i })
    .first()
    .click();
  await expect(page.getByText(BROKEN)).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await expect(field).toHaveValue('Nobody sells bread before seven.');
});

test('Where a part of the navigation breaks, its links stay', async ({ page, signIn }) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard/profile');
  const name = page.getByLabel('Your name');
  await expect(name).not.toHaveValue('');
  // The names of the navigation are asked for again when the profile was saved.
  await page.route('**/rest/v1/rpc/session_context', async (route) => {
    const answer = await (await route.fetch()).json();
    const businesses = [{ id: answer.businesses[0].id, name: { broken: true }, role: 'owner' }];
    await route.fulfill({ json: { ...answer, email: { broken: true }, businesses } });
  });
  await name.fill('Somebody Else');
  await page.getByRole('button', { name: 'Save' }).first().click();
  const aside = page.getByRole('complementary', { name: 'Navigation and account' });
  await expect(aside.getByRole('link', { name: 'Your businesses' })).toBeVisible();
  await expect(aside.getByRole('link', { name: 'Profile' })).toBeVisible();
  await expect(aside.getByRole('button', { name: 'Sign out' })).toBeVisible();
  await expect(aside.getByRole('link', { name: 'Skills' })).toBeVisible();
});

test.describe('An error that nobody caught', () => {
  test.use({ expectedConsole: /A test threw this/ });

  test('is told in words', async ({ page, signIn }) => {
    await signIn(page, 'owner');
    await page.goto('/dashboard');
    const notices = page.getByRole('region', { name: /^Notifications/ });
    await notices.waitFor({ state: 'attached' });
    await page.evaluate(() => void Promise.reject(new Error('A test threw this')));
    await expect(notices.getByText('That didn’t work')).toBeVisible();
    await expect(notices.getByText('your last step may not be saved')).toBeVisible();
    await expect(notices.getByRole('button', { name: 'Reload' })).toBeVisible();
  });
});
