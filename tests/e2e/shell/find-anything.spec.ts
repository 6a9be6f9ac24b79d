import type { Page } from '@playwright/test';
import { checkAccessibility } from '../support/axe.ts';
import { awake, CUT, expect, goOffline, test } from '../support/harness.ts';

test.use({ as: 'owner', changesDemo: false, expectedConsole: CUT });

const field = (page: Page) => page.getByRole('combobox', { name: 'Find anything' });
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });
const chosen = (page: Page) => page.locator('[role="option"][aria-selected="true"]');
const shortcuts = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });

async function open(page: Page): Promise<void> {
  await awake(page);
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
}

test('An owner finds a project from any page with the keyboard alone', async ({ page }) => {
  await page.goto('/dashboard/toolbox');
  await open(page);
  await field(page).fill('cash forec');
  await expect(option(page, /^A cash forecast we update every Friday In progress/)).toBeVisible();
  await expect(option(page, /^12-month cash forecast/)).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /^\d+ results\.$/ })).toBeAttached();
  // The first one is chosen; the arrows go around, and the focus stays in the field.
  await expect(chosen(page)).toHaveText(/A cash forecast/);
  await page.keyboard.press('ArrowUp');
  await expect(chosen(page)).not.toHaveText(/A cash forecast/);
  await page.keyboard.press('ArrowDown');
  await expect(chosen(page)).toHaveText(/A cash forecast/);
  await expect(field(page)).toBeFocused();
  await expect(field(page)).toHaveAttribute(
    'aria-activedescendant',
    (await chosen(page).getAttribute('id')) ?? '',
  );
  await checkAccessibility(page);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard\/projects\/[0-9a-f-]{36}$/);
  // Where they came from is the first of the recent pages.
  await open(page);
  await expect(chosen(page)).toHaveText('Toolbox');
});

test('The icon opens it on a phone, Escape closes it, and the focus returns', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/dashboard');
  await awake(page);
  const icon = page.locator('header').getByRole('link', { name: 'Find anything' });
  await icon.click();
  await expect(field(page)).toBeFocused();
  await field(page).fill('qqzz');
  await expect(
    page.getByText('Nothing matches “qqzz.” Try the beginning of another word.'),
  ).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.keyboard.press('Escape');
  await expect(field(page)).toHaveCount(0);
  await expect(icon).toBeFocused();
});

test('Pages are found without a connection once the menu was open; a search says why not', async ({
  page,
  context,
}) => {
  await page.goto('/dashboard');
  await open(page);
  await page.keyboard.press('Escape');
  await goOffline(page);
  await page.keyboard.press('Control+k');
  await field(page).fill('new pro');
  await expect(option(page, 'New project')).toBeVisible();
  await expect(page.getByText('We couldn’t search')).toBeVisible();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('We couldn’t search')).toHaveCount(0);
});

test('A question mark lists the shortcuts, but not while typing, and can be turned off', async ({
  page,
}) => {
  await page.goto('/dashboard/projects');
  await awake(page);
  await page.getByLabel('Search').press('?');
  await expect(page.getByLabel('Search')).toHaveValue('?');
  await expect(shortcuts(page)).toHaveCount(0);
  await page.getByLabel('Search').fill('');
  await page.locator('#main').focus();
  await page.keyboard.press('?');
  await expect(shortcuts(page)).toContainText('Ctrl K');
  await checkAccessibility(page);
  await shortcuts(page).getByRole('checkbox').uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await awake(page);
  await page.keyboard.press('?');
  await expect(shortcuts(page)).toHaveCount(0);
  // The way back.
  await open(page);
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await shortcuts(page).getByRole('checkbox').check();
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(shortcuts(page)).toBeVisible();
});

test('An admin finds accounts and businesses, and a coach finds clients', async ({ elsewhere }) => {
  const admin = await elsewhere('admin');
  await admin.goto('/admin');
  await open(admin);
  await field(admin).fill('delgado');
  await expect(option(admin, 'Maria Delgado owner@demo.test')).toBeVisible();
  await option(admin, /^Delgado Bakery/).click();
  await expect(admin).toHaveURL(/\/admin\/businesses\//);
  const coach = await elsewhere('coach');
  await coach.goto('/dashboard');
  await open(coach);
  await field(coach).fill('maria');
  await option(coach, /^Delgado Bakery Maria Delgado/)
    .first()
    .click();
  await expect(coach).toHaveURL(/\/dashboard\/coaching\//);
});
