import * as v from 'valibot';
import { queryOne } from '../connection.ts';
import { hubspot } from '../hubspot.ts';
import { compareRecords } from './hubspot-comparing.ts';
import { checkConnection } from './hubspot-connecting.ts';
import { sendLinks } from './hubspot-links.ts';
import { sendRecords } from './hubspot-sending.ts';
import { jobErrorOf, PATIENCE, type Patience, runSteps } from './steps.ts';
import { JobError, type JobKind } from './worker.ts';

/** Timeout of one run, in ms. */
const TIME_LIMIT = 60_000;

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

/** The job that sends what waits for HubSpot, removes what has to go, and does the dry run. */
export function hubspotJobs(patience: Patience = PATIENCE): JobKind {
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
        const { state, mapping } = begun;
        const last = state === 'previewing' ? compareRecords : sendLinks;
        const steps = [sendRecords, last].map((step) => () => step(db, client, mapping));
        const isDone = await runSteps(steps, patience.pause);
        if (isDone && begun.state === 'previewing') {
          await queryOne(db)`select private.finish_hubspot_preview()`;
        }
        if (!isDone) await queryOne(db)`select private.queue_hubspot(true)`;
      } catch (error) {
        throw signal.aborted ? error : jobErrorOf(error, 'HubSpot', 'HUBSPOT_TOKEN');
      }
      return 'forget';
    },
  };
}
