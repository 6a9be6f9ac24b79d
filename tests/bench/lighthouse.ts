import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from '@playwright/test';
import getPort from 'get-port';
import runLighthouse from 'lighthouse';
import { startSite } from '../e2e/support/site-process.ts';
import { findBrowser } from '../fixtures/browser.ts';
import type { BenchContext, BenchPart } from './parts.ts';
import { type Figure, figure, median } from './report.ts';

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
/** The minimum score, for each category on each page. */
const LEAST = 100;
const RUNS = 5;

/** A minimal page, as a baseline for this machine and browser. */
const BARE = 'bare-page-of-the-bench';
const BARE_HTML = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Bare</title><meta name="description" content="A page with one sentence."></head><body><main><h1>Bare</h1><p>One sentence.</p></main></body></html>`;

/** Scores by category, and the audits that failed. */
async function measure(url: string, port: number) {
  const answer = await runLighthouse(url, {
    port,
    output: 'json',
    logLevel: 'silent',
    onlyCategories: [...CATEGORIES],
  });
  if (!answer) throw new Error(`Lighthouse gave nothing for ${url}`);
  const { categories, audits, runtimeError } = answer.lhr;
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`);
  const points = CATEGORIES.map((name) => (categories[name]?.score ?? 0) * 100);
  const wanting = CATEGORIES.filter((_, place) => (points[place] ?? 0) < LEAST)
    .flatMap((name) => categories[name]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => `${id} ${audits[id]?.displayValue ?? ''}`.trim());
  return { points, wanting };
}

/** The first page below a path, by name. */
async function firstBelow(client: string, folder: string): Promise<string> {
  const entries = await readdir(path.join(client, folder), { withFileTypes: true });
  const [first] = entries
    .filter((entry) => entry.isDirectory() && entry.name !== 'page' && entry.name !== 'tags')
    .map(({ name }) => name)
    .sort();
  return `/${folder}/${first}`;
}

/** Measures one page several times; the bare one has no budget. */
async function measurePage(address: string, url: string, port: number, context: BenchContext) {
  const results: Awaited<ReturnType<typeof measure>>[] = [];
  for (let run = 0; run < RUNS; run += 1) results.push(await measure(url + address, port));
  const isBare = address === `/${BARE}`;
  const figures = CATEGORIES.map((category, place): Figure => {
    const value = median(results.map(({ points }) => points[place] ?? 0));
    return { ...figure(category, value, 'points'), ...(isBare ? {} : { least: LEAST }) };
  });
  const title = `Lighthouse, phone, median of ${RUNS}: ${isBare ? 'a bare page' : address}`;
  context.show(title, figures);
  const wanting = new Set(results.flatMap((result) => result.wanting));
  if (wanting.size > 0 && !isBare) context.log(`  wanting: ${[...wanting].join('; ')}`);
}

/** Lighthouse scores on a phone, median of five runs, compared with a bare page. */
export const lighthouse: BenchPart = async (context) => {
  const { client } = context.build;
  const addresses = [
    '/',
    await firstBelow(client, 'blog'),
    await firstBelow(client, 'case-studies'),
    '/pages/cash-reserve',
    '/coaching',
    await firstBelow(client, 'toolbox'),
    '/pricing',
    '/contact',
  ];
  const missing = addresses.filter((each) => !existsSync(path.join(client, each)));
  if (missing.length > 0) throw new Error(`The site has no page ${missing.join(', ')} to measure.`);
  const bare = path.join(client, BARE);
  await mkdir(bare, { recursive: true });
  await writeFile(path.join(bare, 'index.html'), BARE_HTML);
  const site = await startSite(context.settings);
  const port = await getPort({ host: '127.0.0.1' });
  const choice = await findBrowser();
  const args = [...choice.args, `--remote-debugging-port=${port}`];
  const browser = await chromium.launch({ ...choice, args });
  try {
    for (const address of [...addresses, `/${BARE}`]) {
      await measurePage(address, site.url, port, context);
    }
  } finally {
    await browser.close();
    await site.stop();
    await rm(bare, { recursive: true, force: true });
  }
};
