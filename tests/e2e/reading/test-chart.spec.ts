import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/harness.ts';

test.use({ changesDemo: false });

const PAGE = '/test-chart';
/** Every kind of chart by title, and whether its table has to be opened. */
const CHARTS: [title: string, opened: boolean][] = [
  ['Eight skills', false],
  ['Skills over time', true],
  ['Skills among other businesses', true],
  ['Overall scores of 30 businesses', true],
  ['Cash at the end of each month', true],
  ['Monthly profit', true],
  ['Annual revenue', true],
  ['Snapshots', false],
  ['Left per hour of work', false],
  ['Where sales come from', true],
  ['Answers to a survey', true],
];

const card = (page: Page, title: string) =>
  page.getByRole('figure').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
/** Shows a chart: those further down work once they've been in view. */
async function showCard(page: Page, title: string): Promise<Locator> {
  const one = card(page, title);
  await one.scrollIntoViewIfNeeded();
  return one;
}
const slider = (page: Page, title: string) => page.getByRole('slider', { name: `Read “${title}”` });

/** Moves the pointer to a share of a drawing's width. */
async function pointAt(page: Page, drawing: Locator, share: number): Promise<void> {
  await drawing.scrollIntoViewIfNeeded();
  const box = await drawing.boundingBox();
  if (!box) throw new Error('The drawing is not on the page');
  await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
}

test.describe('Without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('every chart is drawn and has its numbers as a table', async ({ page }) => {
    await page.goto(PAGE);
    for (const [title, opened] of CHARTS) {
      const one = card(page, title);
      expect(await one.locator('svg path[d], svg rect').count(), title).toBeGreaterThan(3);
      if (opened) await one.getByText('Show the numbers').click();
      await expect(one.getByRole('table').first(), title).toBeVisible();
    }
    await expect(page.getByRole('list', { name: 'Scores' }).getByRole('listitem')).toHaveCount(8);
    await expect(page.locator('main').getByRole('button')).toHaveCount(0);
    await expect(page.getByRole('slider')).toHaveCount(0);
    expect(await page.locator('main').innerHTML()).not.toMatch(/NaN|Infinity|undefined/);
  });

  test('a table says the same numbers, and a dash for what is not known', async ({ page }) => {
    await page.goto(PAGE);
    const one = card(page, 'Monthly profit');
    await one.getByText('Show the numbers').click();
    await expect(one.getByRole('row', { name: 'Mar −$1,900' })).toBeVisible();
    await expect(one.getByRole('row', { name: 'Aug –' })).toBeVisible();
  });
});

test('A pointer reads the nearest month, a range, a bar, a row and a petal', async ({ page }) => {
  await page.goto(PAGE);
  const title = 'Cash at the end of each month';
  const one = await showCard(page, title);
  await expect(slider(page, title)).toBeVisible();
  await pointAt(page, one.locator('[data-plot]'), 4.3 / 11);
  await expect(one.getByText('May: In the bank −$600, Forecast $3,100')).toBeVisible();
  await pointAt(page, one.locator('[data-plot]'), 0.999);
  await expect(one.getByText('Dec: In the bank $12,400, Forecast $11,800')).toBeVisible();
  await page.mouse.move(2, 2);
  await expect(one.getByText('Point at the chart')).toBeVisible();

  const scores = card(page, 'Overall scores of 30 businesses');
  await expect(slider(page, 'Overall scores of 30 businesses')).toBeVisible();
  await pointAt(page, scores.locator('[data-plot]'), 0.01);
  await expect(scores.getByText('10 to 20: 2 of 30 businesses, 7%')).toBeVisible();

  const sales = await showCard(page, 'Where sales come from');
  await sales.locator('[data-place="3"]').hover();
  await expect(sales.getByText('Winter: Walk-in $3,100, Orders $5,400, Markets –')).toBeVisible();

  const others = card(page, 'Skills among other businesses');
  await others.locator('[data-place="6"]').hover();
  await expect(others.getByText('yours 43.8, too few others to show')).toBeVisible();

  const bloom = card(page, 'Eight skills');
  await bloom.locator('[data-place="3"]').hover();
  await expect(bloom.getByText('Sales and marketing: 78, Strong; before 63')).toBeVisible();
});

test('The keyboard steps through a chart, to its ends and out of it', async ({ page }) => {
  await page.goto(PAGE);
  const line = slider(page, 'Skills over time');
  await line.focus();
  await page.keyboard.press('Home');
  const at = (words: RegExp) => expect(line).toHaveAttribute('aria-valuetext', words);
  await at(/^Nov 2024: Sales and marketing 38 \(Developing\), Business planning 20 \(Starting\)$/);
  await page.keyboard.press('ArrowRight');
  await at(/^Mar 2025: Sales and marketing 50 \(Established\), Business planning –$/);
  await page.keyboard.press('End');
  await at(/^Nov 2026/);
  await page.keyboard.press('ArrowRight');
  await at(/^Nov 2026/);
  await expect(line).toHaveAttribute('aria-valuenow', '6');
  await page.keyboard.press('Escape');
  await at(/arrow keys/);

  await showCard(page, 'Answers to a survey');
  const rows = slider(page, 'Answers to a survey');
  await rows.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(rows).toHaveAttribute('aria-valuetext', /^My coach came prepared: 1, not at all 0/);
});

test('The legend hides and shows series, and the drawing follows', async ({ page }) => {
  await page.goto(PAGE);
  const title = 'Cash at the end of each month';
  const one = await showCard(page, title);
  const bank = one.getByRole('button', { name: 'In the bank' });
  const forecast = one.getByRole('button', { name: 'Forecast' });
  await bank.focus();
  await page.keyboard.press('Space');
  await expect(bank).toHaveAttribute('aria-pressed', 'false');
  // The remaining series have no negative values.
  await expect(one.getByText('−$5,000')).toHaveCount(0);
  await slider(page, title).press('End');
  await expect(one.getByText('Dec: Forecast $11,800')).toBeVisible();
  await forecast.click();
  await slider(page, title).press('Home');
  await expect(one.getByText('Jan: every series is turned off')).toBeVisible();
  await bank.click();
  await expect(one.getByText('−$5,000')).toBeVisible();
});

test('Bars are put in order, the unknown last', async ({ page }) => {
  await page.goto(PAGE);
  const one = await showCard(page, 'Left per hour of work');
  const heads = one.getByRole('rowheader');
  await expect(heads).toHaveText(['Kitchen', 'Measure and fit', 'Repairs', 'Advice by phone']);
  const order = one.getByRole('button', { name: 'Largest first' });
  await order.click();
  await expect(heads).toHaveText(['Measure and fit', 'Kitchen', 'Repairs', 'Advice by phone']);
  await order.click();
  await expect(heads.first()).toHaveText('Kitchen');
});
