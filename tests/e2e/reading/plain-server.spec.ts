import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '#backend/local/project-root.ts';
import { ensureBuild } from '#server/build.ts';
import { servePlainly } from '../../fixtures/plain-server.ts';
import { expect, test as harness } from '../support/harness.ts';
import { quizIsLive } from '../support/quiz-steps.ts';

/** Serves the built files with a static server that knows nothing about the product. */
const test = harness.extend<object, { client: string; plain: string }>({
  client: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the first parameter's shape
    async ({}, use) => {
      const { client } = await ensureBuild({ projectRoot, dataDir: tmpdir(), log: () => {} });
      await use(client);
    },
    { scope: 'worker' },
  ],
  plain: [
    async ({ client }, use) => {
      const server = await servePlainly(client);
      await use(server.url);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ plain }, use) => use(plain),
});

test.use({ changesDemo: false });

test.describe('Behind any plain web server', () => {
  for (const address of [
    '/',
    '/about',
    '/case-studies/business-planning',
    '/toolbox',
    '/pricing',
  ]) {
    test(`a visitor reads ${address} and follows its links`, async ({ page, client, request }) => {
      const answer = await page.goto(address, { waitUntil: 'networkidle' });
      expect(answer?.status()).toBe(200);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      // Styles and fonts load too, not only text.
      const family = await page.evaluate(() => getComputedStyle(document.body).fontFamily);
      expect(family).toMatch(/Figtree/);
      const hrefs = await page
        .locator('a[href^="/"]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
      const built = [...new Set(hrefs.map((href) => href.replace(/[?#].*$/, '')))].filter((href) =>
        existsSync(path.join(client, href)),
      );
      expect(built.length).toBeGreaterThan(5);
      for (const href of built) expect((await request.get(href)).status(), href).toBe(200);
    });
  }

  test('a visitor takes the first look to its first answer, unobserved', async ({ page }) => {
    const counted: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/page-view')) counted.push(request.url());
    });
    await page.goto('/pages/business-skills-quiz');
    await quizIsLive(page);
    await page.waitForLoadState('networkidle');
    await page.getByRole('radio').first().check({ force: true });
    await page.keyboard.press('Enter');
    await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuetext', /^1 of 8 /);
    expect(counted).toEqual([]);
  });

  test('a visitor searches, in a theme that stays chosen', async ({ page }) => {
    await page.goto('/about');
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.goto('/search?q=canvas');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    const first = page.getByRole('list', { name: 'Search results' }).locator('h2 a').first();
    await first.click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });

  test('an address on a flyer redirects, without scripts too', async ({ page, browser, plain }) => {
    await page.goto('/newmexicoworkshops?from=flyer');
    await expect(page).toHaveURL(/\/events\/?\?from=flyer$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Events');
    const context = await browser.newContext({ javaScriptEnabled: false });
    const without = await context.newPage();
    await without.goto(`${plain}/newmexicoworkshops`);
    await expect(without).toHaveURL(/\/events\/?$/);
    await context.close();
  });
});
