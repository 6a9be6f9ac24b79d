import path from 'node:path';
import { findRunningPostgres } from '#backend/local/postgres/postgres.ts';
import { connect } from '../../fixtures/connection.ts';
import type { BenchPart } from '../parts.ts';
import { type Figure, figure, median } from '../report.ts';
import { type Bench, cookieOf, openBench } from '../site.ts';
import { adminScreens } from './admin-screens.ts';
import { coachingScreens } from './coaching-screens.ts';
import { countingSettings, questions } from './questions.ts';
import { ownerScreens, type ScreenCase } from './screens.ts';

const FEW = 100;
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

/** Lets the owner of the database turn off triggers and foreign keys while it fills tables. */
async function allowFilling({ dataDir }: Bench): Promise<void> {
  const maintenance = await findRunningPostgres(dataDir, 'supabase_admin');
  if (!maintenance) throw new Error('The database of the site does not run.');
  const admin = connect(maintenance, 1);
  await admin`grant set on parameter session_replication_role to postgres`;
  await admin.end();
}

/** Screens that are filled the same way, together, because filling takes longer than opening. */
function casesByFill(cases: readonly ScreenCase[]): ScreenCase[][] {
  const groups = new Map<ScreenCase['fill'], ScreenCase[]>();
  for (const one of cases) groups.set(one.fill, [...(groups.get(one.fill) ?? []), one]);
  return [...groups.values()];
}

/** Fills the tables of screens, and returns how long each takes to open, in ms. */
async function openAll(
  bench: Bench,
  cases: readonly ScreenCase[],
  countOf: (screen: ScreenCase) => number,
): Promise<Map<string, number>> {
  const { sql, site } = bench;
  const [first] = cases;
  if (!first) return new Map();
  await sql.begin(async (tx) => {
    // Otherwise the foreign keys to 100,000 people would take minutes to check.
    await tx`set local session_replication_role = replica`;
    await first.fill(tx, countOf(first));
  });
  await sql`vacuum analyze`;
  const times = new Map<string, number>();
  for (const { what, address, email } of cases) {
    times.set(what, await opens(site.url + address, await cookieOf(bench, email)));
  }
  return times;
}

/** How long screens take to open with 100 rows and with many, and how many requests they make. */
export const opening: BenchPart = async ({ scratch, settings, show }) => {
  const asked = path.join(scratch, 'questions.txt');
  const bench = await openBench(path.join(scratch, 'opening'), {
    ...settings,
    ...countingSettings(asked),
  });
  const { site } = bench;
  try {
    await allowFilling(bench);
    const counts = await questions(site.url, await cookieOf(bench, 'owner@demo.test'), asked);
    const figures: Figure[] = [];
    for (const cases of casesByFill([...adminScreens, ...coachingScreens, ...ownerScreens])) {
      const few = await openAll(bench, cases, () => FEW);
      const many = await openAll(bench, cases, (screen) => screen.many);
      for (const { what, many: most } of cases) {
        const [short = 0, long = 0] = [few.get(what), many.get(what)];
        figures.push(
          figure(`${what}, ${FEW} rows`, short, 'ms'),
          figure(`${what}, ${most.toLocaleString('en-US')} rows`, long, 'ms'),
          figure(`${what}, many to few`, long / short, 'times', TIMES),
        );
      }
    }
    show('Opening screens with long lists', figures);
    show('Questions to the database for the first paint', counts);
  } finally {
    await bench.close();
  }
};
