import type { Page } from '@playwright/test';
import { violationsOn } from './support/axe.ts';
import { expect, test } from './support/harness.ts';

// A connection that a story cuts is written into the console by the browser itself.
test.use({ expectedConsole: /Failed to load resource: net::ERR_CONNECTION_FAILED/ });

/** Opens the latest results from the skills page, ready to be pressed. */
async function openResults(page: Page) {
  await page.goto('/dashboard/skills');
  await page.getByRole('link', { name: 'What it means and what to do' }).click();
  await expect(page.getByRole('heading', { name: 'Your results', level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Print' })).toBeEnabled();
}

const recommended = (page: Page) =>
  page.getByRole('region', { name: 'What to work on' }).getByRole('heading', { level: 3 });

/** Opens the dialog of the first recommendation and gives the first area that it offers. */
async function offerInstead(page: Page): Promise<{ before: string; after: string }> {
  const before = (await recommended(page).first().textContent()) ?? '';
  await page.getByRole('button', { name: `Swap ${before} for another area` }).click();
  const offered = page.getByRole('dialog').getByRole('listitem').first().getByRole('button');
  const after = (await offered.locator('strong').textContent()) ?? '';
  await offered.click();
  await expect(page.getByRole('dialog')).toBeHidden();
  return { before, after };
}

test('An owner reads results as a bloom, in numbers, in levels and area by area', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  await openResults(page);
  const scores = page.getByRole('region', { name: 'Scores' });
  await expect(scores.getByRole('img', { name: /Flower of 8 skills/ })).toBeVisible();
  const rows = page.getByRole('table', { name: 'Eight skills' }).getByRole('row');
  await expect(rows).toHaveCount(9);
  for (const row of (await rows.all()).slice(1)) {
    await expect(row).toHaveText(/\d+\s*(Starting|Developing|Established|Strong)$/);
  }
  await expect(page.getByText('of 100 overall')).toBeVisible();
  await expect(page.getByText(/Worth taking again from/)).toBeVisible();
  await expect(recommended(page)).toHaveCount(3);

  const area = page.getByRole('region', { name: 'Financial projection', exact: true });
  await expect(area.getByText('Next step up')).toBeVisible();
  await area.getByText('All 4 answers').click();
  await expect(area.getByText(/\(\d of 4\)/).first()).toBeVisible();

  const violations = await violationsOn(page);
  expect(violations).toEqual([]);
});

test('An owner swaps a recommended area, and it stays', async ({ page, signIn }) => {
  await signIn(page, 'owner');
  await openResults(page);
  const { before, after } = await offerInstead(page);
  expect(after).not.toBe(before);
  await expect(recommended(page).first()).toHaveText(after);
  await expect(page.getByRole('button', { name: `Swap ${after} for another area` })).toBeFocused();
  await expect(page.getByText('Your choice')).toBeVisible();
  // The tool is the database's choice: once it stands there, the swap is stored.
  const first = page.getByRole('region', { name: 'What to work on' }).getByRole('listitem').first();
  await expect(first.locator('a[href*="/dashboard/toolbox?item="]')).toBeVisible();
  await page.reload();
  await expect(recommended(page).first()).toHaveText(after);
  await expect(recommended(page).filter({ hasText: before })).toHaveCount(0);
});

test('A swap that does not reach the database is taken back and can be tried again', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  await openResults(page);
  await page.route('**/rest/v1/rpc/swap_recommendation', (route) =>
    route.abort('connectionfailed'),
  );
  const { before, after } = await offerInstead(page);
  await expect(page.getByText('The area was not swapped', { exact: true })).toBeVisible();
  await expect(recommended(page).first()).toHaveText(before);
  await page.unroute('**/rest/v1/rpc/swap_recommendation');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(recommended(page).first()).toHaveText(after);
});

test('A first look says that it is one, and leads on to the full quiz', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner2');
  await page.goto('/dashboard/skills');
  await page
    .getByRole('row', { name: /First look/ })
    .getByRole('link')
    .click();
  await expect(page.getByText('A first look, not a result')).toBeVisible();
  await expect(page.getByText(/Worth taking again/)).toHaveCount(0);
  await page.getByRole('link', { name: 'Go on with the full quiz' }).click();
  await expect(page).toHaveURL(/\/dashboard\/skills\/quiz/);
});

test('An owner sees the quiz that is open and goes on with it', async ({ page, signIn }) => {
  await signIn(page, 'owner2');
  await page.goto('/dashboard/skills');
  await expect(page.getByText(/\d+ of 32 questions answered/)).toBeVisible();
  await page.getByRole('link', { name: 'Go on', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard\/skills\/quiz\/[0-9a-f-]{36}$/);
});

test('Every earlier attempt keeps its place and its results', async ({ page, signIn }) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard/skills');
  const attempts = page.getByRole('table', { name: 'Attempts, newest first' });
  await expect(attempts.getByRole('row')).toHaveCount(5);
  await attempts.getByRole('row').nth(3).getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'Your results' })).toBeVisible();
});

test('Results are complete without scripts', async ({ browser, site, page, signIn }) => {
  await signIn(page, 'owner');
  await openResults(page);
  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const quiet = await plain.newPage();
  await quiet.goto(site.url + new URL(page.url()).pathname);
  await expect(quiet.getByRole('table', { name: 'Eight skills' })).toBeVisible();
  await expect(recommended(quiet)).toHaveCount(3);
  await plain.close();
});
