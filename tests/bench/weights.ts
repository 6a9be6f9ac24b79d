import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Browser } from '@playwright/test';
import type { Figure } from './report.ts';

/** 1 kB is 1,000 bytes, as browsers' tools count. */
const KB = 1_000;
/** What product and architecture promise for a page that is only read. */
const READING = { html: 13.5, script: 1, fonts: 45 };
const QUIZ_SCRIPT = 110;

const compressed = (text: string) => brotliCompressSync(text).length / KB;

const SCRIPT =
  /<script\b(?![^>]*type="(?:application\/(?:ld\+)?json|speculationrules)")[^>]*>([\s\S]*?)<\/script>/g;

/** Paths of all built pages, from the folder of built files. */
async function builtPages(client: string): Promise<string[]> {
  const names = await readdir(client, { recursive: true });
  return names
    .filter((name) => name.endsWith('index.html'))
    .map((name) => `/${path.dirname(name)}`.replace(/^\/\.$/, '/'))
    .sort();
}

/**
 * What each built page weighs: HTML with the styles in it, its scripts and its fonts, in kB as
 * they are sent (brotli; woff2 as it is).
 */
export async function weighReadingPages(client: string, islands: string[]): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const page of await builtPages(client)) {
    if (islands.includes(page)) continue;
    const html = await readFile(path.join(client, page, 'index.html'), 'utf8');
    const sheets = [...html.matchAll(/<link[^>]+rel="stylesheet"[^>]+href="([^"]+)"/g)];
    const scripts = [...html.matchAll(/<script[^>]+src="([^"]+)"/g)];
    const modules = [...html.matchAll(/(?:component|renderer)-url="([^"]+)"/g)];
    const read = async (url: string) =>
      compressed(await readFile(path.join(client, url.split('?')[0] ?? ''), 'utf8'));
    const linked = await Promise.all(sheets.map((each) => read(each[1] ?? '')));
    const loaded = await Promise.all([...scripts, ...modules].map((each) => read(each[1] ?? '')));
    const inline = [...html.matchAll(SCRIPT)].map((each) => each[1] ?? '').join('\n');
    const fonts = new Set([...html.matchAll(/url\("?([^")]+\.woff2)"?\)/g)].map((each) => each[1]));
    const fontSizes = await Promise.all(
      [...fonts].map(async (url) => (await readFile(path.join(client, url ?? ''))).length / KB),
    );
    const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);
    figures.push(
      {
        what: `${page}  HTML and CSS`,
        value: compressed(html) + sum(linked),
        unit: 'kB',
        budget: READING.html,
      },
      {
        what: `${page}  JavaScript`,
        value: sum(loaded) + compressed(inline),
        unit: 'kB',
        budget: READING.script,
      },
      { what: `${page}  fonts`, value: sum(fontSizes), unit: 'kB', budget: READING.fonts },
    );
  }
  return figures;
}

/** The JavaScript that a quiz page has loaded when its first answer has been given, in kB as sent. */
export async function weighQuiz(browser: Browser, url: string, page: string): Promise<Figure> {
  const context = await browser.newContext();
  const tab = await context.newPage();
  const sizes: Promise<number>[] = [];
  tab.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return;
    sizes.push(request.sizes().then((size) => size.responseBodySize));
  });
  await tab.goto(url + page, { waitUntil: 'networkidle' });
  const start = tab.getByRole('button', { name: /start|begin/i });
  if (await start.count()) await start.first().click();
  const answer = tab.getByRole('radio').first();
  await answer.waitFor({ state: 'attached' });
  await answer.check({ force: true });
  await tab.waitForLoadState('networkidle');
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / KB;
  await context.close();
  return {
    what: `${page}  JavaScript to the first answer`,
    value: total,
    unit: 'kB',
    budget: QUIZ_SCRIPT,
  };
}
