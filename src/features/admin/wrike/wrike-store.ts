/** Wrike: how far it is, asked for again while there's work, and what an admin has done. */
import { atom } from 'nanostores';
import {
  changeWrikeMirror,
  getWrike,
  mirrorInWrike,
  runWrike,
  type WrikeOverview,
} from '#data/wrike.ts';
import type { MirrorStep, WrikeStep } from '#domain/wrike.ts';
import { type AttemptDeps, createAttempt } from '#lib/attempt.ts';
import { createErrorReporter } from '#lib/classify-error.ts';
import type { AppError } from '#lib/errors.ts';
import { createWatching } from '../watch-job.ts';

const FAILED: Record<WrikeStep, string> = {
  check: 'We couldn’t check the connection',
  list_folders: 'We couldn’t list the folders',
};

interface WrikeDeps extends AttemptDeps {
  /** Called when the folders, or the mirrored projects, may have changed. */
  foldersChanged: () => void;
  mirrorsChanged: () => void;
}

/** Creates the store for one page. */
export function createWrikeStore(deps: WrikeDeps, initial: WrikeOverview) {
  const $wrike = atom(initial);
  /** Which step is being asked for. */
  const $pending = atom<WrikeStep | null>(null);
  /** Why we don't know how far it is right now. */
  const $failure = atom<AppError | null>(null);
  const attempt = createAttempt(deps);
  const reportError = createErrorReporter(deps);
  const watching = createWatching(() => $wrike.get().job, look);

  function show(wrike: WrikeOverview) {
    const before = $wrike.get();
    $wrike.set(wrike);
    $failure.set(null);
    if (before.listed_at !== wrike.listed_at) deps.foldersChanged();
    if (JSON.stringify(before.mirrors) !== JSON.stringify(wrike.mirrors)) deps.mirrorsChanged();
    watching.again();
  }

  async function look(): Promise<void> {
    try {
      show(await getWrike(await deps.db()));
    } catch (thrown) {
      $failure.set(reportError(thrown));
      watching.again();
    }
  }

  async function take(step: WrikeStep): Promise<void> {
    $pending.set(step);
    await attempt(
      FAILED[step],
      async (db) => show(await runWrike(db, step)),
      () => void take(step),
    );
    $pending.set(null);
  }

  /** Mirrors a project, or creates a test project without one. Throws an AppError. */
  async function mirror(id: string, folderId: string, projectId: string | null): Promise<void> {
    try {
      show(await mirrorInWrike(await deps.db(), id, folderId, projectId));
    } catch (thrown) {
      throw reportError(thrown);
    }
  }

  /** Changes what becomes of a mirrored project. Throws an AppError. */
  async function change(id: string, step: MirrorStep): Promise<void> {
    try {
      show(await changeWrikeMirror(await deps.db(), id, step));
    } catch (thrown) {
      throw reportError(thrown);
    }
  }

  return { $wrike, $pending, $failure, look, watch: watching.start, take, mirror, change };
}
