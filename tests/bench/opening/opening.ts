import path from 'node:path';
import { chromium } from '@playwright/test';
import { findBrowser } from '../../fixtures/browser.ts';
import type { BenchPart } from '../parts.ts';
import { type Figure, figure, median } from '../report.ts';
import { openBench } from '../site.ts';
import { countingSettings, questions } from './questions.ts';
import { screens } from './screens.ts';

const FEW = 100;
const MANY = 10_000;
/** Budget: the time to open a screen with many rows, relative to few. */
const TIMES = 1.3;
/** Requests per measurement; the median counts. */
const ROUNDS = 60;

/** Milliseconds from a page's request to its last byte: the median of many, after a warm-up. */
async function opens(url: string, cookie: string): Promise<number> {
  const took: number[] = [];
  for (let round = -10; round < ROUNDS; round += 1) {
    const from = performance.now();
    const answer = await fetch(url, { headers: { cookie }, redirect: 'manual' });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
    if (round >= 0) took.push(performance.now() - from);
  }
  return median(took);
}

/** The cookies of a demo owner who signed in with the form. */
async function signIn(site: string): Promise<string> {
  const browser = await chromium.launch(await findBrowser());
  try {
    const page = await browser.newPage();
    await page.goto(`${site}/login`);
    await page.getByLabel('Email').fill('owner@demo.test');
    await page.getByLabel('Password', { exact: true }).fill('demo-Passw0rd!');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL((url) => url.pathname !== '/login');
    const cookies = await page.context().cookies();
    return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  } finally {
    await browser.close();
  }
}

/** How long screens take to open with 100 and with 10,000 rows, and how many requests they make. */
export const opening: BenchPart = async ({ scratch, settings, show }) => {
  const asked = path.join(scratch, 'questions.txt');
  const bench = await openBench(path.join(scratch, 'opening'), {
    ...settings,
    ...countingSettings(asked),
  });
  const { sql, site } = bench;
  try {
    const cookie = await signIn(site.url);
    const counts = await questions(site.url, cookie, asked);
    const figures: Figure[] = [];
    for (const [what, address, fill] of screens) {
      const times: number[] = [];
      for (const count of [FEW, MANY]) {
        await fill(sql, count);
        await sql`vacuum analyze`;
        times.push(await opens(site.url + address, cookie));
      }
      const [few = 0, many = 0] = times;
      figures.push(
        figure(`${what}, ${FEW} rows`, few, 'ms'),
        figure(`${what}, ${MANY.toLocaleString('en-US')} rows`, many, 'ms'),
        figure(`${what}, many to few`, many / few, 'times', TIMES),
      );
    }
    show('Opening screens with long lists', figures);
    show('Questions to the database for the first paint', counts);
  } finally {
    await bench.close();
  }
};
