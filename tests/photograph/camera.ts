import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Locator, type Page } from '@playwright/test';
import { parse } from 'yaml';
import { demoPassword } from '#backend/local/demo/accounts.ts';
import { projectRoot } from '#backend/local/project-root.ts';
import { DEFAULT_LANGUAGE, type Language, type Say, sayer } from '#domain/language.ts';
import { addressIn } from '#lib/routing/languages.ts';
import { findBrowser } from '../fixtures/browser.ts';

export type Theme = 'light' | 'dark';

/** What a camera needs to know before it opens a page. */
export interface Setting {
  /** The site's address. */
  site: string;
  theme: Theme;
  /** The viewport in CSS pixels. */
  width: number;
  height: number;
}

/** Signs in with the form, as a demo account such as `owner`. */
export async function signIn(page: Page, site: string, who: string): Promise<void> {
  await page.goto(`${site}/login`);
  await page.getByLabel('Email').fill(`${who}@demo.test`);
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
}

/** Says the texts of the quiz in a language. */
function quizWords(language: Language): Say {
  if (language === DEFAULT_LANGUAGE) return sayer(undefined);
  const file = path.join(projectRoot, 'content', language, 'words.yaml');
  return sayer({ language, texts: parse(readFileSync(file, 'utf8')).quiz });
}

/** Answers the first look's questions before the seventh, about the bank balance, and chooses there. */
export async function openQuestion(
  page: Page,
  site: string,
  language: Language = DEFAULT_LANGUAGE,
): Promise<void> {
  const say = quizWords(language);
  await page.goto(`${site}${addressIn(language, '/pages/business-skills-quiz')}`);
  await page.waitForLoadState('networkidle');
  await page.getByRole('link', { name: say('Start'), exact: true }).click();
  const heading = page.getByRole('heading', { level: 1 });
  for (const value of [2, 1, 3, 2, 1, 3]) {
    const asked = await heading.textContent();
    await page.getByRole('radio').nth(value).check({ force: true });
    // Some screens go on by themselves once there's an answer.
    const next = page.getByRole('button', { name: say('Next') });
    await next.click({ timeout: 2_000 }).catch(() => undefined);
    await heading.filter({ hasNotText: asked ?? '' }).waitFor();
  }
  await page.getByRole('radio').nth(2).focus();
  await page.getByRole('radio').nth(2).check({ force: true });
}

/** Chooses in the profile in which language its owner reads results. */
async function readResultsIn(page: Page, site: string, language: Language): Promise<void> {
  await page.goto(`${site}/dashboard/profile`);
  await page.waitForLoadState('networkidle');
  const choice = page.getByLabel('Quiz results in');
  if ((await choice.inputValue()) === language) return;
  await choice.selectOption(language);
  const saved = page.waitForResponse(
    (answer) => answer.request().method() !== 'GET' && answer.url().includes('/rest/v1/'),
  );
  const form = page.locator('form', { has: choice });
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  if (!(await saved).ok()) throw new Error('The profile wasn’t saved.');
}

/** Opens the results of the demo owner's latest quiz, in a language that stays chosen in the profile. */
export async function openResults(
  page: Page,
  site: string,
  language: Language = DEFAULT_LANGUAGE,
): Promise<void> {
  await signIn(page, site, 'owner');
  await readResultsIn(page, site, language);
  await page.goto(`${site}/dashboard/skills`);
  const results = page.locator('main a[href*="/dashboard/skills/quiz/"]').first();
  await page.goto(new URL((await results.getAttribute('href')) ?? '', site).href);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** A browser that photographs at twice the density, without motion. */
export async function openCamera(): Promise<{
  take(
    setting: Setting,
    open: (page: Page, site: string) => Promise<Locator | undefined>,
  ): Promise<Buffer>;
  close: Browser['close'];
}> {
  const browser = await chromium.launch(await findBrowser());
  return {
    async take({ site, theme, width, height }, open) {
      const page = await browser.newPage({
        viewport: { width, height },
        colorScheme: theme,
        deviceScaleFactor: 2,
        reducedMotion: 'reduce',
        timezoneId: 'America/Denver',
      });
      const part = await open(page, site);
      await page.waitForLoadState('networkidle');
      const seen = await (part ?? page).screenshot({ animations: 'disabled' });
      await page.close();
      return seen;
    },
    close: () => browser.close(),
  };
}
