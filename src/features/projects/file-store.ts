/** The files of one project: those that are there, and those that are on their way. */
import { atom } from 'nanostores';
import {
  createProjectFile,
  FILE_BYTES,
  getFileLink,
  removeProjectFile,
} from '#data/project-files.ts';
import type { ProjectFile } from '#data/projects.ts';
import { AppError } from '#lib/errors.ts';
import { failureOf } from '#lib/failure-of.ts';
import { KINDS_TEXT, kindOf, sizeText } from '#lib/file-kind.ts';
import { newId } from '#lib/new-id.ts';
import type { Db } from '#lib/supabase.ts';
import { holdUnsaved } from '#lib/unsaved.ts';

/** A file on its way. */
export interface Upload {
  id: string;
  name: string;
  size: number;
  sent: number;
  /** Why it stopped; `again` where trying once more can help. */
  problem: { text: string; again: boolean } | null;
}

interface FileDoors {
  db: () => Promise<Db>;
  signedOut: () => void;
  failed: (what: string, error: AppError, again: () => void) => void;
  /** Opens a link to a file that is saved and not shown. */
  follow: (link: string) => void;
}

export type FileStore = ReturnType<typeof createFileStore>;

/** Makes the store of one page. */
export function createFileStore(
  doors: FileDoors,
  initial: { projectId: string; files: ProjectFile[] },
) {
  const $files = atom<readonly ProjectFile[]>(initial.files);
  const $uploads = atom<readonly Upload[]>([]);
  const $busy = atom<ReadonlySet<string>>(new Set());
  const sources = new Map<string, { file: File; stop: AbortController }>();

  const change = (id: string, part: Partial<Upload>) =>
    $uploads.set($uploads.get().map((each) => (each.id === id ? { ...each, ...part } : each)));
  const forget = (id: string) => {
    sources.delete(id);
    $uploads.set($uploads.get().filter((each) => each.id !== id));
  };

  function heard(thrown: unknown): AppError {
    const error = failureOf(thrown);
    if (error.kind === 'signed-out') doors.signedOut();
    return error;
  }

  /** Its media type by content. Throws an AppError that says what does not fit. */
  async function checked(file: File): Promise<string> {
    if (file.size === 0) throw new AppError('invalid', 'This file is empty.');
    if (file.size > FILE_BYTES) {
      throw new AppError(
        'invalid',
        `This file has ${sizeText(file.size)}; at most ${FILE_BYTES / 1024 / 1024} MB fit. Send a smaller version.`,
      );
    }
    const type = kindOf(new Uint8Array(await file.arrayBuffer()), file.name);
    if (!type) {
      throw new AppError('invalid', `Its content is none that can be kept here: ${KINDS_TEXT}.`);
    }
    return type;
  }

  /** Sends a file of the list, from the start. */
  async function send(id: string): Promise<void> {
    const source = sources.get(id);
    if (!source) return;
    const { file } = source;
    const stop = new AbortController();
    sources.set(id, { file, stop });
    change(id, { sent: 0, problem: null });
    const release = holdUnsaved();
    try {
      const type = await checked(file);
      const stored = await createProjectFile(
        await doors.db(),
        { id, projectId: initial.projectId, file, name: file.name, type },
        (sent) => change(id, { sent: Math.min(sent, file.size) }),
        stop.signal,
      );
      forget(id);
      $files.set([stored, ...$files.get().filter((each) => each.id !== id)]);
    } catch (thrown) {
      const error = heard(thrown);
      const again = error.kind !== 'invalid' && error.kind !== 'denied';
      change(id, { problem: { text: error.message, again } });
    } finally {
      release();
    }
  }

  /** Sends files one after another. */
  async function add(files: readonly File[]): Promise<void> {
    const made = files.map((file) => ({ id: newId(), file }));
    for (const { id, file } of made) sources.set(id, { file, stop: new AbortController() });
    $uploads.set([
      ...$uploads.get(),
      ...made.map(({ id, file }) => ({
        ...{ id, name: file.name, size: file.size, sent: 0, problem: null },
      })),
    ]);
    for (const { id } of made) await send(id);
  }

  /** What stopped for want of a connection or a session goes on. */
  function retry() {
    for (const { id, problem } of $uploads.get()) if (problem?.again) void send(id);
  }

  /** Stops sending a file, or forgets one that could not be sent. */
  function cancel(id: string) {
    sources.get(id)?.stop.abort();
    forget(id);
  }

  async function busy(id: string, work: () => Promise<void>): Promise<void> {
    if ($busy.get().has(id)) return;
    $busy.set(new Set([...$busy.get(), id]));
    try {
      await work();
    } finally {
      $busy.set(new Set([...$busy.get()].filter((each) => each !== id)));
    }
  }

  /** Saves a file to the reader's device, by a link that lasts a minute. */
  function download(file: ProjectFile): Promise<void> {
    return busy(file.id, async () => {
      try {
        doors.follow(await getFileLink(await doors.db(), file));
      } catch (thrown) {
        doors.failed(`“${file.name}” was not opened`, heard(thrown), () => void download(file));
      }
    });
  }

  /** Takes a file away for good. */
  function remove(file: ProjectFile): Promise<void> {
    return busy(file.id, async () => {
      try {
        await removeProjectFile(await doors.db(), file);
        $files.set($files.get().filter((each) => each.id !== file.id));
      } catch (thrown) {
        doors.failed(`“${file.name}” is still there`, heard(thrown), () => void remove(file));
      }
    });
  }

  return { $files, $uploads, $busy, add, send, retry, cancel, download, remove };
}
