import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './harness.ts';

test.use({ expectedConsole: [/the server responded with a status of 404/] });

test('An owner finds a tool by skill and reads it', async ({ page, signIn }) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard/toolbox');
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(12);
  await page.getByRole('link', { name: /^Finance/ }).click();
  await expect(page).toHaveURL(/\?area=financial-projection$/);
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(2);
  await page.getByRole('link', { name: '12-month cash forecast' }).click();

  await expect(
    page.getByRole('heading', { name: '12-month cash forecast', level: 1 }),
  ).toBeVisible();
  const table = page.getByRole('table').nth(1);
  await expect(table.getByRole('columnheader')).toHaveText(['April', 'May', 'June', 'July']);
  await expect(table.getByRole('cell', { name: '14,500' })).toHaveCSS('text-align', 'right');
  expect(await page.locator('article [style]').count()).toBe(0);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);
});

test('Every item can be opened, and a link to its place in the list finds it', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'coach');
  await page.goto('/dashboard/toolbox');
  const hrefs = await page
    .locator('main a[href*="?item="]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  expect(hrefs).toHaveLength(12);
  for (const href of hrefs) {
    const answer = await page.goto(href);
    expect(answer?.status()).toBe(200);
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
  }
  await page.goto('/dashboard/toolbox#role-sheet');
  await expect(page.locator('#role-sheet')).toBeInViewport();
});

test('An item that does not exist is not found, and an unknown skill hides nothing', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  const unknown = await page.goto('/dashboard/toolbox?item=no-such-thing');
  expect(unknown?.status()).toBe(404);
  await page.goto('/dashboard/toolbox?area=astrology');
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(12);
});

test('A visitor signs in first and comes back to the item', async ({ page }) => {
  await page.goto('/dashboard/toolbox?item=break-even');
  await expect(page).toHaveURL(/\/login\?next=%2Fdashboard%2Ftoolbox%3Fitem%3Dbreak-even$/);
});
