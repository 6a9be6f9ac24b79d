import * as v from 'valibot';
import { type Database, queryOne } from '../connection.ts';
import { RemoteError, sentenceOf } from '../remote-api.ts';
import { type Wrike, wrike } from '../wrike.ts';
import { jobErrorOf, PATIENCE, type Patience, runSteps } from './steps.ts';
import { JobError, type JobKind } from './worker.ts';
import { sendMirror } from './wrike-sending.ts';

/** Timeout of one run, in ms. */
const TIME_LIMIT = 60_000;
/** When to look whether the run that's under way has ended, in s. */
const NEXT_LOOK = 10;

const begun = v.nullable(
  v.object({
    /** The account that the mirrored projects are in; null if there are none. */
    account_id: v.nullable(v.string()),
    has_work: v.boolean(),
  }),
);
const listing = v.nullable(v.object({ id: v.string(), next_page: v.nullable(v.string()) }));

/** The job that lists Wrike's folders and sends mirrored projects there. Only one runs at a time. */
export function wrikeJobs(patience: Patience = PATIENCE): JobKind {
  return {
    name: 'wrike_sync',
    timeLimit: TIME_LIMIT,
    lease: '2 minutes',
    async run({ id }, db, signal) {
      const row = await queryOne<{ begun: unknown }>(
        db,
      )`select private.begin_wrike(${id}) as begun`;
      const run = v.parse(begun, row?.begun);
      if (!run) return { again: NEXT_LOOK };
      const client = wrike(signal, patience);
      const seen = await checkConnection(db, client, run.account_id);
      if (!client || 'problem' in seen) {
        if (!run.has_work) return 'dropped';
        throw new JobError('problem' in seen ? seen.problem : '', 'service', seen.after);
      }
      try {
        const steps = [() => sendMirror(db, client, seen.accountId), () => listFolders(db, client)];
        const isDone = await runSteps(steps, patience.pause);
        if (!isDone) await queryOne(db)`select private.queue_wrike(true)`;
      } catch (error) {
        throw signal.aborted ? error : jobErrorOf(error, 'Wrike', 'WRIKE_TOKEN');
      }
      return 'forget';
    },
  };
}

/** What's wrong, in a sentence, and how long to wait until it's tried again, in s; or the account. */
type Seen = { problem: string; after: number } | { accountId: string; after: 0 };

/** Looks whether Wrike is connected, and stores what it saw for the screen. */
async function checkConnection(
  db: Database,
  client: Wrike | null,
  mirroredIn: string | null,
): Promise<Seen> {
  const keep = (problem: string | null, account: { id: string; name: string } | null = null) => {
    const row = JSON.stringify({ problem, host: client?.host ?? null, account });
    return queryOne(db)`select private.keep_wrike_connection(${row}::jsonb)`;
  };
  const fail = async (problem: string, after = 0): Promise<Seen> => {
    await keep(problem);
    return { problem, after };
  };
  if (!client) return fail('Wrike isn’t connected: WRIKE_TOKEN isn’t set.');
  try {
    const account = await client.account();
    if (mirroredIn !== null && mirroredIn !== account.id) {
      return fail(
        'WRIKE_TOKEN belongs to another account than the projects that are mirrored already.',
      );
    }
    await keep(null, account);
    return { accountId: account.id, after: 0 };
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    return fail(troubleOf(error, client.host), error.after);
  }
}

function troubleOf(error: RemoteError, host: string): string {
  // What Wrike answers if the account is in another data center.
  if (error.status === 300) {
    return `The token’s account isn’t in the data center of ${host}. Set WRIKE_API_BASE to that of your account.`;
  }
  if (error.why === 'token') {
    return `Wrike doesn’t accept WRIKE_TOKEN at ${host}. It may have been revoked, or its account may be in another data center, which WRIKE_API_BASE says.`;
  }
  // Such as an address that isn't one.
  if (error.status === null) return `Wrike didn’t answer at ${host}.`;
  return sentenceOf(error, 'Wrike', 'WRIKE_TOKEN');
}

/** Stores the next page of Wrike's folders, if they're to be listed. Resolves to whether they are. */
async function listFolders(db: Database, client: Wrike): Promise<boolean> {
  const row = await queryOne<{ listing: unknown }>(db)`select private.wrike_listing() as listing`;
  const wanted = v.parse(listing, row?.listing);
  if (!wanted) return false;
  const { folders, next } = await client.folders(wanted.next_page).catch((error: unknown) => {
    // A page's token doesn't last: it starts over.
    const isStale = error instanceof RemoteError && error.why === 'refused';
    if (isStale && wanted.next_page !== null) return client.folders(null);
    // It names nobody: only folders were asked for.
    throw isStale
      ? new JobError(`Wrike doesn’t list its folders: ${error.message}`, 'service')
      : error;
  });
  const rows = folders.map(({ id, title, childIds, space }) => ({
    ...{ id, title, kind: space ? 'space' : 'folder', child_ids: childIds },
  }));
  await queryOne(db)`
    select private.keep_wrike_folders(${wanted.id}, ${JSON.stringify(rows)}::jsonb, ${next})`;
  return true;
}
