import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { createFitter } from '#integrations/page-styles.ts';
import { projectRoot } from '#server/settings.ts';
import { expect, test as harness } from './harness.ts';

const ORIGIN = 'http://styles.test';

/** The built site, and the same one with every page's styles whole. */
interface Built {
  fitted: string;
  whole: string;
}

/** Builds the site without the step, and takes the step on a copy: both are of the same moment. */
async function buildBoth(place: string): Promise<Built> {
  await promisify(execFile)(
    process.execPath,
    ['node_modules/astro/bin/astro.mjs', 'build', '--outDir', place],
    {
      cwd: projectRoot,
      env: { ...process.env, WHOLE_STYLES: '1', NODE_ENV: 'production' },
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  const built = { whole: path.join(place, 'client'), fitted: path.join(place, 'fitted') };
  await cp(built.whole, built.fitted, { recursive: true });
  const script = (address: string) =>
    readFile(path.join(built.fitted, address), 'utf8').catch(() => '');
  const fitter = createFitter(script);
  const names = await readdir(built.fitted, { recursive: true });
  for (const name of names.filter((each) => each.endsWith('.html')).sort()) {
    const file = path.join(built.fitted, name);
    await writeFile(file, await fitter(await readFile(file, 'utf8')));
  }
  return built;
}

const test = harness.extend<object, { built: Built }>({
  built: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the first parameter's shape
    async ({}, use) => {
      // Within the project, where the build finds what is installed.
      const place = path.join(projectRoot, 'dist', `unfinished-whole-${process.pid}`);
      await use(await buildBoth(place));
      await rm(place, { recursive: true });
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  // No site need run for it.
  baseURL: ORIGIN,
});

/** A page of each folder and each single page, without those that React draws. */
async function sampleOf(client: string): Promise<string[]> {
  const pages = readdirSync(client, { recursive: true, encoding: 'utf8' })
    .filter((name) => path.basename(name) === 'index.html')
    .sort();
  const kinds = new Map<string, string>();
  for (const name of pages) {
    const folder = name.split('/')[0] ?? '';
    // The longest of a kind has most in it.
    const html = await readFile(path.join(client, name), 'utf8');
    if (html.includes('<astro-island')) continue;
    const known = kinds.get(folder);
    const length = known ? (await readFile(path.join(client, known), 'utf8')).length : 0;
    if (html.length > length) kinds.set(folder, name);
  }
  return [...kinds.values()];
}

interface Situation {
  width: number;
  media: Parameters<Page['emulateMedia']>[0];
  /** With the pointer and the keyboard on everything. */
  touch: boolean;
}

const SITUATIONS: Record<string, Situation> = {
  'a desk': { width: 1280, media: {}, touch: false },
  'a phone in the dark, touched': { width: 360, media: { colorScheme: 'dark' }, touch: true },
  paper: { width: 760, media: { media: 'print' }, touch: false },
  'a tablet with forced colors, touched': {
    width: 800,
    media: { forcedColors: 'active' },
    touch: true,
  },
};

const PLAIN = { colorScheme: 'light', media: 'screen', forcedColors: 'none' } as const;

/** Rules for the pointer, the keyboard and a press hold for everything, with the same weight. */
const touched = (html: string) =>
  html
    .replace(/<meta http-equiv="content-security-policy"[^>]*>/i, '')
    .replace(/(?<!\\|hover):(?:hover|focus-visible|focus-within|focus|active)\b/g, ':not(.never)');

/**
 * The computed style of every element, with what stands before and after it. Custom properties are
 * left out: what they do shows in the others; so are classes, whose names are shorter on fitted pages.
 */
async function computed(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const names = [...getComputedStyle(document.body)].filter((name) => !name.startsWith('--'));
    return [document.body, ...document.body.querySelectorAll('*')].flatMap((element) => {
      const parts = [null, '::before', '::after'];
      if (element.matches('li, summary')) parts.push('::marker');
      if (element.matches('input, textarea')) parts.push('::placeholder');
      return parts.map((part) => {
        const style = getComputedStyle(element, part);
        const shown = !/before|after/.test(part ?? '') || style.content !== 'none';
        const values = shown ? names.map((name) => `${name}:${style.getPropertyValue(name)}`) : [];
        return `${element.tagName}${part ?? ''} ${values.join(';')}`;
      });
    });
  });
}

/**
 * Answers the page's requests from a built site until the test ends, without a server.
 * @returns the way to another build. A page that was left still asks for what it had begun to
 * fetch, so the route stays and each request is answered from the build of its own moment.
 */
async function serve(page: Page, first: string, touch: boolean): Promise<(next: string) => void> {
  let client = first;
  await page.route(`${ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const file = path.join(client, pathname, path.extname(pathname) ? '' : 'index.html');
    const body = await readFile(file).catch(() => null);
    if (body === null) await route.fulfill({ status: 204 });
    else if (touch && file.endsWith('.html')) {
      await route.fulfill({ body: touched(body.toString()), path: file });
    } else await route.fulfill({ body, path: file });
  });
  return (next) => {
    client = next;
  };
}

/** The first differences between two pages, property by property. */
function differences(before: string[], after: string[]): string[] {
  return before
    .flatMap((line, index) => {
      if (line === after[index]) return [];
      const [name] = line.split(' ', 1);
      const others = new Set(after[index]?.split(';'));
      return [
        `${name}: ${line
          .split(';')
          .filter((each) => !others.has(each))
          .slice(0, 3)}`,
      ];
    })
    .slice(0, 10);
}

for (const [situation, { width, media, touch }] of Object.entries(SITUATIONS)) {
  test(`On ${situation}, pages look the same with their share of the styles as with all`, async ({
    page,
    built,
  }) => {
    test.setTimeout(300_000);
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ ...PLAIN, reducedMotion: 'reduce', ...media });
    const sample = await sampleOf(built.fitted);
    expect(sample.length).toBeGreaterThan(8);
    const turnTo = await serve(page, built.whole, touch);
    for (const name of sample) {
      const styles: string[][] = [];
      for (const client of [built.whole, built.fitted]) {
        turnTo(client);
        await page.goto(`${ORIGIN}/${path.dirname(name).replace(/^\.$/, '')}`);
        await page.evaluate(() => document.fonts.ready);
        styles.push(await computed(page));
      }
      const [whole = [], fitted = []] = styles;
      expect(fitted.length, name).toBe(whole.length);
      expect(differences(whole, fitted), `${name} on ${situation}`).toEqual([]);
    }
  });
}

test('Pages carry less than all styles, and their policies allow what they carry', async ({
  page,
  built,
}) => {
  for (const name of await sampleOf(built.fitted)) {
    const [whole, fitted] = await Promise.all(
      [built.whole, built.fitted].map((client) => readFile(path.join(client, name), 'utf8')),
    );
    expect(fitted?.length, name).toBeLessThan((whole?.length ?? 0) * 0.95);
  }
  await serve(page, built.fitted, false);
  await page.goto(`${ORIGIN}/about`);
  expect(
    await page.evaluate(() => [...document.styleSheets].map((each) => each.cssRules.length > 0)),
  ).not.toContain(false);
});
