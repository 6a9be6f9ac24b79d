import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from '@playwright/test';
import getPort from 'get-port';
import runLighthouse from 'lighthouse';
import { startSite } from '../e2e/support/site-process.ts';
import { findBrowser } from '../fixtures/browser.ts';
import type { BenchPart } from './parts.ts';
import type { Figure, Groups } from './report.ts';

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
type Category = (typeof CATEGORIES)[number];
/** Points, of each category on each page. */
const LEAST = 100;
const RUNS = 5;

/** Where the bare page stands while it is measured. */
const BARE = 'bare-page-of-the-bench';
/** As little as a page can be: what this machine and this browser make of nothing. */
const BARE_HTML = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Bare</title><meta name="description" content="A page with one sentence."></head><body><main><h1>Bare</h1><p>One sentence.</p></main></body></html>`;

interface Result {
  scores: Record<Category, number>;
  /** What was found wanting, as ids of Lighthouse's audits with their scores. */
  wanting: string[];
}

async function measure(url: string, port: number): Promise<Result> {
  const answer = await runLighthouse(url, {
    port,
    output: 'json',
    logLevel: 'silent',
    onlyCategories: [...CATEGORIES],
  });
  if (!answer) throw new Error(`Lighthouse gave nothing for ${url}`);
  const { categories, audits, runtimeError } = answer.lhr;
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`);
  const scores = Object.fromEntries(
    CATEGORIES.map((category) => [category, (categories[category]?.score ?? 0) * 100]),
  ) as Record<Category, number>;
  const counted = CATEGORIES.filter((category) => scores[category] < LEAST)
    .flatMap((category) => categories[category]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1);
  const wanting = counted.map(({ id }) => `${id} ${audits[id]?.displayValue ?? ''}`.trim());
  return { scores, wanting: [...new Set(wanting)] };
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** The first page below a path, in the order of names. */
async function firstBelow(client: string, folder: string): Promise<string> {
  const entries = await readdir(path.join(client, folder), { withFileTypes: true });
  const [first] = entries
    .filter((entry) => entry.isDirectory() && entry.name !== 'page' && entry.name !== 'tags')
    .map(({ name }) => name)
    .sort();
  return `/${folder}/${first}`;
}

/** Scores of Lighthouse for a phone, the median of five runs, beside those of a bare page. */
export const lighthouse: BenchPart = async ({ build, settings, print, log }) => {
  const addresses = [
    '/',
    await firstBelow(build.client, 'blog'),
    await firstBelow(build.client, 'case-studies'),
    '/pricing',
    '/contact',
  ];
  const missing = addresses.filter((each) => !existsSync(path.join(build.client, each)));
  if (missing.length > 0) throw new Error(`The site has no page ${missing.join(', ')} to measure.`);
  const bare = path.join(build.client, BARE);
  await mkdir(bare, { recursive: true });
  await writeFile(path.join(bare, 'index.html'), BARE_HTML);
  const site = await startSite(settings);
  const port = await getPort({ host: '127.0.0.1' });
  const choice = await findBrowser();
  const browser = await chromium.launch({
    ...choice,
    args: [...choice.args, `--remote-debugging-port=${port}`],
  });
  const groups: Groups = {};
  try {
    for (const address of [...addresses, `/${BARE}`]) {
      const results: Result[] = [];
      for (let run = 0; run < RUNS; run += 1) results.push(await measure(site.url + address, port));
      const figures = CATEGORIES.map((category): Figure => {
        const value = median(results.map(({ scores }) => scores[category]));
        return { what: category, value, unit: 'points', least: LEAST };
      });
      const isBare = address === `/${BARE}`;
      const title = `Lighthouse, phone, median of ${RUNS}: ${isBare ? 'a bare page' : address}`;
      // The bare page says what the machine allows; nothing is promised for it.
      groups[title] = isBare ? figures.map(({ least: _, ...figure }) => figure) : figures;
      print(title, groups[title]);
      const wanting = [...new Set(results.flatMap((result) => result.wanting))];
      if (wanting.length > 0 && !isBare) log(`  wanting: ${wanting.join('; ')}`);
    }
  } finally {
    await browser.close();
    await site.stop();
    await rm(bare, { recursive: true, force: true });
  }
  return groups;
};
