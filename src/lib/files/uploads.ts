/**
 * The upload list for files that a person chose: each is checked, then uploaded in turn, with its
 * progress and, if it stopped, the reason.
 */
import { atom } from 'nanostores';
import { loadModule } from '../browser/load-module.ts';
import { createErrorReporter } from '../classify-error.ts';
import { newId } from '../new-id.ts';
import type { Accepted } from './file-text.ts';

/** A file that is uploading, is uploaded or has failed. */
export interface Upload<Stored> {
  id: string;
  name: string;
  /** The total bytes, and the bytes sent so far. */
  size: number;
  sent: number;
  /** The stored file; null until then. */
  stored: Stored | null;
  /** Why the upload stopped; `again` if a retry could succeed. */
  problem: { text: string; again: boolean } | null;
}

/** A file that passed the checks, for `data/` to store. */
export interface ReadyFile {
  /** Generated here, so that a retry doesn't store the file twice. */
  id: string;
  file: File;
  /** The media type, detected from the content. */
  type: string;
  /** Receives the number of bytes sent so far. */
  onProgress: (sent: number) => void;
  /** Aborted when the person removes the file. */
  signal: AbortSignal;
}

/** Whether a file isn't stored yet but still could be. */
export const isWaiting = ({ stored, problem }: Upload<unknown>): boolean =>
  !stored && (!problem || problem.again);

interface Source {
  file: File;
  stop: AbortController;
}

interface Deps<Stored> {
  /** What's accepted there; by default what projects and messages accept. */
  accepted?: Accepted;
  /** Throws when the file can't be stored. */
  store: (file: ReadyFile) => Promise<Stored>;
  arrived: (id: string, stored: Stored) => void;
  signedOut: () => void;
}

/** Checks and uploads one file. A failure becomes the problem to show. */
async function storeFile<Stored>(
  { accepted, store, signedOut }: Deps<Stored>,
  { id, file, stop }: Source & { id: string },
  onProgress: (sent: number) => void,
): Promise<{ stored: Stored } | { problem: Upload<Stored>['problem'] }> {
  try {
    // Loaded with the first file, because most people open a page without adding one.
    const { checkedKind } = await loadModule(() => import('./file-kind.ts'));
    const type = await checkedKind(file, accepted);
    return { stored: await store({ id, file, type, onProgress, signal: stop.signal }) };
  } catch (thrown) {
    const { kind, message } = createErrorReporter({ signedOut })(thrown);
    return { problem: { text: message, again: kind !== 'invalid' && kind !== 'denied' } };
  }
}

/** Creates the upload list for one destination. */
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

  /** Queues files behind those that were added earlier. */
  function add(files: readonly File[]): Promise<void> {
    const added = files.map((file) => ({ id: newId(), file }));
    for (const { id, file } of added) sources.set(id, { file, stop: new AbortController() });
    const uploads = added.map(({ id, file: { name, size } }) => {
      return { id, name, size, sent: 0, stored: null, problem: null };
    });
    $uploads.set([...$uploads.get(), ...uploads]);
    return enqueue(added.map(({ id }) => id));
  }

  /** Restarts uploads that failed for a retryable reason, such as a lost connection or session. */
  function retry(): void {
    const ids = $uploads.get().flatMap(({ id, problem }) => (problem?.again ? id : []));
    for (const id of ids) change(id, { sent: 0, problem: null });
    void enqueue(ids);
  }

  /** Removes a file from the list and aborts its upload. */
  function drop(id: string): void {
    sources.get(id)?.stop.abort();
    sources.delete(id);
    $uploads.set($uploads.get().filter((each) => each.id !== id));
  }

  /** Resolves when every file is uploaded or has stopped. */
  const settled = (): Promise<void> => queue;

  return { $uploads, add, retry, drop, settled };
}
