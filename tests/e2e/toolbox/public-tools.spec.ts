import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { recalculate } from '../../fixtures/recalculate.ts';
import { signInHere } from '../support/account-steps.ts';
import { checkBothThemes, checkWidth } from '../support/axe.ts';
import { expect, test } from '../support/harness.ts';

test.use({ changesDemo: false });

test('A visitor finds a tool by skill, reads it and tries the calculator', async ({ page }) => {
  await page.goto('/toolbox');
  await checkBothThemes(page);
  await checkWidth(page);
  const skills = page.getByRole('navigation', { name: 'Skills' });
  await skills.getByRole('link', { name: 'Financial projection' }).click();
  const area = page.getByRole('region', { name: 'Financial projection' });
  await expect(area).toBeInViewport();
  await area.getByRole('link', { name: 'Break-even', exact: true }).click();

  await expect(page.getByRole('heading', { name: 'Break-even', level: 1 })).toBeVisible();
  const answer = page.getByRole('form', { name: 'Calculator: Break-even' }).getByRole('status');
  // The worked example's café, until the visitor types.
  await expect(answer).toContainText('1,980 sales a month');
  await page.getByLabel('Fixed costs per month').fill('7,300');
  await expect(answer).toContainText('1,000 sales a month');
  await expect(page.getByRole('cell', { name: '$14,450' })).toBeVisible();
  await checkBothThemes(page);
  await checkWidth(page);
});

test('On a phone, the skills are folded but for the one that a link leads to', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/toolbox#sales-marketing');
  const tool = (name: string) => page.getByRole('link', { name, exact: true });
  await expect(tool('Ask for a review')).toBeVisible();
  await expect(tool('Supplier comparison')).toBeHidden();
  await page.getByRole('heading', { name: 'Operations and workflows' }).click();
  await expect(tool('Supplier comparison')).toBeVisible();
  await checkBothThemes(page);
  await checkWidth(page);
});

test('A checklist has boxes to check with a pen, and prints without what’s around it', async ({
  page,
}) => {
  await page.goto('/toolbox/lender-readiness-list');
  const task = page.locator('.contains-task-list > li').first();
  await expect(task).toBeVisible();
  const box = await task.evaluate((item) => getComputedStyle(item, '::before').borderTopWidth);
  expect(parseFloat(box)).toBeGreaterThan(0);
  await checkBothThemes(page);
  const beside = page.getByRole('complementary', { name: 'Put it to use' });
  await expect(beside).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(task).toBeVisible();
  await expect(beside).toBeHidden();
  await expect(page.getByRole('contentinfo')).toBeHidden();
});

test('Someone with an account opens the same tool in their own toolbox', async ({ page }) => {
  await page.goto('/toolbox/mistake-log');
  await page.getByRole('link', { name: 'Open it in your toolbox' }).click();
  await page.waitForURL(/\/login\?next=/);
  await signInHere(page, 'owner@demo.test');
  await page.waitForURL('**/dashboard/toolbox?item=mistake-log');
  await expect(
    page.getByRole('heading', { name: 'Mistake and complaint log', level: 1 }),
  ).toBeVisible();
});

/** Downloads what a link leads to: its name and its bytes. */
async function download(page: Page, name: RegExp) {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name }).click(),
  ]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test('A visitor downloads a tool as a spreadsheet that calculates, and as a document', async ({
  page,
}) => {
  await page.goto('/toolbox/lender-readiness-list');
  const sheet = await download(page, /^Spreadsheet, \d+ kB$/);
  expect(sheet.name).toBe('trellis-lender-readiness-list.xlsx');
  const { book, at } = recalculate(sheet.bytes);
  const coverage = Object.entries(book.Sheets.Example ?? {}).find(([, { v }]) => v === 'Coverage');
  expect(at('Example', `C${coverage?.[0].slice(1)}`)).toBeCloseTo(1.28, 2);

  const document = await download(page, /^Document, \d+ kB$/);
  expect(document.name).toBe('trellis-lender-readiness-list.docx');
  expect(document.bytes.subarray(0, 2).toString()).toBe('PK');
});

test('Someone who’s signed in downloads the same file in their toolbox', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard/toolbox?item=cash-forecast');
  await checkBothThemes(page);
  const sheet = await download(page, /^Download as a spreadsheet$/);
  expect(sheet.name).toBe('trellis-cash-forecast.xlsx');
  expect(recalculate(sheet.bytes).book.SheetNames).toEqual(['Your figures', 'Example']);
});
