import { checkAccessibility } from '../support/axe.ts';
import { expect, test } from '../support/harness.ts';

test.use({ as: 'admin', changesDemo: false });

test('An admin finds a project of any business, saves the view, and opens the project', async ({
  page,
}) => {
  await page.goto('/dashboard/projects');
  await page.getByRole('link', { name: 'See all projects' }).click();
  const table = page.getByRole('table', { name: 'Projects' });
  const rows = table.getByRole('row');
  await expect(table).toBeVisible();
  await checkAccessibility(page);
  const all = await rows.count();

  await page.getByLabel('Status').selectOption('All');
  await expect(page).toHaveURL(/status=all/);
  await expect.poll(() => rows.count()).toBeGreaterThan(all);
  await page.getByLabel('Sort by').selectOption('Due date');
  await page.getByLabel('Search by project or business').fill('delgado');
  await expect(page).toHaveURL(/q=delgado/);
  await expect(rows.nth(1)).toContainText('Delgado Bakery');
  await page.getByLabel('Coach').selectOption('Ruth Abara');
  await expect(page).toHaveURL(/coach=/);

  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  const saving = page.getByRole('dialog');
  await saving.getByLabel('Name').fill('The bakery');
  await saving.getByRole('button', { name: 'Save' }).click();
  await expect(saving).toBeHidden();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /CSV/ }).click();
  expect((await download).suggestedFilename()).toMatch(/^all-projects/);

  await page.goto('/admin/projects?status=all&q=delgado');
  const first = rows.nth(1).getByRole('link').first();
  const title = (await first.textContent()) ?? '';
  await rows.nth(1).getByRole('link', { name: 'Delgado Bakery' }).click();
  await page.getByRole('link', { name: /in the list$/ }).click();
  await expect(page.getByText('Show those of all businesses')).toBeVisible();
  await table.getByRole('link', { name: title }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
});
