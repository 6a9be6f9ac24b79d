/** The sync with HubSpot: how far it is, asked for again while it's at work, and its steps. */
import { atom } from 'nanostores';
import {
  getHubSpot,
  type HubSpotSync,
  mapHubSpot,
  replayHubSpot,
  runHubSpot,
} from '#data/hubspot.ts';
import type { HubSpotMapping, HubSpotStep } from '#domain/hubspot.ts';
import { type AttemptDeps, createAttempt } from '#lib/attempt.ts';
import { createErrorReporter } from '#lib/classify-error.ts';
import type { AppError } from '#lib/errors.ts';
import { createWatching } from '../watch-job.ts';

const FAILED: Record<HubSpotStep, string> = {
  check: 'We couldn’t check the connection',
  preview: 'We couldn’t start the dry run',
  send: 'We couldn’t start sending',
  stop: 'We couldn’t stop it',
};

interface HubSpotDeps extends AttemptDeps {
  /** Called when the records may have changed. */
  recordsChanged: () => void;
}

/** Creates the store for one page. */
export function createHubSpotStore(deps: HubSpotDeps, initial: HubSpotSync) {
  const $sync = atom(initial);
  /** Which step is being asked for. */
  const $pending = atom<HubSpotStep | 'replay' | null>(null);
  /** Why we don't know how far it is right now. */
  const $failure = atom<AppError | null>(null);
  const attempt = createAttempt(deps);
  const reportError = createErrorReporter(deps);
  const watching = createWatching(() => $sync.get().job, look);

  function show(sync: HubSpotSync) {
    const before = $sync.get();
    $sync.set(sync);
    $failure.set(null);
    if (JSON.stringify(before.records) !== JSON.stringify(sync.records)) deps.recordsChanged();
    watching.again();
  }

  async function look(): Promise<void> {
    try {
      show(await getHubSpot(await deps.db()));
    } catch (thrown) {
      $failure.set(reportError(thrown));
      watching.again();
    }
  }

  async function take(step: HubSpotStep): Promise<void> {
    $pending.set(step);
    await attempt(
      FAILED[step],
      async (db) => show(await runHubSpot(db, step)),
      () => void take(step),
    );
    $pending.set(null);
  }

  /** Has refused records sent again; null: all of them. */
  async function replay(ids: readonly (string | null)[]): Promise<boolean> {
    $pending.set('replay');
    const isDone = await attempt(
      'We couldn’t send them again',
      async (db) => {
        for (const id of ids) await replayHubSpot(db, id);
      },
      () => void replay(ids),
    );
    await look();
    $pending.set(null);
    return isDone;
  }

  /** Saves the mapping and has it checked. Throws an AppError, which the dialog shows. */
  async function map(mapping: HubSpotMapping): Promise<void> {
    try {
      const db = await deps.db();
      await mapHubSpot(db, mapping);
      show(await runHubSpot(db, 'check'));
    } catch (thrown) {
      throw reportError(thrown);
    }
  }

  return { $sync, $pending, $failure, look, watch: watching.start, take, replay, map };
}
