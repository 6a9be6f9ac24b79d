import path from 'node:path';
import type { BenchPart } from '../parts.ts';
import { openBench } from '../site.ts';
import { measureConnections } from './connections.ts';
import { measureDelivery } from './delivery.ts';
import { measureOpening } from './opening.ts';

/** Listeners of one conversation. */
const FEW = 1;
const MANY = 200;

/** Messages from "send" to "on the other screen", what open connections cost, and long conversations. */
export const realtime: BenchPart = async ({ scratch, settings, show }) => {
  const dataDir = path.join(scratch, 'realtime');
  const bench = await openBench(dataDir, settings);
  try {
    show(`From send to screen, ${FEW} listener`, await measureDelivery(bench, FEW));
    show(`From send to screen, ${MANY} listeners`, await measureDelivery(bench, MANY));
    show('Opening a conversation over REST', await measureOpening(bench));
  } finally {
    await bench.close();
  }
  // Anew, because a process that has worked has memory in hand, and what it holds costs nothing then.
  const fresh = await openBench(dataDir, settings);
  try {
    show('Open connections', await measureConnections(fresh));
  } finally {
    await fresh.close();
  }
};
