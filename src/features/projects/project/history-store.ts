/** What happened in a project, newest first, and updates that are on their way to it. */
import { atom, computed } from 'nanostores';
import { HISTORY_PAGE, type HistoryEntry, listProjectHistory } from '#data/projects.ts';
import { createErrorReporter } from '#lib/classify-error.ts';
import type { AppError } from '#lib/errors.ts';
import { newId } from '#lib/new-id.ts';
import type { Db } from '#lib/supabase.ts';
import { updateKind, type WrittenUpdate } from '#sync/kinds/project-update.ts';
import { createPendingList } from '#sync/pending-list.ts';
import type { Sync } from '#sync/sync.ts';

interface HistoryDeps {
  db: () => Promise<Db>;
  openSync: () => Sync;
  failed: (error: AppError) => void;
  signedOut: () => void;
  /** The name of whoever writes. */
  name: string;
}

export type HistoryStore = ReturnType<typeof createHistoryStore>;

/** Makes the store of one page. */
export function createHistoryStore(
  deps: HistoryDeps,
  initial: { projectId: string; history: HistoryEntry[] },
) {
  const reportError = createErrorReporter(deps);
  const $entries = atom<readonly HistoryEntry[]>(initial.history);
  const $more = atom(initial.history.length === HISTORY_PAGE);
  const $loading = atom(false);

  const pending = createPendingList({
    openSync: deps.openSync,
    kind: updateKind,
    belongs: ({ projectId }) => projectId === initial.projectId,
    onStored,
  });
  // Another tab may have stored it before this page was rendered.
  const $pending = computed([pending.$items, $entries], (items, entries) =>
    items.filter(({ key }) => !entries.some(({ id }) => id === key)),
  );

  function onStored({ id, body }: WrittenUpdate, answer: { at: string } | undefined) {
    const entry: HistoryEntry = {
      id,
      kind: 'update',
      at: answer?.at ?? new Date().toISOString(),
      from: null,
      to: null,
      body,
      by: deps.name,
      mine: true,
    };
    if (!$entries.get().some((each) => each.id === id)) $entries.set([entry, ...$entries.get()]);
  }

  /** Keeps an update in this browser and sends it, now or when that is possible. */
  const write = (body: string, id: string = newId()) =>
    pending.add(id, { id, projectId: initial.projectId, body: body.trim() });

  /** A step that was taken on this page. */
  function stepped(from: HistoryEntry['from'], to: HistoryEntry['to'], note: string) {
    const entry: HistoryEntry = {
      id: newId(),
      kind: 'moved',
      at: new Date().toISOString(),
      from,
      to,
      body: note || null,
      by: deps.name,
      mine: true,
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

  return {
    $entries,
    $more,
    $loading,
    write,
    stepped,
    more,
    pending: { ...pending, $items: $pending },
  };
}
