import path from 'node:path';
import { chromium } from '@playwright/test';
import { idOf } from '#backend/local/demo/builders.ts';
import { findRunningPostgres } from '#backend/local/postgres/postgres.ts';
import { startSite } from '../e2e/support/site-process.ts';
import { findBrowser } from '../fixtures/browser.ts';
import { connect } from '../fixtures/connection.ts';
import { dashboardScreens } from './dashboard.ts';
import type { BenchPart, Screen } from './parts.ts';
import { projectScreens } from './projects.ts';
import { countingSettings, questions } from './questions.ts';
import type { Figure } from './report.ts';

const FEW = 100;
const MANY = 10_000;
/** Opening with many takes at most this many times as long as with few. */
const TIMES = 1.3;
/** Requests of each measurement; their median counts. */
const ROUNDS = 60;

/** The business of the demo owner. */
const BAKERY = idOf('business Delgado Bakery');

const SCREENS: Screen[] = [
  {
    what: 'toolbox',
    address: '/dashboard/toolbox',
    fill: (sql, count) => sql`
      insert into public.toolbox_items (
        id, slug, title, summary, type, area_key, levels, minutes, format, reviewed_on, state,
        body_markdown
      )
      select gen_random_uuid(), 'tool-' || n, 'Tool ' || n, 'Made for the bench.', 'guide',
        'web-design', '{starting}', 5 + n % 90, 'Words', current_date, 'published',
        repeat('Figures and words of a tool. ', 40)
      from generate_series((select count(*) from public.toolbox_items) + 1, ${count}) n`,
  },
  {
    what: 'figures of a business',
    address: `/dashboard/businesses/${BAKERY}`,
    fill: (sql, count) => sql`
      insert into public.business_snapshots (
        id, business_id, taken_on, full_time, revenue_minor, currency
      )
      select gen_random_uuid(), ${BAKERY}, current_date - 1000 - n::int, 3, 100000 + n, 'USD'
      from generate_series(
        (select count(*) from public.business_snapshots where business_id = ${BAKERY}) + 1, ${count}
      ) n`,
  },
  ...projectScreens,
  ...dashboardScreens,
];

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Milliseconds from asking for a page to its last byte: the median of many, after some to warm up. */
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

/** The cookies of a demo owner, signed in by the form. */
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

/** How long screens take to open with a hundred and with ten thousand rows, and what they ask. */
export const opening: BenchPart = async ({ scratch, settings, print }) => {
  const dataDir = path.join(scratch, 'opening');
  const asked = path.join(scratch, 'questions.txt');
  const site = await startSite({ ...settings, ...countingSettings(asked), DATA_DIR: dataDir });
  const database = await findRunningPostgres(dataDir);
  if (!database) throw new Error('The database of the site does not run.');
  const sql = connect(database, 1);
  const figures: Figure[] = [];
  let counts: Figure[] = [];
  try {
    const cookie = await signIn(site.url);
    counts = await questions(site.url, cookie, asked);
    for (const { what, address, fill } of SCREENS) {
      const times: number[] = [];
      for (const count of [FEW, MANY]) {
        await fill(sql, count);
        await sql`vacuum analyze`;
        times.push(await opens(site.url + address, cookie));
      }
      const [few = 0, many = 0] = times;
      figures.push(
        { what: `${what}, ${FEW} rows`, value: few, unit: 'ms' },
        { what: `${what}, ${MANY.toLocaleString('en-US')} rows`, value: many, unit: 'ms' },
        { what: `${what}, many to few`, value: many / few, unit: 'times', budget: TIMES },
      );
    }
  } finally {
    await sql.end();
    await site.stop();
  }
  const title = 'Opening screens with long lists';
  print(title, figures);
  const questionsTitle = 'Questions to the database for the first paint';
  print(questionsTitle, counts);
  return { [title]: figures, [questionsTitle]: counts };
};
