/** What happened in a project, newest first, and updates that are on their way to it. */
import { atom, computed } from 'nanostores';
import { HISTORY_PAGE, type HistoryEntry, listProjectHistory } from '#data/projects.ts';
import { createErrorReporter } from '#lib/classify-error.ts';
import type { AppError } from '#lib/errors.ts';
import { newId } from '#lib/new-id.ts';
import type { Db } from '#lib/supabase.ts';
import { openOutbox, pageDeps } from '#stores/outbox.ts';
import { PROJECT_UPDATE, type StoredUpdate, type WrittenUpdate } from '#stores/outbox-senders.ts';
import { createWaitingRoom, type OpenOutbox } from '../waiting-room.ts';

interface HistoryDeps {
  db: () => Promise<Db>;
  openOutbox: OpenOutbox<WrittenUpdate, StoredUpdate>;
  failed: (error: AppError) => void;
  signedOut: () => void;
  /** The name of whoever writes. */
  name: string;
}

export type HistoryStore = ReturnType<typeof createHistoryStore>;

/** The outbox of a person, which tells of new updates. */
export const updateOutbox =
  (owner: string): HistoryDeps['openOutbox'] =>
  (sent) =>
    openOutbox(owner, pageDeps, undefined, { update: sent });

/** Makes the store of one page. */
export function createHistoryStore(
  deps: HistoryDeps,
  initial: { projectId: string; history: HistoryEntry[] },
) {
  const reportError = createErrorReporter(deps);
  const $entries = atom<readonly HistoryEntry[]>(initial.history);
  const $more = atom(initial.history.length === HISTORY_PAGE);
  const $loading = atom(false);

  const room = createWaitingRoom({ ...deps, arrived }, PROJECT_UPDATE, initial.projectId);
  const $waiting = computed([room.$waiting, $entries], (kept, entries) =>
    kept.filter(({ id }) => !entries.some((entry) => entry.id === id)),
  );

  function arrived({ id, body }: WrittenUpdate, answer: StoredUpdate | null) {
    const entry: HistoryEntry = {
      ...{ id, kind: 'update', at: answer?.at ?? new Date().toISOString(), from: null, to: null },
      ...{ body, by: deps.name, mine: true },
    };
    if (!$entries.get().some((each) => each.id === id)) $entries.set([entry, ...$entries.get()]);
  }

  /** Keeps an update in this browser and sends it, now or when that is possible. */
  const write = (body: string, id: string = newId()) =>
    room.put({ id, projectId: initial.projectId, body: body.trim() });

  /** A step that was taken on this page. */
  function stepped(from: HistoryEntry['from'], to: HistoryEntry['to'], note: string) {
    const entry: HistoryEntry = {
      ...{ id: newId(), kind: 'moved', at: new Date().toISOString(), from, to },
      ...{ body: note || null, by: deps.name, mine: true },
    };
    $entries.set([entry, ...$entries.get()]);
  }

  /** Adds what stands before. */
  async function more(): Promise<void> {
    // What was added on this page has no place in the database's order.
    const before = initial.history.length > 0 ? $entries.get().at(-1) : undefined;
    if (!before || $loading.get()) return;
    $loading.set(true);
    try {
      const older = await listProjectHistory(await deps.db(), initial.projectId, before);
      $entries.set([...$entries.get(), ...older]);
      $more.set(older.length === HISTORY_PAGE);
    } catch (thrown) {
      deps.failed(reportError(thrown));
    } finally {
      $loading.set(false);
    }
  }

  const { $state, $fragile, open, drop } = room;
  return {
    ...{ $entries, $more, $loading, write, stepped, more },
    ...{ $waiting, $state, $fragile, open, drop },
  };
}
