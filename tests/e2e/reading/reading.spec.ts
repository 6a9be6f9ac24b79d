import { setTimeout } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/harness.ts';

declare global {
  interface Window {
    /** Background colors of the frames painted so far. */
    paints: Set<string>;
  }
}

test.use({ changesDemo: false });

/** Slows the network down, so that pages arrive in pieces and are painted incomplete. */
async function slowly(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Network.enable');
  await browser.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 40,
    downloadThroughput: 16 * 1024,
    uploadThroughput: 16 * 1024,
  });
}

/**
 * Collects the background color of every painted frame, across navigations, to catch a flash of the
 * wrong theme.
 */
async function watchPaints(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const seen = new Set<string>();
    window.paints = seen;
    const look = () => {
      if (document.body) seen.add(getComputedStyle(document.body).backgroundColor);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  return () =>
    page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return [...window.paints];
    });
}

const background = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test.describe('The theme that a reader chose', () => {
  for (const [system, chosen] of [
    ['light', 'Dark'],
    ['dark', 'Light'],
  ] as const) {
    test(`${chosen}, on a ${system} system, is painted on every page`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: system });
      await page.goto('/about');
      const before = await background(page);
      await page.getByRole('button', { name: chosen, exact: true }).click();
      const after = await background(page);
      expect(after).not.toBe(before);

      await slowly(page);
      const paints = await watchPaints(page);
      const header = page.getByRole('navigation', { name: 'Main' });
      await header.getByRole('link', { name: 'Coaching' }).click();
      await page.waitForURL('/coaching');
      expect(await paints()).toEqual([after]);
      await header.getByRole('link', { name: 'Blog' }).click();
      await page.waitForURL('/blog');
      expect(await paints()).toEqual([after]);
      await page.reload();
      expect(await paints()).toEqual([after]);

      const pressed = page.getByRole('button', { name: chosen, exact: true });
      await expect(pressed).toHaveAttribute('aria-pressed', 'true');
      const bar = page.locator('meta[name=theme-color][media=all]');
      await expect(bar).toHaveAttribute('data-for', chosen.toLowerCase());
      await page.getByRole('button', { name: 'System', exact: true }).click();
      expect(await background(page)).toBe(before);
    });
  }
});

test.describe('Going from page to page', () => {
  test('leaves the console silent on a slow connection', async ({ page }) => {
    await page.goto('/');
    // A cross-page view transition would abort with an error if the next page loads late.
    await page.route(/\.css$|\/(about|pricing)$/, async (route) => {
      await setTimeout(30);
      await route.continue();
    });
    for (const path of ['/pricing', '/about', '/pricing', '/about']) {
      await page.evaluate((to) => location.assign(to), path);
      await page.waitForURL(`**${path}`);
    }
    // Console messages from before the first paint arrive a moment later.
    await page.evaluate(() => new Promise(requestAnimationFrame));
  });

  test('a reader goes by keyboard to the content and around the header', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto('/blog');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();
    const header = page.getByRole('navigation', { name: 'Main' });
    expect(await header.getByRole('link').count()).toBeLessThanOrEqual(6);
    await expect(header.getByRole('link', { name: 'Blog' })).toHaveAttribute(
      'aria-current',
      'page',
    );
  });

  test('on a phone the menu opens and closes by keyboard and leads on', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto('/about');
    const button = page.getByRole('button', { name: 'Menu' });
    const menu = page.getByRole('navigation', { name: 'Menu' });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(menu).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(button).toBeFocused();
    await page.keyboard.press('Enter');
    await menu.getByRole('link', { name: 'Pricing' }).click();
    await page.waitForURL('/pricing');
  });
});

