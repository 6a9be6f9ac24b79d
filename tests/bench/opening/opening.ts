import path from 'node:path';
import { findRunningPostgres } from '#backend/local/postgres/postgres.ts';
import { connect } from '../../fixtures/connection.ts';
import type { BenchPart } from '../parts.ts';
import { type Figure, figure, median } from '../report.ts';
import { type Bench, cookieOf, openBench } from '../site.ts';
import { adminScreens } from './admin-screens.ts';
import { coachingScreens } from './coaching-screens.ts';
import { payingScreens } from './paying-screens.ts';
import { countingSettings, questions } from './questions.ts';
import { ownerScreens, type ScreenCase } from './screens.ts';

const FEW = 100;
/** Budget: the time to open a screen with many rows, relative to few. */
const TIMES = 1.3;
/** Requests per measurement; the median counts. */
const ROUNDS = 60;

/** Milliseconds from a page's request to its last byte. */
async function opens(url: string, cookie: string): Promise<number> {
  const from = performance.now();
  const answer = await fetch(url, { headers: { cookie }, redirect: 'manual' });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
  return performance.now() - from;
}

/** Lets the owner of the database turn off triggers and foreign keys while it fills tables, and write them out. */
async function allowFilling({ dataDir }: Bench): Promise<void> {
  const maintenance = await findRunningPostgres(dataDir, 'supabase_admin');
  if (!maintenance) throw new Error('The database of the site does not run.');
  const admin = connect(maintenance, 1);
  await admin`grant set on parameter session_replication_role to postgres`;
  await admin`grant pg_checkpoint to postgres`;
  await admin.end();
}

/** Screens that are filled the same way, together, because filling takes longer than opening. */
function casesByFill(cases: readonly ScreenCase[]): ScreenCase[][] {
  const groups = new Map<ScreenCase['fill'], ScreenCase[]>();
  for (const one of cases) groups.set(one.fill, [...(groups.get(one.fill) ?? []), one]);
  return [...groups.values()];
}

async function fillFor(bench: Bench, fill: ScreenCase['fill'], count: number): Promise<void> {
  const { sql } = bench;
  await sql.begin(async (tx) => {
    // Otherwise the foreign keys to 100,000 people would take minutes to check.
    await tx`set local session_replication_role = replica`;
    await fill(tx, count);
  });
  await sql`vacuum analyze`;
  // Otherwise what the fill left to be written would slow down the first screens.
  await sql`checkpoint`;
}

/**
 * The median times in ms that a screen takes to open on each of the sites. They're asked in turn, so
 * that whatever else the machine does slows down both.
 */
async function openBoth(
  { address, email }: ScreenCase,
  sites: readonly [Bench, Bench],
): Promise<[few: number, many: number]> {
  const asked: { url: string; cookie: string; took: number[] }[] = [];
  for (const bench of sites) {
    asked.push({ url: bench.site.url + address, cookie: await cookieOf(bench, email), took: [] });
  }
  for (let round = -10; round < ROUNDS; round += 1) {
    for (const { url, cookie, took } of round % 2 === 0 ? asked : asked.toReversed()) {
      const time = await opens(url, cookie);
      if (round >= 0) took.push(time);
    }
  }
  const [few = 0, many = 0] = asked.map(({ took }) => median(took));
  return [few, many];
}

/** Opens each screen on a site with few rows and on one with many. */
async function openAll(few: Bench, many: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  // Paying first: the overview is opened beside 10,000 orders, not beside 100,000 people, too.
  for (const cases of casesByFill([
    ...payingScreens,
    ...adminScreens,
    ...coachingScreens,
    ...ownerScreens,
  ])) {
    const [first] = cases;
    if (!first) continue;
    await fillFor(few, first.fill, FEW);
    await fillFor(many, first.fill, first.many);
    for (const screen of cases) {
      const [short, long] = await openBoth(screen, [few, many]);
      figures.push(
        figure(`${screen.what}, ${FEW} rows`, short, 'ms'),
        figure(`${screen.what}, ${screen.many.toLocaleString('en-US')} rows`, long, 'ms'),
        figure(`${screen.what}, many to few`, long / short, 'times', TIMES),
      );
    }
  }
  return figures;
}

/** How long screens take to open with 100 rows and with many, and how many requests they make. */
export const opening: BenchPart = async ({ scratch, settings, show }) => {
  const asked = path.join(scratch, 'questions.txt');
  const open = (name: string) =>
    openBench(path.join(scratch, name), { ...settings, ...countingSettings(asked) });
  const few = await open('few');
  const many = await open('many');
  try {
    await allowFilling(few);
    await allowFilling(many);
    const counts = await questions(few.site.url, await cookieOf(few, 'owner@demo.test'), asked);
    show('Opening screens with long lists', await openAll(few, many));
    show('Questions to the database for the first paint', counts);
  } finally {
    await few.close();
    await many.close();
  }
};
