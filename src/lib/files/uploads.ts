/**
 * Files that somebody has chosen: looked at, then stored one after another, with how far each has
 * come and why it stopped.
 */
import { atom } from 'nanostores';
import { classifyError } from '../classify-error.ts';
import { newId } from '../new-id.ts';
import { checkedKind } from './file-kind.ts';

/** A file on its way, or where it was going. */
export interface Upload<Stored> {
  id: string;
  name: string;
  /** Bytes: all of them, and those that have left so far. */
  size: number;
  sent: number;
  /** As it is stored; null while it is on its way. */
  stored: Stored | null;
  /** Why it stopped; `again` where trying once more can help. */
  problem: { text: string; again: boolean } | null;
}

/** A file that fits, as `data/` stores it. */
export interface ReadyFile {
  /** Made here, so that trying again stores once. */
  id: string;
  file: File;
  /** What it is by its content, not by its name. */
  type: string;
  /** Bytes that have left so far. */
  onProgress: (sent: number) => void;
  /** Somebody has taken it out again. */
  signal: AbortSignal;
}

/** Whether a file is nowhere but on this page, and wanted. */
export const isWaiting = ({ stored, problem }: Upload<unknown>): boolean =>
  !stored && (!problem || problem.again);

interface Deps<Stored> {
  /** Throws whatever keeps the file from being stored. */
  store: (file: ReadyFile) => Promise<Stored>;
  arrived: (id: string, stored: Stored) => void;
  signedOut: () => void;
}

/** Makes the files on their way to one place. */
export function createUploads<Stored>(deps: Deps<Stored>) {
  const $uploads = atom<readonly Upload<Stored>[]>([]);
  /** Of those that are not stored yet. */
  const sources = new Map<string, { file: File; stop: AbortController }>();
  let sending: Promise<void> = Promise.resolve();

  const change = (id: string, part: Partial<Upload<Stored>>) =>
    $uploads.set($uploads.get().map((each) => (each.id === id ? { ...each, ...part } : each)));

  async function send(id: string): Promise<void> {
    const source = sources.get(id);
    if (!source) return;
    const { file, stop } = source;
    try {
      const stored = await deps.store({
        ...{ id, file, type: await checkedKind(file), signal: stop.signal },
        onProgress: (sent) => change(id, { sent: Math.min(sent, file.size) }),
      });
      sources.delete(id);
      change(id, { stored, sent: file.size });
      deps.arrived(id, stored);
    } catch (thrown) {
      const error = classifyError(thrown);
      if (error.kind === 'signed-out') deps.signedOut();
      const again = error.kind !== 'invalid' && error.kind !== 'denied';
      change(id, { problem: { text: error.message, again } });
    }
  }

  function queue(ids: readonly string[]): Promise<void> {
    sending = sending.then(async () => {
      for (const id of ids) await send(id);
    });
    return sending;
  }

  /** Stores files, after those that were chosen before. */
  function add(files: readonly File[]): Promise<void> {
    const made = files.map((file) => ({ id: newId(), file }));
    for (const { id, file } of made) sources.set(id, { file, stop: new AbortController() });
    $uploads.set([
      ...$uploads.get(),
      ...made.map(({ id, file }) => ({
        ...{ id, name: file.name, size: file.size, sent: 0, stored: null, problem: null },
      })),
    ]);
    return queue(made.map(({ id }) => id));
  }

  /** What stopped for want of a connection or a session is sent again, from its start. */
  function retry(): void {
    const ids = $uploads.get().flatMap(({ id, problem }) => (problem?.again ? id : []));
    for (const id of ids) change(id, { sent: 0, problem: null });
    void queue(ids);
  }

  /** Takes a file out of the list, wherever it is on its way. */
  function drop(id: string): void {
    sources.get(id)?.stop.abort();
    sources.delete(id);
    $uploads.set($uploads.get().filter((each) => each.id !== id));
  }

  /** Waits until everything that was chosen is stored or has stopped. */
  const settled = (): Promise<void> => sending;

  return { $uploads, add, retry, drop, settled };
}
