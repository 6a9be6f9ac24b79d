import type { Page } from '@playwright/test';
import { expect, holdScripts, test } from '../support/harness.ts';

test.use({ changesDemo: false });

const ARTICLE = '/pages/financial-literacy';
const SCRIPT = '**/CalculatorsScript*.js';

/** The guide's break-even calculator: fixed costs of 10,000, a price of 160, a cost of 56. */
function breakEven(page: Page) {
  const form = page.getByRole('form', { name: 'Calculator: Break-even' });
  return {
    form,
    fixed: form.getByLabel('Fixed costs per month'),
    price: form.getByLabel('Price of one sale'),
    answer: form.getByRole('status'),
    button: form.getByRole('button', { name: 'Calculate' }),
  };
}

test('A reader types numbers; the answer follows or says what is wrong', async ({ page }) => {
  await page.goto(ARTICLE);
  const { fixed, price, answer } = breakEven(page);
  await expect(answer).toContainText('97 sales a month');
  await price.fill('$1,060');
  await expect(answer).toContainText('10 sales a month');
  await fixed.fill('1,004');
  await expect(answer).toContainText('1 sale a month');
  await price.fill('about 80');
  await expect(price).toHaveAttribute('aria-invalid', 'true');
  await expect(price).toHaveAccessibleDescription(/Use digits only/);
  await expect(answer).toHaveText('Fix “Price of one sale” to see the answer.');
  await price.fill('-5');
  await expect(price).toHaveAccessibleDescription(/Enter zero or more/);
  await price.fill('50');
  await expect(price).not.toHaveAttribute('aria-invalid');
  await expect(answer).toContainText('No number of sales will cover your costs');
});

test('Nothing of a calculator is loaded before it is focused', async ({ page }) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(ARTICLE, { waitUntil: 'networkidle' });
  expect(requests.filter((url) => url.includes('CalculatorsScript'))).toEqual([]);
  const { fixed } = breakEven(page);
  await Promise.all([page.waitForRequest(SCRIPT), fixed.focus()]);
});

test('By keyboard, Enter calculates, or moves to what is wrong', async ({ page }) => {
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
  await expect(price).toHaveAccessibleDescription(/Use digits only/);
  expect(new URL(page.url()).search).toBe('');
});

test('Enter before the script has come is answered once it has', async ({ page }) => {
  const release = await holdScripts(page, SCRIPT);
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

  test('the answer says so instead of showing an old one', async ({ page }) => {
    await page.route(SCRIPT, (route) => route.abort());
    await page.goto(ARTICLE);
    const { price, answer } = breakEven(page);
    await expect(answer).toContainText('97 sales a month');
    await price.fill('70');
    await expect(answer).toHaveText('The calculator didn’t load. Reload the page to use it.');
    // The input is still there afterward.
    await expect(price).toHaveValue('70');
  });
});

test.describe('Without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a calculator is an example worked out, says so, and sends nothing', async ({ page }) => {
    await page.goto(ARTICLE);
    const { fixed, answer, button, form } = breakEven(page);
    await expect(answer).toContainText('97 sales a month');
    // Playwright only finds text in `<noscript>` with an explicit locator.
    await expect(form.locator('noscript p')).toBeVisible();
    await expect(form.locator('noscript p')).toContainText('Turn on JavaScript to try your own');
    await expect(button).toBeHidden();
    await fixed.press('Enter');
    expect(new URL(page.url()).search).toBe('');
  });
});
