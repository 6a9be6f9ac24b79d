import type { Page } from '@playwright/test';
import { expect, test } from './support/harness.ts';

test.use({ changesDemo: false });

const ARTICLE = '/pages/financial-literacy';
const SCRIPT = '**/CalculatorsScript*.js';

/** The break-even calculator of the guide: fixed costs 9,400, a price of 160, a cost of 56. */
function breakEven(page: Page) {
  const form = page.getByRole('form', { name: 'Calculator: Break-even' });
  return {
    form,
    fixed: form.getByLabel('Fixed costs a month'),
    price: form.getByLabel('Price of one sale'),
    answer: form.getByRole('status'),
    button: form.getByRole('button', { name: 'Work it out' }),
  };
}

test('An owner types their own numbers, and the answer follows', async ({ page }) => {
  await page.goto(ARTICLE);
  const { fixed, price, answer } = breakEven(page);
  await expect(answer).toContainText('91 sales a month');
  await price.fill('$1,060');
  await expect(answer).toContainText('10 sales a month');
  await fixed.fill('1,004');
  await expect(answer).toContainText('1 sale a month');
});

test('Nothing of a calculator is loaded before somebody reaches for one', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(ARTICLE, { waitUntil: 'networkidle' });
  expect(asked.filter((url) => url.includes('CalculatorsScript'))).toEqual([]);
  const { fixed } = breakEven(page);
  await Promise.all([page.waitForRequest(SCRIPT), fixed.focus()]);
});

test('What is no number is answered in words beside its field, and the answer waits', async ({
  page,
}) => {
  await page.goto(ARTICLE);
  const { price, answer } = breakEven(page);
  await price.fill('about 80');
  await expect(price).toHaveAttribute('aria-invalid', 'true');
  await expect(price).toHaveAccessibleDescription(/Write digits only/);
  await expect(answer).toHaveText('Mend “Price of one sale”, and the answer stands here again.');
  await price.fill('-5');
  await expect(price).toHaveAccessibleDescription(/Write 0 or more/);
  await price.fill('80');
  await expect(price).not.toHaveAttribute('aria-invalid');
  await expect(answer).toContainText('392 sales a month');
});

test('A price below the cost has no break-even, and overhead may be above the cost', async ({
  page,
}) => {
  await page.goto(ARTICLE);
  const { price, answer } = breakEven(page);
  await price.fill('50');
  await expect(answer).toContainText('No number of sales is enough');

  await page.goto('/pages/selling-to-government');
  const form = page.getByRole('form', { name: 'Calculator: Price' });
  await form.getByLabel('Overhead on top of that').fill('150');
  await expect(form.getByRole('status')).toContainText('Direct cost $4,004');
  await form.getByLabel('To be left of the price').fill('100');
  await expect(form.getByText('A share of the price is below 100%.')).toBeVisible();
});

test('By keyboard alone: Enter works it out at once, stays on the page, and leads to what is wrong', async ({
  page,
}) => {
  await page.goto(ARTICLE);
  const { fixed, price, answer, button } = breakEven(page);
  await fixed.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('1040');
  await page.keyboard.press('Enter');
  await expect(answer).toContainText('10 sales a month');
  await page.keyboard.press('Tab');
  await expect(price).toBeFocused();
  await page.keyboard.type('x');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(price).toBeFocused();
  await expect(price).toHaveAccessibleDescription(/Write digits only/);
  expect(new URL(page.url()).search).toBe('');
});

test('Enter before the script has come is answered once it has', async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(SCRIPT, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(ARTICLE);
  const { fixed, answer } = breakEven(page);
  await fixed.fill('2,080');
  await fixed.press('Enter');
  expect(new URL(page.url()).search).toBe('');
  release();
  await expect(answer).toContainText('20 sales a month');
});

test('Numbers that the browser puts back are the numbers that are answered', async ({ page }) => {
  await page.goto(ARTICLE);
  const first = breakEven(page);
  await first.fixed.fill('1,040');
  await expect(first.answer).toContainText('10 sales a month');
  await page.goto('/about');
  await page.goBack();
  const again = breakEven(page);
  await expect(again.fixed).toHaveValue('1,040');
  await expect(again.answer).toContainText('10 sales a month');
});

test.describe('When the script does not come', () => {
  test.use({ expectedConsole: /net::ERR_FAILED/ });

  test('the answer says so: it never stands beside numbers that it is not for', async ({
    page,
  }) => {
    await page.route(SCRIPT, (route) => route.abort());
    await page.goto(ARTICLE);
    const { price, answer } = breakEven(page);
    await expect(answer).toContainText('91 sales a month');
    await price.fill('70');
    await expect(answer).toHaveText('The calculator did not load. Reload the page to use it.');
    // What was typed is still there after it.
    await expect(price).toHaveValue('70');
  });
});

test.describe('Without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a calculator is an example worked out, says so, and sends nothing', async ({ page }) => {
    await page.goto(ARTICLE);
    const { fixed, answer, button, form } = breakEven(page);
    await expect(answer).toContainText('91 sales a month');
    // Playwright looks for no words in there unless it is sent there.
    await expect(form.locator('noscript p')).toBeVisible();
    await expect(form.locator('noscript p')).toContainText('Other numbers need JavaScript');
    await expect(button).toBeHidden();
    await fixed.press('Enter');
    expect(new URL(page.url()).search).toBe('');
  });
});

test('No id stands twice on a page with calculators', async ({ page }) => {
  await page.goto(ARTICLE);
  const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
