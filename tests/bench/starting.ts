import path from 'node:path';
import { startSite } from '../e2e/support/site-process.ts';
import type { BenchPart } from './parts.ts';

/** Seconds; a later start is promised within 10. */
const LATER_START = 10;

const seconds = (from: number) => (performance.now() - from) / 1_000;

/** How long somebody waits for the site. */
export const starting: BenchPart = async ({ scratch, settings, print }) => {
  const own = { ...settings, DATA_DIR: path.join(scratch, 'starting') };
  const firstFrom = performance.now();
  await (await startSite(own)).stop();
  const first = seconds(firstFrom);
  const laterFrom = performance.now();
  const site = await startSite(own);
  const later = seconds(laterFrom);
  await site.stop();
  const title = 'Starting (built before)';
  const figures = [
    { what: 'first start and stop, with demo data', value: first, unit: 's' as const },
    { what: 'later start', value: later, unit: 's' as const, budget: LATER_START },
  ];
  print(title, figures);
  return { [title]: figures };
};
