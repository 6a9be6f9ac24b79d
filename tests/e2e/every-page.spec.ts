import { readdirSync } from 'node:fs';
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { type Route, routes } from '#lib/routes.ts';
import { projectRoot } from '#server/settings.ts';
import { expect, type Persona, test } from './harness.ts';

const THEMES = ['light', 'dark'] as const;
/** The width at which everything must still work (WCAG 1.4.10, reflow). */
const NARROW = { width: 320, height: 700 };

const slugsIn = (collection: string) =>
  readdirSync(path.join(projectRoot, 'content', collection)).map((file) =>
    file.replace(/\.mdx?$/, ''),
  );

/** Addresses of a row that can be written without asking the database. */
function addressesOf({ path: pattern }: Route): string[] {
  if (!pattern.includes('[')) return [pattern];
  if (!pattern.endsWith('[slug]')) return [];
  const collection = pattern.split('/')[1] ?? '';
  return slugsIn(collection).map((slug) => pattern.replace('[slug]', slug));
}

async function staysWithin(page: Page, address: string): Promise<void> {
  await page.setViewportSize(NARROW);
  const beyond = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  // The page is laid out again in its own time after the window has changed.
  await expect
    .poll(beyond, { message: `pixels that ${address} scrolls sideways at 320 px` })
    .toBeLessThanOrEqual(0);
}

async function isRead(page: Page, address: string): Promise<void> {
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    const answer = await page.goto(address);
    expect(answer?.status(), address).toBe(200);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const { violations } = await new AxeBuilder({ page }).analyze();
    const said = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`,
    );
    expect(said, `axe on ${address}, ${theme}`).toEqual([]);
  }
  await staysWithin(page, address);
}

const open = routes.filter(({ guard }) => guard === 'none' || guard === 'home');
for (const address of open.flatMap(addressesOf)) {
  test(`A visitor reads ${address} in both themes and on a narrow phone`, async ({ page }) => {
    await isRead(page, address);
  });
}

test.describe('The mailbox', () => {
  // The frame of a mail runs no scripts, not even those of the test.
  test.use({ expectedConsole: [/Blocked script execution/] });

  test('is read in both themes by whoever tries the product', async ({ page, site }) => {
    await page.goto('/recover');
    await page.getByLabel('Email').fill('coach2@demo.test');
    await page.getByRole('button', { name: 'Send' }).click();
    await site.mail('coach2@demo.test', /password/i);
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      await page.goto('/_local/mailbox');
      const axe = new AxeBuilder({ page }).exclude('iframe').setLegacyMode();
      expect((await axe.analyze()).violations.map(({ id }) => id)).toEqual([]);
    }
    await staysWithin(page, '/_local/mailbox');
  });
});

const guarded: [Persona, string[]][] = [
  ['owner', routes.filter(({ guard }) => guard === 'auth').flatMap(addressesOf)],
  ['coach', ['/dashboard/coaching']],
  ['admin', routes.filter(({ guard }) => guard === 'admin').flatMap(addressesOf)],
];
for (const [persona, addresses] of guarded) {
  test(`The ${persona} reads every page of theirs in both themes and on a narrow phone`, async ({
    page,
    signIn,
  }) => {
    test.setTimeout(120_000);
    await signIn(page, persona);
    for (const address of addresses) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await isRead(page, address);
    }
  });
}

/** Addresses on a page that lead to one record: an attempt, an item of the toolbox. */
async function recordsOn(page: Page, address: string, pattern: RegExp): Promise<string[]> {
  await page.goto(address);
  const hrefs = await page
    .locator('main a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  return [...new Set(hrefs.filter((href) => pattern.test(href)))];
}

const ATTEMPT = /^\/dashboard\/skills\/quiz\/[0-9a-f-]{36}$/;

for (const persona of ['owner', 'owner2'] as const) {
  test(`The ${persona} reads their attempts and a tool in both themes and on a narrow phone`, async ({
    page,
    signIn,
  }) => {
    test.setTimeout(120_000);
    await signIn(page, persona);
    const attempts = await recordsOn(page, '/dashboard/skills', ATTEMPT);
    const tools = await recordsOn(page, '/dashboard/toolbox', /item=/);
    expect(attempts).not.toEqual([]);
    expect(tools).not.toEqual([]);
    for (const address of [...attempts.slice(0, 2), ...tools.slice(0, 2)]) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await isRead(page, address);
    }
  });
}

test.describe('A page that is not there, or not for this person', () => {
  test.use({ expectedConsole: [/the server responded with a status of 40[34]/] });

  for (const [address, status, title] of [
    ['/no-such-page', 404, 'Page Not Found'],
    ['/dashboard/skills/quiz/not-a-uuid', 404, 'Page Not Found'],
    ['/dashboard/skills/quiz/0198f0a0-1111-7222-8333-444455556666', 404, 'Page Not Found'],
    ['/admin', 403, /./],
  ] as const) {
    test(`says so in words at ${address}, with ${status} and a way out`, async ({
      page,
      signIn,
    }) => {
      await signIn(page, 'owner');
      for (const theme of THEMES) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        const answer = await page.goto(address);
        expect(answer?.status()).toBe(status);
        await expect(page).toHaveTitle(title);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id }) => id)).toEqual([]);
      }
      if (status === 404) await expect(page.getByText(`Page not found: ${address}`)).toBeVisible();
      await expect(page.locator('main').getByRole('link').first()).toBeVisible();
    });
  }
});

test('An owner with nothing yet reads empty pages that say what to do', async ({ page, site }) => {
  test.setTimeout(120_000);
  await page.goto('/register');
  await page.getByLabel('Your name').fill('Nora Blank');
  await page.getByLabel('Email').fill('nora.blank@example.test');
  await page.getByLabel('Password', { exact: true }).fill('three words walking');
  await page.getByRole('button', { name: 'Create account' }).click();
  const mail = await site.mail('nora.blank@example.test', /confirm/i);
  await page.goto(site.linkIn(mail));
  await page.getByRole('button', { name: /confirm/i }).click();
  await page.waitForURL(/\/dashboard/);
  for (const address of routes.filter(({ guard }) => guard === 'auth').flatMap(addressesOf)) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await isRead(page, address);
  }
});

test('No link on the built site leads nowhere', async ({ page, request }) => {
  test.setTimeout(120_000);
  const seen = new Set<string>();
  const waiting = ['/'];
  const broken: string[] = [];
  for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
    if (seen.has(address)) continue;
    seen.add(address);
    const answer = await request.get(address);
    if (answer.status() >= 400) broken.push(`${answer.status()} ${address}`);
    const made = routes.find((route) => addressesOf(route).includes(address))?.made;
    if (made !== 'built') continue;
    await page.goto(address);
    const hrefs = await page
      .locator('a[href^="/"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    const targets = hrefs.map((href) => href.replace(/[?#].*$/, ''));
    waiting.push(...targets.filter((target) => target !== '' && !seen.has(target)));
    const anchors = await page
      .locator('a[href^="#"]')
      .evaluateAll((links) =>
        links
          .map((link) => link.getAttribute('href')?.slice(1) ?? '')
          .filter((id) => id !== '' && document.getElementById(id) === null),
      );
    broken.push(...anchors.map((anchor) => `${address}#${anchor}`));
  }
  expect(broken).toEqual([]);
  expect(seen.size).toBeGreaterThan(15);
});
