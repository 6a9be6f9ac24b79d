import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { type Database, queryOne } from '../connection.ts';
import { type HubSpot, HubSpotError, hubspot } from '../hubspot.ts';
import type { HubSpotMapping } from '../hubspot-mapping.ts';
import { compareRecords } from './hubspot-comparing.ts';
import { checkConnection, sentenceOf } from './hubspot-connecting.ts';
import { sendLinks } from './hubspot-links.ts';
import { sendRecords } from './hubspot-sending.ts';
import { JobError, type JobKind } from './worker.ts';

/** Timeout of one run, in ms. */
const TIME_LIMIT = 60_000;
/** After this long, in ms, another job continues: a function has 25 s. */
const BUDGET = 15_000;
/** How often in a row HubSpot may not answer before the job waits. */
const TRIES = 4;
/** The longest a job is postponed because HubSpot asked for it, in s. */
const LONGEST_WAIT = 3_600;

const settings = v.nullable(
  v.object({
    state: v.picklist(['off', 'previewing', 'previewed', 'live', 'stopped']),
    mapping: v.object({
      contact: v.record(v.string(), v.string()),
      company: v.record(v.string(), v.string()),
    }),
    has_work: v.boolean(),
  }),
);

/** A step of a run. Resolves to whether there was something to do. */
export type HubSpotStep = (
  db: Database,
  client: HubSpot,
  mapping: HubSpotMapping,
) => Promise<boolean>;

interface Patience {
  /** Timeout of a request, in ms. */
  requestLimit: number;
  /** The pause after HubSpot didn't answer, in ms; it doubles each time in a row. */
  pause: number;
}

/** The job that sends what waits for HubSpot, removes what has to go, and does the dry run. */
export function hubspotJobs(patience: Patience = { requestLimit: 10_000, pause: 400 }): JobKind {
  return {
    name: 'hubspot_sync',
    timeLimit: TIME_LIMIT,
    lease: '2 minutes',
    async run({ id }, db, signal) {
      const row = await queryOne<{ begun: unknown }>(
        db,
      )`select private.begin_hubspot(${id}) as begun`;
      const begun = v.parse(settings, row?.begun);
      if (!begun) return 'dropped';
      const client = hubspot(signal, patience.requestLimit);
      const trouble = await checkConnection(db, client, begun.mapping);
      if (!client || trouble) {
        if (!begun.has_work) return 'dropped';
        throw new JobError(trouble?.message ?? '', 'service', trouble?.after);
      }
      try {
        const steps =
          begun.state === 'previewing' ? [sendRecords, compareRecords] : [sendRecords, sendLinks];
        const isDone = await runSteps(steps, {
          db,
          client,
          mapping: begun.mapping,
          pause: patience.pause,
        });
        if (isDone && begun.state === 'previewing') {
          await queryOne(db)`select private.finish_hubspot_preview()`;
        }
        if (!isDone) await queryOne(db)`select private.queue_hubspot(true)`;
      } catch (error) {
        throw error instanceof HubSpotError && !signal.aborted ? jobErrorOf(error) : error;
      }
      return 'forget';
    },
  };
}

/** Repeats each step until there's nothing left to do; false if time runs out before that. */
async function runSteps(
  steps: readonly HubSpotStep[],
  run: { db: Database; client: HubSpot; mapping: HubSpotMapping; pause: number },
): Promise<boolean> {
  const deadline = Date.now() + BUDGET;
  for (const step of steps) {
    for (let failures = 0; ; ) {
      if (Date.now() > deadline) return false;
      try {
        if (!(await step(run.db, run.client, run.mapping))) break;
        failures = 0;
      } catch (error) {
        failures += 1;
        const isAway = error instanceof HubSpotError && error.why === 'away';
        if (!isAway || failures === TRIES) throw error;
        await wait(run.pause * 2 ** (failures - 1));
      }
    }
  }
  return true;
}

const jobErrorOf = (error: HubSpotError): JobError =>
  new JobError(sentenceOf(error), 'service', Math.min(error.after, LONGEST_WAIT));
