import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import {
  type Browser,
  type BrowserContext,
  test as base,
  chromium,
  expect,
  type Page,
} from '@playwright/test';
import { demoPassword } from '#backend/local/demo/demo.ts';
import { IDLE } from '#lib/when-idle.ts';
import type { BrowserChoice } from '../../fixtures/browser.ts';
import { createTestDatabase } from '../../fixtures/database.ts';
import { addSession } from './session.ts';
import { type SiteProcess, startSite } from './site-process.ts';

export { expect };

/** A mail as the mailbox lists it. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  sentAt: string;
}

/** The running site, with a database of its own in which the demo is as it was made. */
export interface Site extends SiteProcess {
  databaseUrl: string;
  /** All mail to an address, newest first. */
  mails(to: string): Promise<Mail[]>;
  /** The newest mail to an address whose subject matches; waits for it. */
  mail(to: string, subject: RegExp): Promise<Mail>;
  /** The address on this site in that mail, as its reader would follow it. */
  linkIn(mail: Mail): string;
}

/** Names of the demo accounts that `signIn` knows. */
export type Persona = 'owner' | 'owner2' | 'coach' | 'coach2' | 'admin';

interface WorkerFixtures {
  /**
   * The site for the stories of one file, stopped when the next file asks; or, for none, the one of all
   * files that leave the demo as it is.
   */
  siteFor: (file: string | null) => Promise<Site>;
}

interface TestFixtures {
  site: Site;
  /** Whether stories of this file change what the demo accounts have; most files make their own people. */
  changesDemo: boolean;
  /** Gives this browser the session of a demo account. It opens no page. */
  signIn: (page: Page, persona: Persona) => Promise<void>;
  /** Opens a page of a demo account that is signed in on another computer; both end with the story. */
  elsewhere: (persona: Persona) => Promise<Page>;
  /** Messages that this test expects in the console; all others fail it. */
  expectedConsole: RegExp | null;
  silentConsole: undefined;
}

function withMail(site: SiteProcess, databaseUrl: string): Site {
  const mails = async (to: string) => {
    const response = await fetch(`${site.url}/_local/mailbox.json`);
    const all = (await response.json()) as Mail[];
    return all.filter((mail) => mail.to.toLowerCase() === to.toLowerCase());
  };
  return {
    ...site,
    databaseUrl,
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

/**
 * With TEST_SLOWDOWN=4 pages compute four times slower than the machine could: stories that hold
 * then also hold on a slow machine, or one with other work.
 */
function slowDown(browser: Browser): void {
  const rate = Number(process.env.TEST_SLOWDOWN ?? 1);
  if (!(rate > 1)) return;
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open(options);
    context.on('page', async (page) => {
      const session = await context.newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate });
    });
    return context;
  };
}

/** A site on a database in which the demo is as it was made. */
async function startDemo() {
  const database = await createTestDatabase('demo');
  const dataDir = await mkdtemp(path.join(process.env.TEST_SCRATCH ?? '/tmp', 'data-'));
  const site = await startSite({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    DEMO: '1',
    SMTP_URL: '',
  });
  return {
    site: withMail(site, database.url),
    async stop() {
      await site.stop();
      await database.drop();
      // React says so where an island gave null on the server; nobody reads it in a log.
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
      await use(async (file) => {
        if (!file) {
          shared ??= startDemo();
          return (await shared).site;
        }
        if (own?.file === file) return own.site;
        await own?.stop();
        own = { file, ...(await startDemo()) };
        return own.site;
      });
      await own?.stop();
      await (await shared)?.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  changesDemo: [true, { option: true }],
  // Its start has a time of its own, apart from the story's.
  site: [
    async ({ siteFor, changesDemo }, use, { file }) =>
      use(await siteFor(changesDemo ? file : null)),
    { timeout: 90_000 },
  ],
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the first parameter's shape
    async ({}, use) => {
      const choice = JSON.parse(process.env.TEST_BROWSER ?? '{}') as BrowserChoice;
      const browser = await chromium.launch(choice);
      slowDown(browser);
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ site }, use) => use(site.url),
  expectedConsole: [null, { option: true }],
  silentConsole: [
    async ({ context, expectedConsole }, use) => {
      const heard: string[] = [];
      const listen = (page: Page) => {
        page.on('console', (message) => {
          if (['error', 'warning'].includes(message.type())) heard.push(message.text());
        });
        page.on('pageerror', (error) => heard.push(String(error)));
      };
      context.pages().forEach(listen);
      context.on('page', listen);
      await use(undefined);
      const unexpected = heard.filter((text) => !expectedConsole?.test(text));
      expect(unexpected, 'the console is silent').toEqual([]);
    },
    { auto: true },
  ],
  signIn: async ({ site }, use) => {
    await use((page, persona) =>
      addSession(page, site, { email: `${persona}@demo.test`, password: demoPassword }),
    );
  },
  elsewhere: async ({ browser, site, signIn }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (persona) => {
      const context = await browser.newContext({ baseURL: site.url });
      contexts.push(context);
      const page = await context.newPage();
      await signIn(page, persona);
      return page;
    });
    await Promise.all(contexts.map((context) => context.close()));
  },
});

/** Keeps the scripts of the next page back, as a slow line does; what it gives lets them through. */
export async function holdScripts(page: Page): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/*.js', async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Waits until every island of the page has its scripts, and they have done what they begin with. */
async function awake(page: Page): Promise<void> {
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  // As late as what the page itself leaves for later, which was asked for before this.
  await page.evaluate((idle) => new Promise((resolve) => requestIdleCallback(resolve, idle)), IDLE);
}

/** Takes the connection away from a page that is awake. */
export async function goOffline(page: Page): Promise<void> {
  await awake(page);
  await page.context().setOffline(true);
}

/** Ends the session of a page that is awake: its cookies are gone, as after a long time. */
export async function loseSession(page: Page): Promise<void> {
  await awake(page);
  await page.context().clearCookies();
}
