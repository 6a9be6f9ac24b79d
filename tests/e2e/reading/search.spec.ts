import type { Page } from '@playwright/test';
import { TRANSLATIONS } from '#domain/language.ts';
import { checkBothThemes, checkWidth } from '../support/axe.ts';
import { expect, test } from '../support/harness.ts';

test.use({ changesDemo: false });

const results = (page: Page) => page.getByRole('list', { name: 'Search results' });
const said = (page: Page) => page.locator('#search-status');
const field = (page: Page) => page.getByRole('searchbox', { name: 'Search for' });

/** URLs of the search index, for tests that block it. */
const INDEX = /\/pagefind\//;

test.describe('The search', () => {
  test('finds words of every kind of page', async ({ page }) => {
    for (const [kind, words, address] of [
      ['Article', 'canvas boxes', '/blog/business-model-canvas'],
      ['Guide', 'first employee payroll', '/pages/hiring-your-first-employee'],
      ['Case study', 'break-even forecast', '/case-studies/financial-projection'],
      ['Tool', 'overdue invoices', '/toolbox/overdue-invoices'],
      ['Event', 'office hours', '/events/'],
    ]) {
      await page.goto('/search');
      await field(page).fill(words ?? '');
      const found = results(page)
        .getByRole('listitem')
        .filter({ has: page.getByText(kind ?? '', { exact: true }) });
      const link = found.locator(`h2 a[href^="${address}"]`).first();
      await expect(link).toBeVisible();
      await expect(found.locator('mark').first()).toBeVisible();
      await expect(said(page)).toHaveText(/^\d+ pages? ha(s|ve) “/);
      const title = await link.textContent();
      await link.click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title ?? '');
    }
  });

  test('loads its scripts only once it is used', async ({ page }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto('/search', { waitUntil: 'networkidle' });
    expect(asked.filter((each) => /pagefind|search-page/.test(each))).toEqual([]);
    await field(page).focus();
    await expect.poll(() => asked.some((each) => each.includes('search-page'))).toBe(true);
    await field(page).fill('cash');
    await expect(results(page)).toBeVisible();
    expect(asked.some((each) => INDEX.test(each))).toBe(true);
  });

  test('is filtered by kind, shared by address, and undone by Back', async ({ page, context }) => {
    await page.goto('/search?q=cash');
    await expect(results(page)).toBeVisible();
    const before = await said(page).textContent();
    const box = page.getByRole('checkbox', { name: /^Guides/ });
    const guides = Number((await box.locator('xpath=..').textContent())?.replace(/\D/g, ''));
    expect(guides).toBeGreaterThan(0);
    await box.check();
    await expect(said(page)).toContainText('of the chosen kinds have “cash”; ');
    await expect(results(page).getByRole('listitem').locator('[data-kind]')).toHaveText(
      Array.from({ length: Math.min(guides, 10) }, () => 'Guide'),
    );
    await expect(page).toHaveURL(/\/search\?q=cash&kind=Guide$/);

    const shared = await context.newPage();
    await shared.goto(page.url());
    await expect(said(shared)).toHaveText((await said(page).textContent()) ?? '');
    await expect(shared.getByRole('checkbox', { name: /^Guides/ })).toBeChecked();
    await expect(field(shared)).toHaveValue('cash');

    await page.goBack();
    await expect(box).not.toBeChecked();
    await expect(said(page)).toHaveText(before ?? '');
  });

  test('shows ten at a time, and the focus goes to the first new one', async ({ page }) => {
    await page.goto('/search?q=business');
    const items = results(page).locator('> li');
    await expect(items).toHaveCount(10);
    await expect(said(page)).toContainText('Showing the first 10.');
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect(items).toHaveCount(20);
    await expect(items.nth(10).locator('h2 a')).toBeFocused();
    await expect(page).toHaveURL(/shown=20/);
    await page.reload();
    await expect(items).toHaveCount(20);
  });

  test('says so where nothing is found, whatever was typed', async ({ page }) => {
    const typed = '<img src=x onerror=alert(1)> "%s" \\ ../';
    await page.goto(`/search?q=${encodeURIComponent(typed)}&kind=Nonsense&shown=-3`);
    await expect(said(page)).toContainText(`“${typed}”`);
    await expect(page.locator('main img')).toHaveCount(0);
    await field(page).fill('xylophonequartz');
    await expect(said(page)).toHaveText('No pages have “xylophonequartz”.');
    await expect(page.getByText('Try fewer words')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Or browse' })).toBeVisible();
  });

  test('is accessible with results, filters and without any', async ({ page }) => {
    for (const q of ['cash', 'xylophonequartz'.repeat(6)]) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(`/search?q=${q}&kind=Article`);
      await expect(said(page)).toHaveText(/“/);
      await checkBothThemes(page);
      await checkWidth(page, 320);
    }
  });
});

