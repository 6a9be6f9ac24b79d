import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  chromium,
  expect,
  type Page,
} from '@playwright/test';
import type { Sql } from 'postgres';
import { demoPassword } from '#backend/local/demo/accounts.ts';
import { IDLE } from '#lib/browser/when-idle.ts';
import type { BrowserChoice } from '../../fixtures/browser.ts';
import { createTestDatabase } from '../../fixtures/database.ts';
import { addSession } from './session.ts';
import { type SiteProcess, startSite } from './site-process.ts';

export { expect };

/** What a browser logs to the console when a test rejects a request or cuts the connection. */
export const CUT =
  /Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_)|WebSocket connection to/;

/** The same, when the connection is cut while the browser looks for a service worker. */
export const CUT_FROM_WORKER = new RegExp(
  `${CUT.source}|An unknown error occurred when fetching the script`,
);

/** An email in the test mailbox. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  sentAt: string;
}

/** A running site with its own database of pristine demo data. */
export interface Site extends SiteProcess {
  /** For tests to set up or look up data. */
  sql: Sql;
  /** All emails to an address, newest first. */
  mails(to: string): Promise<Mail[]>;
  /** Waits for an email with a matching subject; returns the newest one. */
  mail(to: string, subject: RegExp): Promise<Mail>;
  /** The URL on this site that the email links to. */
  linkIn(mail: Mail): string;
}

interface WorkerFixtures {
  /**
   * The site for one test file, stopped when the next file requests its own; or, for null, the site
   * shared by all files that don't change the demo data. A file's first test says its settings.
   */
  siteFor: (file: string | null, settings: Record<string, string>) => Promise<Site>;
}

interface TestFixtures {
  site: Site;
  /** Whether the file's tests change demo accounts' data; most files create their own people. */
  changesDemo: boolean;
  /** Settings of the file's own site, besides those of every test; see `.env.example`. */
  siteSettings: Record<string, string>;
  /** The demo account that all tests of a file are signed in as; none by default. */
  as: string | null;
  /** Signs this browser in as a demo account, or by email address, and leaves the page it's on. */
  signIn: (page: Page, who: string) => Promise<void>;
  /** Opens a page on another device, signed in or (null) as a visitor. It closes with the test. */
  elsewhere: (who: string | null, options?: BrowserContextOptions) => Promise<Page>;
  /** Console messages that the test expects; all others make it fail. */
  expectedConsole: RegExp | null;
  silentConsole: undefined;
}

/** Procedures that only read, by their names; they're asked with POST as well. */
const READS = /\/rpc\/\w*(page|list|read|search|count)/;

/**
 * With TEST_LATE_WRITES=1, the server hears of what a page writes 150 to 850 ms late. A test that
 * reloads, undoes or looks into the database before the answer fails then, instead of once a week.
 */
async function delayWrites(context: BrowserContext): Promise<void> {
  if (!process.env.TEST_LATE_WRITES) return;
  await context.route('**/rest/v1/**', async (route) => {
    const request = route.request();
    if (request.method() !== 'GET' && !READS.test(request.url()))
      await new Promise((resolve) => setTimeout(resolve, 150 + Math.random() * 700));
    // The page may be closed by now.
    await route.continue().catch(() => {});
  });
}

/**
 * Makes `page.route` wait until the route is active in the page. Otherwise, about one in thirty
 * requests sent by a key press right after it bypass the route, because browsers handle keys first.
 */
function routeInOrder(page: Page): Page {
  const route = page.route.bind(page);
  page.route = async (...args) => {
    const added = await route(...args);
    await page.evaluate(() => {});
    return added;
  };
  return page;
}

function withMail(site: SiteProcess, sql: Sql): Site {
  const mails = async (to: string) => {
    const response = await fetch(`${site.url}/_local/mailbox.json`);
    const all = (await response.json()) as Mail[];
    return all.filter((mail) => mail.to.toLowerCase() === to.toLowerCase());
  };
  return {
    ...site,
    sql,
    mails,
    async mail(to, subject) {
      let found: Mail | undefined;
      await expect
        .poll(
          async () => {
            found = (await mails(to)).find((mail) => subject.test(mail.subject));
            return found !== undefined;
          },
          { message: `a mail to ${to} about ${subject}` },
        )
        .toBe(true);
      if (!found) throw new Error('unreachable: the poll above ended with a mail');
      return found;
    },
    linkIn(mail) {
      const link = mail.text.match(/https?:\/\/\S+/g)?.find((each) => each.startsWith(site.url));
      if (!link) throw new Error(`No link to ${site.url} in:\n${mail.text}`);
      return link;
    },
  };
}

