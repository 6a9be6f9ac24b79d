import path from 'node:path';
import type { BenchPart } from '../parts.ts';
import { openBench } from '../site.ts';
import { measureConnections } from './connections.ts';
import { measureDelivery } from './delivery.ts';
import { measureOpening } from './opening.ts';

/** Listeners in one conversation, and the time that 95 of 100 arrivals may take, in ms. */
const FEW = 1;
const FEW_WITHIN = 10;
const MANY = 200;
const MANY_WITHIN = 25;

/** Message delivery times, the cost of open connections, and opening long conversations. */
export const realtime: BenchPart = async ({ scratch, settings, show }) => {
  const dataDir = path.join(scratch, 'realtime');
  const bench = await openBench(dataDir, settings);
  try {
    show(`From send to screen, ${FEW} listener`, await measureDelivery(bench, FEW, FEW_WITHIN));
    show(`From send to screen, ${MANY} listeners`, await measureDelivery(bench, MANY, MANY_WITHIN));
    show('Opening a conversation over REST', await measureOpening(bench));
  } finally {
    await bench.close();
  }
  // In a new process: a used one already has free heap, so connections would seem to cost nothing.
  const fresh = await openBench(dataDir, settings);
  try {
    show('Open connections', await measureConnections(fresh));
  } finally {
    await fresh.close();
  }
};
