/**
 * Files that a person has chosen: checked, then stored one after another, each with its progress and
 * the reason why it stopped.
 */
import { atom } from 'nanostores';
import { createErrorReporter } from '../classify-error.ts';
import { newId } from '../new-id.ts';
import { checkedKind } from './file-kind.ts';

/** A file that is being uploaded, was uploaded or failed. */
export interface Upload<Stored> {
  id: string;
  name: string;
  /** Bytes: all of them, and those sent so far. */
  size: number;
  sent: number;
  /** What is stored; null until then. */
  stored: Stored | null;
  /** Why it stopped; `again` where a retry can help. */
  problem: { text: string; again: boolean } | null;
}

/** A file that passed the checks, for `data/` to store. */
export interface ReadyFile {
  /** Created here, so that a retry doesn't store it twice. */
  id: string;
  file: File;
  /** Its MIME type by its content, not by its name. */
  type: string;
  /** Told the bytes sent so far. */
  onProgress: (sent: number) => void;
  /** Aborted when the person removes the file. */
  signal: AbortSignal;
}

/** Whether a file is only on this page, and may still be stored. */
export const isWaiting = ({ stored, problem }: Upload<unknown>): boolean =>
  !stored && (!problem || problem.again);

interface Source {
  file: File;
  stop: AbortController;
}

interface Deps<Stored> {
  /** Throws when the file can't be stored. */
  store: (file: ReadyFile) => Promise<Stored>;
  arrived: (id: string, stored: Stored) => void;
  signedOut: () => void;
}

/** Checks and stores one file; a failure becomes the problem that is shown. */
async function storeFile<Stored>(
  { store, signedOut }: Deps<Stored>,
  { id, file, stop }: Source & { id: string },
  onProgress: (sent: number) => void,
): Promise<{ stored: Stored } | { problem: Upload<Stored>['problem'] }> {
  try {
    const type = await checkedKind(file);
    return { stored: await store({ id, file, type, onProgress, signal: stop.signal }) };
  } catch (thrown) {
    const { kind, message } = createErrorReporter({ signedOut })(thrown);
    return { problem: { text: message, again: kind !== 'invalid' && kind !== 'denied' } };
  }
}

/** Makes the uploads to one place. */
export function createUploads<Stored>(deps: Deps<Stored>) {
  const $uploads = atom<readonly Upload<Stored>[]>([]);
  /** The files that aren't stored yet. */
  const sources = new Map<string, Source>();
  let queue: Promise<void> = Promise.resolve();

  const change = (id: string, part: Partial<Upload<Stored>>) =>
    $uploads.set($uploads.get().map((each) => (each.id === id ? { ...each, ...part } : each)));

  async function send(id: string): Promise<void> {
    const source = sources.get(id);
    if (!source) return;
    const { size } = source.file;
    const result = await storeFile(deps, { id, ...source }, (sent) =>
      change(id, { sent: Math.min(sent, size) }),
    );
    if ('problem' in result) return change(id, result);
    sources.delete(id);
    change(id, { ...result, sent: size });
    deps.arrived(id, result.stored);
  }

  function enqueue(ids: readonly string[]): Promise<void> {
    for (const id of ids) queue = queue.then(() => send(id));
    return queue;
  }

  /** Stores files, after those that were chosen before. */
  function add(files: readonly File[]): Promise<void> {
    const added = files.map((file) => ({ id: newId(), file }));
    for (const { id, file } of added) sources.set(id, { file, stop: new AbortController() });
    const uploads = added.map(({ id, file: { name, size } }) => {
      return { id, name, size, sent: 0, stored: null, problem: null };
    });
    $uploads.set([...$uploads.get(), ...uploads]);
    return enqueue(added.map(({ id }) => id));
  }

  /** Sends again, from the start, what stopped for lack of a connection or a session. */
  function retry(): void {
    const ids = $uploads.get().flatMap(({ id, problem }) => (problem?.again ? id : []));
    for (const id of ids) change(id, { sent: 0, problem: null });
    void enqueue(ids);
  }

  /** Removes a file from the list, and stops sending it. */
  function drop(id: string): void {
    sources.get(id)?.stop.abort();
    sources.delete(id);
    $uploads.set($uploads.get().filter((each) => each.id !== id));
  }

  /** Waits until every chosen file is stored or has stopped. */
  const settled = (): Promise<void> => queue;

  return { $uploads, add, retry, drop, settled };
}
