/** Files that a person brings to what they are writing: sent at once, named when it is sent. */
import { atom, computed } from 'nanostores';
import { createMessageFile, MESSAGE_FILE_BYTES, removeMessageFile } from '#data/message-files.ts';
import type { MessageFile } from '#data/messages.ts';
import { AppError } from '#lib/errors.ts';
import { failureOf } from '#lib/failure-of.ts';
import { KINDS_TEXT, kindOf } from '#lib/file-kind.ts';
import { newId } from '#lib/new-id.ts';
import type { Db } from '#lib/supabase.ts';
import { holdUnsaved } from '#lib/unsaved.ts';

/** How many files a message takes; the database holds to the same. */
export const MOST_FILES = 10;

/** A file beside what is written. */
export interface Attachment {
  id: string;
  name: string;
  size: number;
  /** Its media type by content, once that is known. */
  type: string | null;
  /** Bytes that have left. */
  sent: number;
  state:
    | { name: 'sending' }
    | { name: 'ready'; file: MessageFile }
    /** `again` where trying once more can help. */
    | { name: 'failed'; text: string; again: boolean };
}

interface AttachmentDoors {
  db: () => Promise<Db>;
  signedOut: () => void;
  /** Width and height of a picture as one sees it, in pixels; null where it is none. */
  measure?: (file: Blob) => Promise<{ width: number; height: number } | null>;
}

export type AttachmentStore = ReturnType<typeof createAttachmentStore>;

async function measured(file: Blob): Promise<{ width: number; height: number } | null> {
  try {
    const picture = await createImageBitmap(file);
    const { width, height } = picture;
    picture.close();
    return { width, height };
  } catch {
    // Shown without its place being known: nothing else depends on it.
    return null;
  }
}

/** Makes the store of one conversation's page. */
export function createAttachmentStore(doors: AttachmentDoors, conversationId: string) {
  const measure = doors.measure ?? measured;
  const $attachments = atom<readonly Attachment[]>([]);
  const $files = computed($attachments, (all) =>
    all.flatMap(({ state }) => (state.name === 'ready' ? [state.file] : [])),
  );
  /** Whether all of them have arrived: what is written can go. */
  const $ready = computed($attachments, (all) => all.every(({ state }) => state.name === 'ready'));
  const sources = new Map<string, { file: File; stop: AbortController }>();

  const change = (id: string, part: Partial<Attachment>) =>
    $attachments.set(
      $attachments.get().map((each) => (each.id === id ? { ...each, ...part } : each)),
    );
  const forget = (id: string) => {
    sources.delete(id);
    $attachments.set($attachments.get().filter((each) => each.id !== id));
  };

  function heard(thrown: unknown): AppError {
    const error = failureOf(thrown);
    if (error.kind === 'signed-out') doors.signedOut();
    return error;
  }

  /** Its media type by content. Throws an AppError that says what does not fit. */
  async function checked(file: File): Promise<string> {
    if (file.size === 0) throw new AppError('invalid', 'This file is empty.');
    if (file.size > MESSAGE_FILE_BYTES) {
      throw new AppError('invalid', 'At most 20 MB fit. Send a smaller version.');
    }
    const type = kindOf(new Uint8Array(await file.arrayBuffer()), file.name);
    if (!type) {
      throw new AppError('invalid', `Its content is none that can be sent here: ${KINDS_TEXT}.`);
    }
    return type;
  }

  /** Sends a file, from the start. */
  async function send(id: string): Promise<void> {
    const source = sources.get(id);
    if (!source) return;
    const { file } = source;
    const stop = new AbortController();
    sources.set(id, { file, stop });
    change(id, { sent: 0, state: { name: 'sending' } });
    const release = holdUnsaved();
    try {
      const type = await checked(file);
      const size = type.startsWith('image/') ? await measure(file) : null;
      change(id, { type });
      const stored = await createMessageFile(
        await doors.db(),
        { id, conversationId, file, name: file.name, type, size },
        (sent) => change(id, { sent: Math.min(sent, file.size) }),
        stop.signal,
      );
      // Taken away while its last answer was on the way.
      if (sources.has(id)) change(id, { sent: file.size, state: { name: 'ready', file: stored } });
      else void removeStored(stored);
    } catch (thrown) {
      const error = heard(thrown);
      const again = error.kind !== 'invalid' && error.kind !== 'denied';
      change(id, { state: { name: 'failed', text: error.message, again } });
    } finally {
      release();
    }
  }

  /** One that stays there is forgotten after a day, by the database itself. */
  async function removeStored(file: MessageFile): Promise<void> {
    await removeMessageFile(await doors.db(), file).catch(() => {});
  }

  /** Sends files one after another; those beyond ten are refused in words. */
  async function add(files: readonly File[]): Promise<void> {
    const room = MOST_FILES - $attachments.get().length;
    const made = files.map((file, place) => ({ id: newId(), file, fits: place < room }));
    for (const { id, file, fits } of made) {
      if (fits) sources.set(id, { file, stop: new AbortController() });
    }
    $attachments.set([
      ...$attachments.get(),
      ...made.map(
        ({ id, file, fits }): Attachment => ({
          ...{ id, name: file.name, size: file.size, type: null, sent: 0 },
          state: fits
            ? { name: 'sending' }
            : {
                name: 'failed',
                text: `A message takes at most ${MOST_FILES} files.`,
                again: false,
              },
        }),
      ),
    ]);
    for (const { id } of made) await send(id);
  }

  /** What stopped for want of a connection or a session goes on. */
  function retry() {
    for (const { id, state } of $attachments.get()) {
      if (state.name === 'failed' && state.again) void send(id);
    }
  }

  /** Stops sending a file, or takes away one that has arrived. */
  function remove(id: string) {
    const state = $attachments.get().find((each) => each.id === id)?.state;
    sources.get(id)?.stop.abort();
    forget(id);
    if (state?.name === 'ready') void removeStored(state.file);
  }

  /** They went with the message. */
  function taken() {
    sources.clear();
    $attachments.set([]);
  }

  return { $attachments, $files, $ready, add, retry, remove, taken };
}