/** Starts a site on a pristine demo database. */
async function startDemo(settings: Record<string, string> = {}) {
  const database = await createTestDatabase('demo');
  const dataDir = await mkdtemp(path.join(process.env.TEST_SCRATCH ?? '/tmp', 'data-'));
  const site = await startSite({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    DEMO: '1',
    SMTP_URL: '',
    ...settings,
  });
  return {
    site: withMail(site, database.sql),
    async stop() {
      await site.stop();
      await database.drop();
      // React logs this if an island rendered null on the server.
      expect(site.output()).not.toContain('Invalid hook call');
    },
  };
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  siteFor: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the first parameter's shape
    async ({}, use) => {
      let shared: ReturnType<typeof startDemo> | undefined;
      let own: { file: string; site: Site; stop: () => Promise<void> } | undefined;
      await use(async (file, settings) => {
        if (!file) {
          shared ??= startDemo();
          return (await shared).site;
        }
        if (own?.file === file) return own.site;
        await own?.stop();
        own = { file, ...(await startDemo(settings)) };
        return own.site;
      });
      await own?.stop();
      await (await shared)?.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  changesDemo: [true, { option: true }],
  siteSettings: [{}, { option: true }],
  // Starting the site has its own timeout, separate from the test's.
  site: [
    async ({ siteFor, changesDemo, siteSettings }, use, { file }) =>
      use(await siteFor(changesDemo ? file : null, siteSettings)),
    { timeout: 90_000 },
  ],
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the first parameter's shape
    async ({}, use) => {
      const choice = JSON.parse(process.env.TEST_BROWSER ?? '{}') as BrowserChoice;
      const browser = await chromium.launch(choice);
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ site }, use) => use(site.url),
  expectedConsole: [null, { option: true }],
  silentConsole: [
    async ({ context, expectedConsole }, use) => {
      const heard: { text: string; address?: string }[] = [];
      const listen = (page: Page) => {
        page.on('console', (message) => {
          if (['error', 'warning'].includes(message.type()))
            heard.push({ text: message.text(), address: message.location().url });
        });
        page.on('pageerror', (error) => heard.push({ text: String(error) }));
      };
      context.pages().forEach(listen);
      context.on('page', listen);
      await use(undefined);
      const unexpected = heard.filter(({ text }) => !expectedConsole?.test(text));
      expect(unexpected, 'the console is silent').toEqual([]);
    },
    { auto: true },
  ],
  as: [null, { option: true }],
  context: async ({ context }, use) => {
    await delayWrites(context);
    await use(context);
  },
  page: async ({ page, as, signIn }, use) => {
    if (as) await signIn(page, as);
    await use(routeInOrder(page));
  },
  signIn: async ({ site }, use) => {
    await use((page, who) => addSession(page, site, who.includes('@') ? who : `${who}@demo.test`));
  },
  elsewhere: async ({ browser, site, signIn }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (who, options) => {
      const context = await browser.newContext({ baseURL: site.url, locale: 'en-US', ...options });
      contexts.push(context);
      await delayWrites(context);
      const page = routeInOrder(await context.newPage());
      if (who) await signIn(page, who);
      return page;
    });
    await Promise.all(contexts.map((context) => context.close()));
  },
});

/** Delays the next page's scripts, like a slow connection; the returned function releases them. */
export async function holdScripts(page: Page, scripts = '**/*.js'): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(scripts, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/**
 * On this tab's next pages, types into a field right when it's enabled: earlier than any person
 * could, since React runs the page's effects after that.
 */
export async function typeOnceEnabled(page: Page, label: string, text: string): Promise<void> {
  await page.addInitScript(
    ([label, text]) => {
      const observer = new MutationObserver(() => {
        const [field] = [...document.querySelectorAll('label')]
          .filter((each) => each.textContent === label)
          .map(({ control }) => control);
        if (!(field instanceof HTMLInputElement) || field.disabled) return;
        observer.disconnect();
        field.focus();
        field.select();
        // Changes the value as a key press does, so that React hears of it.
        document.execCommand('insertText', false, text);
      });
      observer.observe(document, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    },
    [label, text] as const,
  );
}

/** Waits until every island on the page is hydrated and has finished its initial work. */
export async function awake(page: Page): Promise<void> {
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  // Idle callbacks run in order, so the page's own, which were requested earlier, are done by then.
  await page.evaluate((idle) => new Promise((resolve) => requestIdleCallback(resolve, idle)), IDLE);
  // On signed-in pages, the last of it is that the bell opens its list.
  await page.waitForFunction(
    () => document.querySelector<HTMLElement>('[data-bell]')?.onclick !== null,
  );
}

/**
 * Disconnects a page from the network once it's hydrated and, if it's a signed-in page, once its
 * service worker is installed: the browser logs an installation that it can't finish.
 */
export async function goOffline(page: Page): Promise<void> {
  await awake(page);
  await page.evaluate(async () => {
    if (document.querySelector('[data-bell]')) await navigator.serviceWorker.ready;
  });
  await page.context().setOffline(true);
}

/** Ends a page's session once it's hydrated, by clearing its cookies as if they had expired. */
export async function loseSession(page: Page): Promise<void> {
  await awake(page);
  await page.context().clearCookies();
}

/** Signs in again in the dialog that opens when a session has ended. */
export async function signInAgain(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password', { exact: true }).fill(demoPassword);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(dialog).toBeHidden();
}
