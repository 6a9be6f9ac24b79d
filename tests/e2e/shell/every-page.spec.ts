import type { Page } from '@playwright/test';
import { IDLE } from '#lib/browser/when-idle.ts';
import { routes } from '#lib/routing/routes.ts';
import { addressesOf } from '../../fixtures/addresses.ts';
import { register } from '../support/account-steps.ts';
import {
  checkAccessibility,
  checkBothThemes,
  checkWidth,
  findInBothThemes,
} from '../support/axe.ts';
import { expect, test } from '../support/harness.ts';

declare global {
  interface Window {
    moved: number;
    readMoved: () => number;
  }
}

test.use({ changesDemo: false });

// Each test opens its own pages and changes nothing that another one reads.
test.describe.configure({ mode: 'parallel' });

/** The width at which everything must still work (WCAG 1.4.10, reflow). */
const NARROW = 320;
/** The layout shift that nobody notices. */
const STILL = 0.005;
const PHONE = { width: 360, height: 800 };
const WIDE = { width: 1280, height: 800 };

/** All but the first two pages of each template: they only differ in text, not in colors. */
const alike = new Set(routes.flatMap((route) => addressesOf(route).slice(2)));

/** Checks pages one after another in the same tab, which is faster than opening a tab for each. */
async function areRead(
  page: Page,
  addresses: readonly string[],
  onPhone?: (address: string) => Promise<void>,
): Promise<void> {
  test.setTimeout(60_000 + addresses.length * 10_000);
  for (const address of addresses) {
    // A page that's checked on a phone loads there, and is then read on a wider screen.
    await page.setViewportSize(onPhone ? PHONE : WIDE);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    const answer = await page.goto(address);
    expect(answer?.status(), address).toBe(200);
    await expect(page.getByRole('heading', { level: 1 }), address).toBeVisible();
    await onPhone?.(address);
    if (onPhone) await page.setViewportSize(WIDE);
    if (alike.has(address)) await checkAccessibility(page, `axe on ${address}`);
    else await checkBothThemes(page, `axe on ${address}`);
    await checkWidth(page, NARROW, `pixels that ${address} scrolls sideways at ${NARROW} px`);
  }
}

test('What cannot be read in one theme only is found in that one', async ({ page }) => {
  await page.setContent(
    `<html lang="en"><title>Dim</title><style>
      @media (prefers-color-scheme: dark) { p { color: #333; background: #222; transition: color 9s } }
    </style><main><h1>Dim</h1><p>Words</p><img src="data:,"></main></html>`,
  );
  expect(await findInBothThemes(page)).toEqual([
    expect.stringContaining('light: image-alt: <img'),
    expect.stringContaining('dark: color-contrast: <p'),
  ]);
});

const open = routes
  .filter(({ guard }) => guard === 'none' || guard === 'home')
  .flatMap(addressesOf);
for (let first = 0; first < open.length; first += 10) {
  const some = open.slice(first, first + 10);
  test(`A visitor reads ${some[0]} to ${some.at(-1)} in both themes`, async ({ page }) => {
    await areRead(page, some);
  });
}

test.describe('The mailbox', () => {
  // An email's iframe blocks all scripts, including the test's. This test has its own site, because
  // a mailbox with every test's email takes long to check.
  test.use({ expectedConsole: /Blocked script execution/, changesDemo: true });

  test('is read in both themes', async ({ page, site }) => {
    await page.goto('/recover');
    await page.getByLabel('Email').fill('coach2@demo.test');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await site.mail('coach2@demo.test', /password/i);
    await page.goto('/_local/mailbox');
    expect(await findInBothThemes(page, (axe) => axe.exclude('iframe'))).toEqual([]);
    await checkWidth(page, NARROW);
  });

  test('of examples, with every email in its forms, is read in both themes', async ({ page }) => {
    await page.goto('/dev/emails');
    await expect(page.getByRole('region', { name: 'After subscribing, plain text' })).toContainText(
      'You’re on the list',
    );
    await checkWidth(page, NARROW);
    // Axe waits for each frame, and the sections only differ in what's in theirs.
    await page.locator('section').evaluateAll((sections) => {
      for (const each of sections.slice(2)) each.remove();
    });
    expect(await findInBothThemes(page, (axe) => axe.exclude('iframe'))).toEqual([]);
  });
});

const guarded: [string, string[]][] = [
  ['owner', routes.filter(({ guard }) => guard === 'auth').flatMap(addressesOf)],
  ['coach', ['/dashboard', '/dashboard/coaching', '/dashboard/coaching/settings']],
  ['admin', routes.filter(({ guard }) => guard === 'admin').flatMap(addressesOf)],
];
/** Adds up, on every page of this tab, how much has moved without the person's doing. */
const watchMovement = (page: Page) =>
  page.addInitScript(() => {
    const add = (shifts: PerformanceEntry[]) => {
      for (const shift of shifts) window.moved += Reflect.get(shift, 'value');
    };
    window.moved = 0;
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    window.readMoved = () => {
      add(observer.takeRecords());
      return window.moved;
    };
  });

