import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { newAddress, register } from '../support/account-steps.ts';
import { checkAccessibility } from '../support/axe.ts';
import { awake, CUT, expect, type Site, test } from '../support/harness.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

/** Creates an owner with 28 projects, and opens the list, sorted by title. */
async function openList(page: Page, site: Site): Promise<void> {
  const business = newAddress('ovens');
  await register(page, site, 'lists', business);
  await site.sql`
    insert into public.projects (id, business_id, title, due_on)
    select gen_random_uuid(), b.id, 'Oven ' || to_char(n, 'FM00'), date '2030-01-01' + n
    from public.businesses b, generate_series(1, 28) n where b.name = ${business}`;
  await page.goto('/dashboard/projects?sort=title');
  await expect(page.getByRole('button', { name: 'Saved views' })).toBeEnabled();
}

const found = (page: Page) => page.getByRole('region', { name: 'Results' });
const rows = (page: Page) => found(page).getByRole('row', { name: /Oven/ });
const row = (page: Page, title: string) => rows(page).filter({ hasText: title });
const box = (page: Page, title: string) => page.getByRole('checkbox', { name: `Select ${title}` });
const listed = '**/rest/v1/rpc/list_projects';

test('With the keyboard alone an owner moves several projects at once', async ({ page, site }) => {
  await openList(page, site);
  await box(page, 'Oven 01').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(box(page, 'Oven 02')).toBeFocused();
  await page.keyboard.press('Space');
  const selected = page.getByRole('group', { name: 'With the selected rows' });
  await expect(selected.getByRole('status')).toHaveText('2 selected');
  await checkAccessibility(page);
  await selected.getByRole('button', { name: 'Move to “Planned”' }).press('Enter');
  for (const title of ['Oven 01', 'Oven 02']) {
    await expect(row(page, title)).toContainText('Planned');
  }
  // The button is gone, so the focus moves to the next actions for the same rows.
  await expect(selected).toBeFocused();
  await expect(selected.getByRole('status')).toHaveText('2 selected, moved to “Planned”');

  // Moves that can't be saved are reverted, and can be retried.
  await page.route('**/rest/v1/rpc/move_project', (route) => route.abort('connectionfailed'));
  await selected.getByRole('button', { name: 'Move to “In progress”' }).press('Enter');
  const titles = ['Oven 01', 'Oven 02'];
  for (const title of titles) {
    await expect(page.getByText(`“${title}” wasn’t moved`, { exact: true })).toBeVisible();
    await expect(row(page, title)).toContainText('Planned');
  }
  await page.unrouteAll();
  for (const _ of titles) {
    const stored = page.waitForResponse('**/rest/v1/rpc/move_project');
    await page.getByRole('button', { name: 'Try again' }).first().press('Enter');
    expect((await stored).ok()).toBe(true);
  }
  await expect(row(page, 'Oven 01')).toContainText('In progress');
  await expect(row(page, 'Oven 02')).toContainText('In progress');
  await selected.getByRole('button', { name: 'Clear selection' }).press('Enter');
  await expect(selected).toHaveCount(0);
  await expect(page.getByRole('checkbox', { name: 'Select all on this page' })).toBeFocused();
  await page.keyboard.press('Space');
  await expect(selected.getByRole('status')).toHaveText('25 selected');
  await page.reload();
  await expect(row(page, 'Oven 02')).toContainText('In progress');
});

test('An owner saves a view of the list and opens it again', async ({ page, site }) => {
  await openList(page, site);
  await page.getByLabel('Search').fill('Oven 2');
  await expect(rows(page)).toHaveCount(9);
  const views = page.getByRole('button', { name: 'Saved views' });
  await views.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'No saved views yet' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Save this view…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Save this view' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('The twenties');
  await page.route('**/rest/v1/rpc/save_view', (route) => route.abort('connectionfailed'));
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('We couldn’t save the view');
  await page.unrouteAll();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  const current = page.getByRole('button', { name: 'The twenties' });
  await expect(current).toBeFocused();

  await page.getByLabel('Search').fill('');
  await expect(rows(page)).toHaveCount(25);
  await views.press('Enter');
  await page.getByRole('menuitem', { name: 'The twenties' }).press('Enter');
  await expect(page.getByLabel('Search')).toHaveValue('Oven 2');
  await expect(rows(page)).toHaveCount(9);
  await current.press('Enter');
  await page.getByRole('menuitem', { name: 'Remove “The twenties”' }).press('Enter');
  await expect(views).toBeVisible();
});

test('A list of several pages keeps its place, and is downloaded whole', async ({ page, site }) => {
  await openList(page, site);
  const count = found(page).getByRole('status').first();
  await expect(count).toHaveText('25 of 28 projects');
  const next = page.getByRole('link', { name: 'Next page' });
  const previous = page.getByRole('link', { name: 'Previous page' });
  await next.press('Enter');
  await expect(rows(page)).toHaveText([/Oven 26/, /Oven 27/, /Oven 28/]);
  await expect(count).toHaveText('3 of 28 projects');
  // This is the last page: the link is disabled, but keeps the focus.
  await expect(next).toBeFocused();
  await expect(next).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Shift+Tab');
  await expect(previous).toBeFocused();
  await page.reload();
  await awake(page);
  await expect(rows(page)).toHaveCount(3);
  await previous.press('Enter');
  await expect(rows(page)).toHaveCount(25);
  await expect(previous).toBeFocused();

  await page.getByLabel('Search').fill('Oven 2');
  await expect(rows(page)).toHaveCount(9);
  const download = page.getByRole('button', { name: 'Download CSV' });
  await page.route(listed, (route) => route.abort('connectionfailed'));
  await download.press('Enter');
  await expect(found(page).getByText('We couldn’t make a file.')).toBeVisible();
  await page.unrouteAll();
  const saving = page.waitForEvent('download');
  await download.press('Enter');
  const file = await saving;
  expect(file.suggestedFilename()).toBe('projects.csv');
  const [head, ...lines] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  expect(head).toBe('\ufeffProject,Status,Skill,Due,Tasks,Changed');
  expect(lines).toHaveLength(9);
  expect(lines[0]).toMatch(/^Oven 20,Draft,,2030-01-21,,20\d\d-/);
  await expect(found(page).getByText('Downloaded 9 rows.')).toBeVisible();
});

test('A list says that it is loading, and that it couldn’t be read', async ({ page, site }) => {
  await openList(page, site);
  const { promise: held, resolve: lose } = Promise.withResolvers<void>();
  await page.route(listed, async (route) => {
    await held;
    await route.abort('connectionfailed');
  });
  await page.getByLabel('Sort by').selectOption('Due date');
  const table = found(page).locator('[aria-busy]');
  await expect(table).toHaveAttribute('aria-busy', 'true');
  await expect(rows(page)).toHaveCount(25);
  lose();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('We couldn’t load the list');
  await expect(alert).toContainText('We couldn’t reach the server');
  await expect(table).toHaveAttribute('aria-busy', 'false');
  await expect(rows(page)).toHaveCount(25);
  await checkAccessibility(page);
  await page.unrouteAll();
  await alert.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(alert).toHaveCount(0);
  await expect(rows(page)).toHaveCount(25);
});
