import path from 'node:path';
import { startSite } from '../e2e/support/site-process.ts';
import type { BenchPart } from './parts.ts';
import { figure } from './report.ts';

/** Budget for any start after the first, in seconds. */
const LATER_START = 10;

const seconds = (from: number) => (performance.now() - from) / 1_000;

/** How long the site takes to start. */
export const starting: BenchPart = async ({ scratch, settings, show }) => {
  const own = { ...settings, DATA_DIR: path.join(scratch, 'starting') };
  const firstFrom = performance.now();
  await (await startSite(own)).stop();
  const first = seconds(firstFrom);
  const laterFrom = performance.now();
  const site = await startSite(own);
  const later = seconds(laterFrom);
  await site.stop();
  show('Starting (built before)', [
    figure('first start and stop, with demo data', first, 's'),
    figure('later start', later, 's', LATER_START),
  ]);
};