/** How much of the page has moved (layout shift), once it's hydrated and has nothing left to do. */
async function movedOn(page: Page): Promise<number> {
  await expect(page.locator('astro-island[ssr][client="load"]')).toHaveCount(0);
  return page.evaluate(
    (idle) =>
      new Promise<number>((resolve) => {
        requestIdleCallback(
          // Two frames later, what hydration changed is drawn.
          () =>
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(window.readMoved()))),
          idle,
        );
      }),
    IDLE,
  );
}

test('What moves without the person’s doing is seen', async ({ page }) => {
  await watchMovement(page);
  await page.goto('/login');
  expect(await movedOn(page)).toBeLessThanOrEqual(STILL);
  await page.evaluate(() =>
    document.body.prepend(Object.assign(document.createElement('div'), { style: 'height: 90px' })),
  );
  expect(await movedOn(page)).toBeGreaterThan(STILL);
});

for (const [persona, addresses] of guarded) {
  test(`The ${persona} reads their pages in both themes, and nothing moves on a phone`, async ({
    page,
    signIn,
  }) => {
    await signIn(page, persona);
    await watchMovement(page);
    await areRead(page, addresses, async (address) => {
      expect.soft(await movedOn(page), `how much moves on ${address}`).toBeLessThanOrEqual(STILL);
    });
  });
}

/** URLs on a page that link to a single record, such as an attempt or a toolbox item. */
async function recordsOn(page: Page, address: string, pattern: RegExp): Promise<string[]> {
  await page.goto(address);
  const hrefs = await page
    .locator('main a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  return [...new Set(hrefs.filter((href) => pattern.test(href)))];
}

for (const [persona, list, pattern] of [
  ['owner', '/dashboard/skills', /\/skills\/quiz\/[0-9a-f-]{36}$/],
  ['owner2', '/dashboard/skills', /\/skills\/quiz\/[0-9a-f-]{36}$/],
  ['owner', '/dashboard/toolbox', /item=/],
  ['owner', '/dashboard/messages', /\/conversations\//],
  ['coach', '/dashboard/messages', /\/conversations\//],
  ['admin', '/admin/people', /\/people\/[0-9a-f-]{36}$/],
  ['admin', '/admin/businesses', /\/admin\/businesses\/[0-9a-f-]{36}$/],
  ['admin', '/admin/contacts-summary', /\/contacts-summary\/[0-9a-f-]{36}$/],
  ['admin', '/admin/projects', /\/projects\/[0-9a-f-]{36}$/],
] as const) {
  test(`The ${persona} reads records of ${list} in both themes`, async ({ page, signIn }) => {
    await signIn(page, persona);
    const records = await recordsOn(page, list, pattern);
    expect(records).not.toEqual([]);
    await areRead(page, records.slice(0, 2));
  });
}

test('An owner reads every page of a business in both themes', async ({ page, signIn }) => {
  await signIn(page, 'owner');
  const [business = ''] = await recordsOn(
    page,
    '/dashboard/businesses',
    /\/businesses\/[0-9a-f-]{36}$/,
  );
  await areRead(page, [
    business,
    ...['edit', 'plan', 'forecast'].map((page) => `${business}/${page}`),
  ]);
});

test.describe('A page that is not there, or not for this person', () => {
  test.use({ expectedConsole: /the server responded with a status of 40[34]/ });
  const unknownQuiz = '/dashboard/skills/quiz/0198f0a0-1111-7222-8333-444455556666';

  test('says so in words, with a status and a way out', async ({ page, signIn }) => {
    // Visitors have to sign in before they learn whether a page exists, unless its id is malformed.
    expect((await page.goto('/dashboard/skills/quiz/123'))?.status()).toBe(404);
    await page.goto(unknownQuiz);
    await expect(page).toHaveURL(/\/login\?next=/);
    await signIn(page, 'owner');
    for (const [address, status, heading] of [
      ['/no-such-page', 404, /./],
      ['/dashboard/skills/quiz/not-a-uuid', 404, /./],
      [unknownQuiz, 404, /./],
      ['/admin', 403, 'Not for this account'],
    ] as const) {
      const answer = await page.goto(address);
      expect(answer?.status()).toBe(status);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
      await checkBothThemes(page, address);
      if (status === 404) {
        await expect(page).toHaveTitle('Page Not Found');
        await expect(page.getByText(`Page not found: ${address}`)).toBeVisible();
      }
      if (status === 403) await expect(page.getByText('Overview')).toHaveCount(0);
      await expect(page.locator('main').getByRole('link').first()).toBeVisible();
    }
  });
});

test('An owner with nothing yet reads empty pages that say what to do', async ({ page, site }) => {
  await register(page, site, 'nothing-yet');
  // The profile and the forms are the same for everyone.
  const lists = ['/dashboard', '/dashboard/skills', '/dashboard/coaching', '/dashboard/projects'];
  await areRead(page, [...lists, '/dashboard/businesses', '/dashboard/messages']);
});

test('Every page rendered on demand shows visitors itself or sign-in', async ({ request }) => {
  // Prerendered pages and links to them are checked as files, in tests/site.
  for (const address of routes
    .filter(({ rendering }) => rendering === 'on-demand')
    .flatMap(addressesOf)) {
    const answer = await request.get(address);
    expect(answer.status(), address).toBe(200);
    expect([address, '/login'], address).toContain(new URL(answer.url()).pathname);
  }
});
