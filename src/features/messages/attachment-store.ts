/**
 * Files that are going to be sent with the next message: stored one after another as they are chosen,
 * so that sending itself is quick and works offline. What is stored and not sent stays over a reload.
 */
import { atom } from 'nanostores';
import { createMessageFile, MESSAGE_FILE_BYTES, removeMessageFile } from '#data/message-files.ts';
import type { MessageFile } from '#data/messages.ts';
import { AppError } from '#lib/errors.ts';
import { failureOf } from '#lib/failure-of.ts';
import { KINDS_TEXT, kindOf, sizeText } from '#lib/file-kind.ts';
import { newId } from '#lib/new-id.ts';
import type { Db } from '#lib/supabase.ts';
import { holdUnsaved } from '#lib/unsaved.ts';

/** A file that is chosen. */
export interface Attachment {
  id: string;
  name: string;
  size: number;
  sent: number;
  /** As it is stored; null while it is on its way. */
  stored: MessageFile | null;
  /** Why it stopped; `again` where trying once more can help. */
  problem: { text: string; again: boolean } | null;
}

interface Doors {
  db: () => Promise<Db>;
  signedOut: () => void;
  /** What stays over a reload; null where a browser has none. */
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null;
  /** The pixels of a picture; null where this browser cannot read it. */
  measure: (file: Blob) => Promise<{ width: number; height: number } | null>;
}

/** As many as the database takes with one message. */
export const ATTACHMENTS = 10;
const DAY_MS = 86_400_000;

export type AttachmentStore = ReturnType<typeof createAttachmentStore>;

/** Makes the store of one conversation. */
export function createAttachmentStore(doors: Doors, start: { me: string; conversationId: string }) {
  const key = `trellis-attachments:${start.me}:${start.conversationId}`;
  const $attachments = atom<readonly Attachment[]>([]);
  const $problem = atom<string | null>(null);
  const sources = new Map<string, { file: File; stop: AbortController }>();
  let sending: Promise<unknown> = Promise.resolve();

  /** Where storage is full or denied they stay in this tab. */
  function keep() {
    const stored = $attachments.get().flatMap((each) => each.stored ?? []);
    try {
      if (stored.length === 0) doors.storage?.removeItem(key);
      else doors.storage?.setItem(key, JSON.stringify({ at: Date.now(), stored }));
    } catch {}
  }

  /** Brings back what was stored and not sent: the server forgets it after a day. */
  function open() {
    try {
      const kept = JSON.parse(doors.storage?.getItem(key) ?? 'null') as {
        at: number;
        stored: MessageFile[];
      } | null;
      if (!kept) return;
      if (Date.now() - kept.at > DAY_MS) {
        doors.storage?.removeItem(key);
        return;
      }
      $attachments.set(
        kept.stored.map((stored) => ({
          ...{ id: stored.id, name: stored.name, size: stored.size, sent: stored.size },
          ...{ stored, problem: null },
        })),
      );
    } catch {
      doors.storage?.removeItem(key);
    }
  }

  const change = (id: string, part: Partial<Attachment>) =>
    $attachments.set(
      $attachments.get().map((each) => (each.id === id ? { ...each, ...part } : each)),
    );

  /** Its media type by content. Throws an AppError that says what does not fit. */
  async function checked(file: File): Promise<string> {
    if (file.size === 0) throw new AppError('invalid', 'This file is empty.');
    if (file.size > MESSAGE_FILE_BYTES) {
      throw new AppError(
        'invalid',
        `This file has ${sizeText(file.size)}; at most ${MESSAGE_FILE_BYTES / 1024 / 1024} MB fit. Send a smaller version.`,
      );
    }
    const type = kindOf(new Uint8Array(await file.arrayBuffer()), file.name);
    if (!type) {
      throw new AppError('invalid', `Its content is none that can be sent: ${KINDS_TEXT}.`);
    }
    return type;
  }

  /** Stores a file of the list, from the start. */
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
      const size = type.startsWith('image/') ? await doors.measure(file) : null;
      const stored = await createMessageFile(
        await doors.db(),
        { id, conversationId: start.conversationId, file, name: file.name, type, size },
        (sent) => change(id, { sent: Math.min(sent, file.size) }),
        stop.signal,
      );
      change(id, { stored, sent: file.size });
      keep();
    } catch (thrown) {
      const error = failureOf(thrown);
      if (error.kind === 'signed-out') doors.signedOut();
      const again = error.kind !== 'invalid' && error.kind !== 'denied';
      change(id, { problem: { text: error.message, again } });
    } finally {
      release();
    }
  }

  const queue = (ids: readonly string[]) => {
    sending = sending.then(async () => {
      for (const id of ids) await send(id);
    });
    return sending;
  };

  /** Stores files one after another. */
  async function add(files: readonly File[]): Promise<void> {
    const room = Math.max(0, ATTACHMENTS - $attachments.get().length);
    $problem.set(files.length > room ? `At most ${ATTACHMENTS} files go with one message.` : null);
    const made = files.slice(0, room).map((file) => ({ id: newId(), file }));
    for (const { id, file } of made) sources.set(id, { file, stop: new AbortController() });
    $attachments.set([
      ...$attachments.get(),
      ...made.map(({ id, file }) => ({
        ...{ id, name: file.name, size: file.size, sent: 0, stored: null, problem: null },
      })),
    ]);
    await queue(made.map(({ id }) => id));
  }

  /** What stopped for want of a connection or a session goes on. */
  function retry() {
    const ids = $attachments.get().flatMap(({ id, problem }) => (problem?.again ? id : []));
    if (ids.length > 0) void queue(ids);
  }

  /** Takes a file out again, wherever it is on its way. */
  function remove(id: string) {
    const found = $attachments.get().find((each) => each.id === id);
    sources.get(id)?.stop.abort();
    sources.delete(id);
    $attachments.set($attachments.get().filter((each) => each.id !== id));
    $problem.set(null);
    keep();
    const stored = found?.stored;
    if (!stored) return;
    // What stays behind is forgotten by the server after a day.
    void doors
      .db()
      .then((db) => removeMessageFile(db, stored))
      .catch(() => {});
  }

  /** Waits until all are stored; gives them, or null where one of them is not. */
  async function settled(): Promise<MessageFile[] | null> {
    await sending;
    const all = $attachments.get();
    const stored = all.flatMap((each) => each.stored ?? []);
    return stored.length === all.length ? stored : null;
  }

  /** They have gone with a message. */
  function clear() {
    sources.clear();
    $attachments.set([]);
    $problem.set(null);
    keep();
  }

  return { $attachments, $problem, open, add, retry, remove, settled, clear };
}

/** The pixels of a picture, as a browser reads them. */
export async function measurePicture(
  file: Blob,
): Promise<{ width: number; height: number } | null> {
  try {
    const picture = await createImageBitmap(file);
    const { width, height } = picture;
    picture.close();
    return { width, height };
  } catch {
    return null;
  }
}
