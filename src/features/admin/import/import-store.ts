/** Importing a list: choosing the file, its columns, a check of every row, and the import. */
import { atom, type WritableAtom } from 'nanostores';
import { type ImportResult, importContacts } from '#data/contact-import.ts';
import {
  chunkRows,
  columnsProblem,
  guessColumns,
  type ImportColumns,
  type ImportField,
  type ImportOutcome,
  type ImportRow,
  importRows,
} from '#domain/contact-import.ts';
import { type AppError, toAppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';
import { reportError } from '#stores/session.ts';
import type { ListFile } from './read-list.ts';

/** A check comes before the import, and both go on after they were interrupted. */
export type Doing = 'check' | 'import';

export type ImportStep =
  | { name: 'choose'; failure: AppError | null }
  | { name: 'map'; problem: string | null }
  | {
      name: 'running' | 'stopped';
      doing: Doing;
      done: number;
      total: number;
      failure: AppError | null;
    }
  | { name: 'checked' }
  | { name: 'done' };

interface ImportDeps {
  db: () => Promise<Db>;
  /** Throws an AppError. */
  read: (file: File) => Promise<ListFile>;
}

export type ImportStore = ReturnType<typeof createImportStore>;

interface RunDeps extends Pick<ImportDeps, 'db'> {
  $step: WritableAtom<ImportStep>;
  $results: WritableAtom<readonly ImportResult[]>;
}

/** Sends rows request by request. It stops where one fails, and can go on from there. */
function createRun({ db, $step, $results }: RunDeps) {
  /** What is sent and how; `left` are the requests that aren't done. */
  let job = {
    doing: 'check' as Doing,
    left: [] as ImportRow[][],
    total: 0,
    file: '',
    invites: false,
  };

  async function resume(): Promise<void> {
    const { doing, total, file, invites } = job;
    const progress = () => ({ doing, total, done: total - job.left.flat().length, failure: null });
    $step.set({ name: 'running', ...progress() });
    try {
      const client = await db();
      for (let [rows] = job.left; rows; [rows] = job.left) {
        const results = await importContacts(client, rows, {
          file,
          isDry: doing === 'check',
          invites,
        });
        job.left = job.left.slice(1);
        $results.set([...$results.get(), ...results]);
        $step.set({ name: 'running', ...progress() });
      }
    } catch (thrown) {
      $step.set({ name: 'stopped', ...progress(), failure: reportError(thrown) });
      return;
    }
    $results.set($results.get().toSorted((a, b) => a.row - b.row));
    $step.set({ name: doing === 'check' ? 'checked' : 'done' });
  }

  function begin(
    doing: Doing,
    rows: readonly ImportRow[],
    options: { file: string; invites: boolean },
  ): Promise<void> {
    job = { doing, left: chunkRows(rows), total: rows.length, ...options };
    $results.set([]);
    return resume();
  }

  return { begin, resume };
}

/** Creates the store of the import screen. */
export function createImportStore({ db, read }: ImportDeps) {
  const $step = atom<ImportStep>({ name: 'choose', failure: null });
  const $file = atom<ListFile | null>(null);
  const $columns = atom<ImportColumns>([]);
  const $results = atom<readonly ImportResult[]>([]);
  const $invites = atom(false);
  const run = createRun({ db, $step, $results });

  async function choose(file: File): Promise<void> {
    try {
      const list = await read(file);
      $file.set(list);
      $columns.set(guessColumns(list.headers));
      $results.set([]);
      $step.set({ name: 'map', problem: null });
    } catch (thrown) {
      $step.set({ name: 'choose', failure: toAppError(thrown) });
    }
  }

  function setColumn(index: number, field: ImportField | null): void {
    $columns.set($columns.get().with(index, field));
    $step.set({ name: 'map', problem: null });
  }

  const begin = (doing: Doing) => {
    const { name = 'list.csv', lines = [] } = $file.get() ?? {};
    const rows = importRows(lines, $columns.get());
    return run.begin(doing, rows, { file: name, invites: $invites.get() });
  };

  async function check(): Promise<void> {
    const problem = columnsProblem($columns.get());
    if (problem) $step.set({ name: 'map', problem });
    else await begin('check');
  }

  return {
    $step,
    $file,
    $columns,
    /** What happens or happened to each row, by its number once they're all there. */
    $results,
    $invites,
    choose,
    setColumn,
    check,
    send: () => begin('import'),
    /** Goes on after a failure. */
    resume: run.resume,
    backToColumns: () => $step.set({ name: 'map', problem: null }),
    restart: () => $step.set({ name: 'choose', failure: null }),
  };
}

/** How many rows have each outcome. */
export function countOutcomes(results: readonly ImportResult[]): Record<ImportOutcome, number> {
  const counts = { new: 0, changed: 0, there: 0, refused: 0 };
  for (const { outcome } of results) counts[outcome] += 1;
  return counts;
}
