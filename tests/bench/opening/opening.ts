import path from 'node:path';
import type { BenchPart } from '../parts.ts';
import { type Figure, figure, median } from '../report.ts';
import { cookieOf, openBench } from '../site.ts';
import { adminScreens } from './admin-screens.ts';
import { coachingScreens } from './coaching-screens.ts';
import { countingSettings, questions } from './questions.ts';
import { ownerScreens } from './screens.ts';

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

/** How long screens take to open with 100 rows and with many, and how many requests they make. */
export const opening: BenchPart = async ({ scratch, settings, show }) => {
  const asked = path.join(scratch, 'questions.txt');
  const bench = await openBench(path.join(scratch, 'opening'), {
    ...settings,
    ...countingSettings(asked),
  });
  const { sql, site } = bench;
  try {
    const counts = await questions(site.url, await cookieOf(bench, 'owner@demo.test'), asked);
    const figures: Figure[] = [];
    for (const { what, address, fill, email, many: most } of [
      ...adminScreens,
      ...coachingScreens,
      ...ownerScreens,
    ]) {
      const cookie = await cookieOf(bench, email);
      const times: number[] = [];
      for (const count of [FEW, most]) {
        await fill(sql, count);
        await sql`vacuum analyze`;
        times.push(await opens(site.url + address, cookie));
      }
      const [few = 0, many = 0] = times;
      figures.push(
        figure(`${what}, ${FEW} rows`, few, 'ms'),
        figure(`${what}, ${most.toLocaleString('en-US')} rows`, many, 'ms'),
        figure(`${what}, many to few`, many / few, 'times', TIMES),
      );
    }
    show('Opening screens with long lists', figures);
    show('Questions to the database for the first paint', counts);
  } finally {
    await bench.close();
  }
};
