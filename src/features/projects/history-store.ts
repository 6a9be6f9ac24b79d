/** What happened in a project, newest first, and updates that are on their way to it. */
import { atom, computed } from 'nanostores';
import {
  createProjectUpdate,
  HISTORY_PAGE,
  type HistoryEntry,
  listProjectHistory,
} from '#data/projects.ts';
import { getUserId } from '#data/session.ts';
import { db } from '#lib/door.ts';
import { type AppError, toAppError } from '#lib/errors.ts';
import { newId } from '#lib/new-id.ts';
import { createOutbox, type Outbox } from '#lib/outbox.ts';
import type { Db } from '#lib/supabase.ts';

/** An update that has not arrived yet; `refused` says why it never will. */
export interface WaitingUpdate {
  id: string;
  body: string;
  refused: string | undefined;
}

interface Written {
  id: string;
  projectId: string;
  body: string;
}

interface HistoryDoors {
  db: () => Promise<Db>;
  /** Called once, in a browser. */
  openOutbox: (sent: (update: Written, at: string) => void) => Outbox;
  failed: (error: AppError) => void;
  signedOut: () => void;
  /** The name of whoever writes. */
  name: string;
}

const KIND = 'project-update';

export type HistoryStore = ReturnType<typeof createHistoryStore>;

/** The outbox of a person for updates: what waits in it is sent again until it has arrived. */
export function pageOutbox(owner: string): HistoryDoors['openOutbox'] {
  return (sent) =>
    createOutbox({
      owner,
      signedInAs: async () => getUserId(await db()),
      senders: {
        [KIND]: {
          batch: 1,
          async send(entries) {
            for (const { body } of entries) {
              const update = body as Written;
              const { at } = await createProjectUpdate(await db(), update);
              sent(update, at);
            }
          },
        },
      },
      classify(thrown) {
        const error = toAppError(thrown);
        if (error.kind === 'signed-out') return 'signed-out';
        const final = ['denied', 'invalid', 'not-found'].includes(error.kind);
        return final ? { refused: error.message } : 'later';
      },
    });
}

/** Makes the store of one page. */
export function createHistoryStore(
  doors: HistoryDoors,
  initial: { projectId: string; history: HistoryEntry[] },
) {
  const $entries = atom<readonly HistoryEntry[]>(initial.history);
  const $more = atom(initial.history.length === HISTORY_PAGE);
  const $loading = atom(false);
  const $outbox = atom<Outbox | null>(null);
  const $kept = atom<readonly WaitingUpdate[]>([]);
  const $state = atom<'sent' | 'sending' | 'waiting' | 'signed-out'>('sent');
  const $waiting = computed([$kept, $entries], (kept, entries) =>
    kept.filter(({ id }) => !entries.some((entry) => entry.id === id)),
  );

  function arrived(update: Written, at: string) {
    if (update.projectId !== initial.projectId) return;
    const entry: HistoryEntry = {
      ...{ id: update.id, kind: 'update', at, from: null, to: null, body: update.body },
      ...{ by: doors.name, mine: true },
    };
    if (!$entries.get().some(({ id }) => id === update.id)) {
      $entries.set([entry, ...$entries.get()]);
    }
  }

  /** Follows the outbox; gives the end of it. */
  function open(): () => void {
    const outbox = doors.openOutbox(arrived);
    $outbox.set(outbox);
    const stopEntries = outbox.$entries.subscribe((entries) =>
      $kept.set(
        entries
          .filter(({ kind, body }) => {
            return kind === KIND && (body as Written).projectId === initial.projectId;
          })
          .map(({ body, refused }) => {
            const { id, body: text } = body as Written;
            return { id, body: text, refused };
          }),
      ),
    );
    const stopState = outbox.$state.subscribe(({ name }) => {
      if (name === 'signed-out') doors.signedOut();
      $state.set(name === 'empty' ? 'sent' : name);
    });
    return () => {
      stopEntries();
      stopState();
      outbox.close();
      $outbox.set(null);
    };
  }

  /** Keeps an update in this browser and sends it, now or when that is possible. */
  function write(body: string, id: string = newId()) {
    const update: Written = { id, projectId: initial.projectId, body: body.trim() };
    $outbox.get()?.put(KIND, id, update);
  }

  /** Forgets an update that was refused. */
  const drop = (id: string) => $outbox.get()?.drop(KIND, id);

  const flush = () => $outbox.get()?.flush();

  /** A step that was taken on this page. */
  function stepped(from: HistoryEntry['from'], to: HistoryEntry['to'], note: string) {
    const entry: HistoryEntry = {
      ...{ id: newId(), kind: 'moved', at: new Date().toISOString(), from, to },
      ...{ body: note || null, by: doors.name, mine: true },
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
      const older = await listProjectHistory(await doors.db(), initial.projectId, before);
      $entries.set([...$entries.get(), ...older]);
      $more.set(older.length === HISTORY_PAGE);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.kind === 'signed-out') doors.signedOut();
      doors.failed(error);
    } finally {
      $loading.set(false);
    }
  }

  return { $entries, $more, $loading, $waiting, $state, open, write, drop, flush, stepped, more };
}
