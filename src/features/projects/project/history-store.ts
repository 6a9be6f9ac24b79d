/** A project's history, newest first, and updates that are still being sent. */
import { atom, computed } from 'nanostores';
import { HISTORY_PAGE, type HistoryEntry, listProjectHistory } from '#data/projects.ts';
import type { ProjectStatus } from '#domain/project.ts';
import { type AttemptDeps, createAttempt } from '#lib/attempt.ts';
import { newId } from '#lib/new-id.ts';
import type { Db } from '#lib/supabase.ts';
import { updateKind } from '#sync/kinds/project-update.ts';
import { createPendingList } from '#sync/pending-list.ts';
import type { Sync } from '#sync/sync.ts';

interface HistoryDeps extends AttemptDeps {
  openSync: () => Sync;
  name: string;
}

export type HistoryStore = ReturnType<typeof createHistoryStore>;

export function createHistoryStore(
  { name, openSync, ...deps }: HistoryDeps,
  projectId: string,
  history: HistoryEntry[],
) {
  const attempt = createAttempt(deps);
  const $entries = atom<readonly HistoryEntry[]>(history);
  const $more = atom(history.length === HISTORY_PAGE);
  const $loading = atom(false);

  /** Adds an entry for something the user did on this page. */
  function add(part: Partial<HistoryEntry> & Pick<HistoryEntry, 'id' | 'kind' | 'body'>) {
    if ($entries.get().some(({ id }) => id === part.id)) return;
    const at = new Date().toISOString();
    const entry = { at, from: null, to: null, by: name, mine: true, ...part };
    $entries.set([entry, ...$entries.get()]);
  }

  const pending = createPendingList({
    openSync,
    kind: updateKind,
    belongs: (update) => update.projectId === projectId,
    onStored: ({ id, body }, answer) =>
      add({ id, kind: 'update', body, ...(answer && { at: answer.at }) }),
  });
  // Another tab may have stored an update before this page was rendered.
  const $pending = computed([pending.$items, $entries], (items, entries) =>
    items.filter(({ key }) => !entries.some(({ id }) => id === key)),
  );

  async function more(): Promise<void> {
    // An entry added on this page isn't a valid cursor for the database.
    const before = history.length > 0 ? $entries.get().at(-1) : undefined;
    if (!before || $loading.get()) return;
    $loading.set(true);
    const load = async (db: Db) => {
      const older = await listProjectHistory(db, projectId, before);
      $entries.set([...$entries.get(), ...older]);
      $more.set(older.length === HISTORY_PAGE);
    };
    await attempt('We couldn’t load older updates', load, () => void more());
    $loading.set(false);
  }

  return {
    $entries,
    $more,
    $loading,
    more,
    pending: { ...pending, $items: $pending },
    /** Saves an update in this browser, and sends it now or as soon as possible. */
    write(body: string) {
      const id = newId();
      pending.add(id, { id, projectId, body: body.trim() });
    },
    /** Adds an entry for a move made on this page. */
    stepped: (from: ProjectStatus, to: ProjectStatus, note: string) =>
      add({ id: newId(), kind: 'moved', from, to, body: note || null }),
  };
}
