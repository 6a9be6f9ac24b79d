import type { Page } from '@playwright/test';
import { checkAccessibility } from '../support/axe.ts';
import { openBusiness } from '../support/business-steps.ts';
import { CUT, expect, goOffline, type Site, test } from '../support/harness.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

const box = (page: Page, title: string) => page.getByRole('textbox', { name: title, exact: true });
const saved = (page: Page) =>
  expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();

/** Opens the empty plan of a new business. */
async function openPlan(page: Page, site: Site, name: string): Promise<void> {
  await openBusiness(page, site, name);
  await page.getByRole('link', { name: 'Write the plan' }).click();
  await expect(box(page, 'Offer')).toBeEditable();
}

/** How many sheets of paper a page prints on. */
async function sheets(page: Page, format: 'Letter' | 'A4'): Promise<number> {
  const margin = { top: '12mm', right: '12mm', bottom: '12mm', left: '12mm' };
  const file = await page.pdf({ format, margin });
  return file.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

test('An owner writes a plan and restores an older version', async ({ page, site }) => {
  await openPlan(page, site, 'Plan writes');
  await box(page, 'Offer').fill('Bread from 5 a.m.');
  await saved(page);
  await box(page, 'Problem').fill('x'.repeat(401));
  await expect(page.getByText(/on one page\. That’s 1 too many/).first()).toBeVisible();
  await box(page, 'Problem').fill('Early shifts find no bread.');
  await saved(page);
  await page.reload();
  await expect(box(page, 'Offer')).toHaveValue('Bread from 5 a.m.');
  await expect(box(page, 'Problem')).toHaveValue('Early shifts find no bread.');
  await expect(box(page, 'Offer')).toBeEditable();

  // Editing from a new page, as on another day, creates a second version.
  await box(page, 'Offer').fill('Cake.');
  await saved(page);
  await page.route('**/rpc/list_plan_versions', (route) => route.abort('connectionfailed'));
  await page.getByRole('button', { name: 'History of Offer' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('alert')).toBeVisible();
  await page.unroute('**/rpc/list_plan_versions');
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(2);
  await expect(dialog.getByRole('listitem').first()).toContainText('Rosa Marsh');
  await checkAccessibility(page);
  await page.route('**/rpc/restore_plan_version', (route) => route.abort('connectionfailed'));
  await dialog.getByRole('button', { name: /^Restore this/ }).click();
  await expect(dialog.getByRole('alert')).toContainText('We couldn’t reach the server');
  await page.unroute('**/rpc/restore_plan_version');
  await dialog.getByRole('button', { name: /^Restore this/ }).click();
  await expect(dialog).toBeHidden();
  await expect(box(page, 'Offer')).toHaveValue('Bread from 5 a.m.');
  await page.reload();
  await expect(box(page, 'Offer')).toHaveValue('Bread from 5 a.m.');
});

test('A plan written offline is sent by the next page', async ({ page, context, site }) => {
  await openPlan(page, site, 'Plan offline');
  const address = page.url();
  await goOffline(page);
  await box(page, 'Costs').fill('Rent and flour.');
  await expect(page.getByRole('status').getByText('Not sent yet')).toBeVisible();
  await expect(page.getByText('Saved', { exact: true })).toHaveCount(0);
  await page.close();
  await context.setOffline(false);
  const later = await context.newPage();
  const sent = later.waitForResponse(
    (answer) => answer.url().includes('/rpc/save_plan_field') && answer.ok(),
  );
  await later.goto('/dashboard');
  await sent;
  await later.goto(address);
  await expect(box(later, 'Costs')).toHaveValue('Rent and flour.');
});

test('A plan prints on one page, however full it is', async ({ page, site }) => {
  await openPlan(page, site, 'Plan prints');
  const all = await page.locator('main').getByRole('textbox').all();
  expect(all).toHaveLength(14);
  for (const text of [
    'Somebody outside the business can explain it back to us. '.repeat(8).slice(0, 400),
    'W'.repeat(400),
    `${'A line\n'.repeat(9)}${'and more of it '.repeat(21)}`,
  ]) {
    for (const each of all) await each.fill(text);
    expect(await sheets(page, 'Letter'), `Letter, ${text.slice(0, 12)}`).toBe(1);
    expect(await sheets(page, 'A4'), `A4, ${text.slice(0, 12)}`).toBe(1);
  }
});

test('The blank plan is for everybody and prints on one page', async ({ page }) => {
  await page.goto('/admin/one-page-business-plan-template');
  await expect(page.getByRole('heading', { name: 'Riskiest assumption' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Print a blank copy' })).toBeVisible();
  for (const format of ['Letter', 'A4'] as const) expect(await sheets(page, format)).toBe(1);
});
