import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, test as harness } from '../support/harness.ts';

const test = harness.extend<{ counted: () => Promise<Record<string, number>> }>({
  counted: async ({ site }, use) => {
    const { sql } = site;
    await sql`truncate public.page_views`;
    await use(async () => {
      const rows = await sql`select route, path, views::int from public.page_views`;
      return Object.fromEntries(rows.map(({ route, path, views }) => [`${route} ${path}`, views]));
    });
  },
});

const VIEWS = '/functions/v1/page-view';

/** Opens a page and waits until its view is counted. */
async function seen(page: Page, open: () => Promise<unknown>): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().endsWith(VIEWS));
  await open();
  expect((await answered).status()).toBe(204);
}

/** The URLs of page-view requests that this page sends. */
function sent(page: Page): string[] {
  const addresses: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith(VIEWS)) addresses.push(request.url());
  });
  return addresses;
}

test.use({ changesDemo: false });

test.describe('With their wish not to be followed', () => {
  for (const name of ['doNotTrack', 'globalPrivacyControl']) {
    test(`no view is counted: ${name}`, async ({ page, counted }) => {
      await page.addInitScript((key) => {
        const said = key === 'doNotTrack' ? '1' : true;
        Object.defineProperty(navigator, key, { get: () => said });
      }, name);
      const addresses = sent(page);
      await page.goto('/about', { waitUntil: 'networkidle' });
      expect(addresses).toEqual([]);
      expect(await counted()).toEqual({});
    });
  }
});

test('A view counts once, with its route and without its query', async ({ page, counted }) => {
  await seen(page, () => page.goto('/about?utm_source=mail#top'));
  await seen(page, () => page.goto('/case-studies/business-planning'));
  await page.waitForLoadState('networkidle');
  expect(await counted()).toEqual({
    '/about /about': 1,
    '/case-studies/[slug] /case-studies/business-planning': 1,
  });
  expect(await page.context().cookies()).toEqual([]);
  expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
});

test.describe('Addresses that say something about a person', () => {
  test.use({ expectedConsole: /status of 404/ });

  test('are not stored: neither ids nor what was mistyped', async ({ page, signIn, counted }) => {
    await page.goto('/nobody@example.test', { waitUntil: 'networkidle' });
    await signIn(page, 'owner');
    await page.goto(`/dashboard/skills/quiz/${crypto.randomUUID()}`, { waitUntil: 'networkidle' });
    await page.goto('/dashboard/skills', { waitUntil: 'networkidle' });
    await expect.poll(counted).toMatchObject({ '/dashboard/skills /dashboard/skills': 1 });
    const views = await counted();
    expect(views['unknown unknown']).toBeGreaterThan(0);
    expect(JSON.stringify(views)).not.toMatch(/nobody|[0-9a-f]{8}-[0-9a-f]{4}/);
  });
});

test('What counts weighs less than 400 bytes', async ({ request }) => {
  const script = await (await request.get('/insights/script.js')).body();
  expect(gzipSync(script).length).toBeLessThan(400);
});

test('Going back to a page counts again', async ({ page, counted }) => {
  await seen(page, () => page.goto('/about'));
  await seen(page, () =>
    page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))),
  );
  expect(await counted()).toEqual({ '/about /about': 2 });
});

test('A page that is made ready early is seen when it is shown', async ({ page, counted }) => {
  await page.addInitScript(() => {
    Object.defineProperty(document, 'prerendering', { get: () => true });
  });
  const addresses = sent(page);
  await page.goto('/about', { waitUntil: 'networkidle' });
  expect(addresses).toEqual([]);
  await seen(page, () =>
    page.evaluate(() => document.dispatchEvent(new Event('prerenderingchange'))),
  );
  expect(await counted()).toEqual({ '/about /about': 1 });
});