test.describe('From article to article', () => {
  test('a reader goes back, forth, and to others on the subject', async ({ page }) => {
    await page.goto('/blog');
    const newest = page.locator('main li h2 a').first();
    const title = (await newest.textContent()) ?? '';
    await newest.click();
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByText(/\d+-minute read/).first()).toBeVisible();

    const beside = page.getByRole('navigation', { name: 'Before and after this article' });
    await expect(beside.getByRole('link')).toHaveCount(1);
    await beside.getByRole('link', { name: /^Earlier article/ }).click();
    await beside.getByRole('link', { name: /^Later article/ }).click();
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();

    const next = page.locator('section').filter({ hasText: 'Read next' });
    await expect(next.getByRole('heading', { level: 3 })).toHaveCount(2);
    await expect(next.getByRole('link', { name: title, exact: true })).toHaveCount(0);

    const subjects = page.getByRole('navigation', { name: 'Topics in this article' });
    await subjects.getByRole('link').first().click();
    await expect(page.getByRole('heading', { level: 1, name: /^Articles: / })).toBeVisible();
    await expect(
      page.getByRole('main').getByRole('link', { name: title, exact: true }),
    ).toBeVisible();
    const topics = page.getByRole('navigation', { name: 'Articles by topic' });
    await topics.getByRole('link', { name: 'All' }).click();
    await page.waitForURL('/blog');
  });
});

test.describe('Without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a reader opens an article’s contents and an answer on prices', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/blog/what-ive-learned');
    const contents = page.getByRole('navigation', { name: 'On this page' });
    await contents.getByText('On this page').click();
    const first = contents.getByRole('link').first();
    const title = await first.textContent();
    await first.click();
    await expect(page.getByRole('heading', { name: title?.trim() ?? '' })).toBeInViewport();

    await page.goto('/pricing');
    const question = page.locator('details').first();
    await question.locator('summary').click();
    await expect(question.locator('p').first()).toBeVisible();
  });

  test('each time that something is held has its date and its time zone', async ({ page }) => {
    await page.goto('/events');
    const times = page.locator('main time[datetime]');
    const said = await times.allTextContents();
    expect(said.length).toBeGreaterThan(3);
    for (const text of said) expect(text).toMatch(/day, .+ \d{1,2}(, \d{4})?, .+\s[A-Z]{2,4}T$/);
  });
});

test.describe('As days pass without a new build', () => {
  test('what is over leaves the list of what comes, and joins what has been', async ({ page }) => {
    const coming = page.locator('main li[data-ends]:not([data-past])');
    const been = page.locator('main li[data-past]');
    const shown = (all: typeof coming) =>
      all.evaluateAll((items) => items.filter((item) => !(item as HTMLElement).hidden).length);
    const goOn = async (time: Date) => {
      await page.clock.setFixedTime(time);
      await page.goto('/events');
    };
    const begin = new Date('2020-01-01T00:00:00Z');
    await goOn(begin);
    const ends = await coming.evaluateAll((items) =>
      items.map((item) => Date.parse((item as HTMLElement).dataset.ends ?? '')).sort(),
    );
    expect(ends.length).toBeGreaterThan(3);
    expect([await shown(coming), await shown(been)]).toEqual([ends.length, 0]);

    // A row shows its next date alone.
    const dates = coming.first().locator('p[data-ends]');
    await expect(dates.nth(0)).toBeVisible();
    await expect(dates.nth(1)).toBeHidden();
    await goOn(
      new Date(Date.parse((await dates.first().getAttribute('data-ends')) ?? '') + 60_000),
    );
    await expect(dates.nth(0)).toBeHidden();
    await expect(dates.nth(1)).toBeVisible();
    expect(await shown(coming)).toBe(ends.length);

    const soonest = ends[0] ?? 0;
    await goOn(new Date(soonest + 60_000));
    expect(await shown(coming)).toBe(ends.filter((end) => end > soonest).length);

    await goOn(new Date((ends.at(-1) ?? 0) + 60_000));
    expect([await shown(coming), await shown(been)]).toEqual([0, await been.count()]);
    expect(await been.count()).toBeGreaterThan(0);
  });

  test('a reader elsewhere also sees times on their own clock', async ({ browser, baseURL }) => {
    const context = await browser.newContext({
      timezoneId: 'Europe/Berlin',
      ...(baseURL ? { baseURL } : {}),
    });
    const page = await context.newPage();
    await page.goto('/events');
    await expect(page.locator('main li:not([hidden])').first()).toContainText(
      /M[SD]T \((\w{3},?\s)?\d{1,2}:\d{2}\s[AP]M your time\)/,
    );
    await context.close();
  });
});