test.describe('Without its index', () => {
  test.use({ expectedConsole: /Failed to load resource|Failed to fetch|pagefind|Pagefind/ });

  test('the search says so, keeps what was typed, and tries again', async ({ page }) => {
    await page.route(INDEX, (route) => route.abort());
    await page.goto('/search');
    await field(page).fill('break-even');
    await expect(page.getByRole('alert')).toContainText('isn’t working right now');
    await expect(field(page)).toHaveValue('break-even');
    await page.unroute(INDEX);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(results(page).locator('> li').first()).toBeVisible();
    await expect(page.getByRole('alert')).toBeHidden();
    await expect(field(page)).toHaveValue('break-even');
  });

  test('a part that does not come is never taken for "nothing found"', async ({ page }) => {
    await page.goto('/search?q=cash');
    await expect(results(page)).toBeVisible();
    await page.route(INDEX, (route) => route.abort());
    await field(page).fill('insurance');
    await expect(page.getByRole('alert')).toBeVisible();
    await expect(said(page)).toHaveText('');
    await page.unroute(INDEX);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(results(page).locator('mark').first()).toBeVisible();
  });

  test('so does a search whose own script does not come', async ({ page }) => {
    await page.route(/search-page/, (route) => route.abort());
    await page.goto('/search');
    await field(page).fill('cash');
    await expect(page.getByRole('alert')).toBeVisible();
    await page.unroute(/search-page/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page).toHaveURL(/q=cash/);
    await expect(results(page).locator('> li').first()).toBeVisible();
  });
});

test.describe('Without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the page says that the search needs them and leads to every list', async ({ page }) => {
    await page.goto('/search?q=cash');
    await expect(page.locator('main noscript p')).toContainText('needs JavaScript');
    await expect(page.locator('main noscript p')).toBeVisible();
    await expect(field(page)).toBeHidden();
    const around = page.locator('#search-browse');
    for (const name of [
      'Blog',
      'Case studies',
      'Events',
      'How much can my business afford to borrow?',
      'site map',
    ]) {
      await expect(around.getByRole('link', { name, exact: true })).toBeVisible();
    }
  });
});

test('What is found is every page of the site map, and nothing hidden', async ({ page }) => {
  await page.goto('/search');
  const indexed = await page.evaluate(async () => {
    const address = '/pagefind/pagefind.js';
    const { createInstance } = await import(address);
    const { search } = createInstance({ noWorker: true });
    const { results } = await search(null);
    const pages = await Promise.all(
      results.map((each: { data: () => Promise<{ url: string }> }) => each.data()),
    );
    return pages.map(({ url }) => url);
  });
  const map = await (await page.request.get('/sitemap-0.xml')).text();
  const listed = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)]
    .map(([, address = '']) => new URL(address).pathname)
    // Except the search page, and lists of pages that are indexed themselves.
    .filter((each) => !/^\/(search$|blog\/(page|tags)\/)/.test(each))
    // The search is in English: pages in other languages have an index of their own.
    .filter((each) => !TRANSLATIONS.some((code) => `${each}/`.startsWith(`/${code}/`)));
  expect(listed.length).toBeGreaterThan(50);
  expect(indexed.toSorted()).toEqual(listed.toSorted());
});
