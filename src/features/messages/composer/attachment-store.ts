/**
 * The files of the next message. They are uploaded one after another as they are chosen, so that
 * sending itself is quick and works offline; uploaded ones are still there after a reload.
 */
import { atom } from 'nanostores';
import * as v from 'valibot';
import { createMessageFile, removeMessageFile } from '#data/message-files.ts';
import { type MessageFile, messageFile } from '#data/messages.ts';
import { createUploads, type Upload } from '#lib/files/uploads.ts';
import type { Db } from '#lib/supabase.ts';

/** A chosen file. */
export type Attachment = Upload<MessageFile>;

interface Deps {
  db: () => Promise<Db>;
  signedOut: () => void;
  /** Keeps the list over a reload; null where the browser has none. */
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null;
  /** Width and height of a picture in pixels; null if the browser can't read it. */
  measure: (file: Blob) => Promise<{ width: number; height: number } | null>;
}

/** The most files that the database accepts with one message. */
export const ATTACHMENTS = 10;
const DAY_MS = 86_400_000;

const storedFiles = v.object({ at: v.number(), stored: v.array(messageFile) });

export type AttachmentStore = ReturnType<typeof createAttachmentStore>;

/**
 * Makes the store of one conversation.
 * @param start the person and the conversation, which the stored list belongs to
 */
export function createAttachmentStore(deps: Deps, start: { me: string; conversationId: string }) {
  const key = `trellis-attachments:${start.me}:${start.conversationId}`;
  const $problem = atom<string | null>(null);
  const uploads = createUploads<MessageFile>({
    signedOut: deps.signedOut,
    async store(ready) {
      const size = ready.type.startsWith('image/') ? await deps.measure(ready.file) : null;
      return createMessageFile(await deps.db(), start.conversationId, ready, size);
    },
    arrived: keep,
  });
  const { $uploads: $attachments } = uploads;
  const storedFiles = () => $attachments.get().flatMap((each) => each.stored ?? []);

  function keep() {
    writeStored(deps.storage, key, storedFiles());
  }

  /** Restores files that were stored and not sent before a reload. */
  function open() {
    const stored = readStored(deps.storage, key);
    if (stored.length > 0) $attachments.set(stored.map(attachmentOf));
  }

  /** Stores files one after another, as many as fit. */
  function add(files: readonly File[]): Promise<void> {
    const room = Math.max(0, ATTACHMENTS - $attachments.get().length);
    $problem.set(files.length > room ? `At most ${ATTACHMENTS} files go with one message.` : null);
    return uploads.add(files.slice(0, room));
  }

  /** Removes a file, whether it's stored yet or not. */
  function remove(id: string) {
    const stored = $attachments.get().find((each) => each.id === id)?.stored;
    uploads.drop(id);
    $problem.set(null);
    keep();
    // A file that stays on the server is removed there after a day.
    if (stored)
      deps
        .db()
        .then((db) => removeMessageFile(db, stored))
        .catch(() => {});
  }

  /** Waits until every upload has ended; returns the files, or null if one of them isn't stored. */
  async function waitUntilStored(): Promise<MessageFile[] | null> {
    await uploads.settled();
    const stored = storedFiles();
    return stored.length === $attachments.get().length ? stored : null;
  }

  /** Empties the list after the files were sent. */
  function clear() {
    $attachments.set([]);
    $problem.set(null);
    keep();
  }

  return {
    $attachments,
    $problem,
    retry: uploads.retry,
    open,
    add,
    remove,
    waitUntilStored,
    clear,
  };
}

const attachmentOf = (stored: MessageFile): Attachment => ({
  id: stored.id,
  name: stored.name,
  size: stored.size,
  sent: stored.size,
  stored,
  problem: null,
});

/** Stores the list over a reload. Where storage is full or denied it lasts as long as the tab. */
function writeStored(storage: Deps['storage'], key: string, stored: readonly MessageFile[]) {
  try {
    if (stored.length === 0) storage?.removeItem(key);
    else storage?.setItem(key, JSON.stringify({ at: Date.now(), stored }));
  } catch {}
}

/** Reads the list, unless it's older than the day that the server keeps unsent files. */
function readStored(storage: Deps['storage'], key: string): MessageFile[] {
  try {
    const kept = v.parse(v.nullable(storedFiles), JSON.parse(storage?.getItem(key) ?? 'null'));
    if (kept && Date.now() - kept.at <= DAY_MS) return [...kept.stored];
    if (kept) storage?.removeItem(key);
  } catch {
    storage?.removeItem(key);
  }
  return [];
}

/** Reads the width and height of a picture in pixels; null if the browser can't read it. */
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
