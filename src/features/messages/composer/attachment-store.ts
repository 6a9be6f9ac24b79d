/**
 * The files of the next message. They're uploaded one after another when they're chosen, so sending
 * the message is quick and works offline. Uploaded files survive a reload.
 */
import { atom } from 'nanostores';
import * as v from 'valibot';
import { createMessageFile, removeMessageFile } from '#data/message-files.ts';
import { type MessageFile, messageFile } from '#data/messages.ts';
import { createUploads, type Upload } from '#lib/files/uploads.ts';
import type { AnswerDeps } from '#lib/latest-answer.ts';

export type Attachment = Upload<MessageFile>;

interface Deps extends AnswerDeps {
  /** Keeps the list across a reload; null where storage isn't available. */
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null;
}

/** The most files the database accepts with one message. */
export const ATTACHMENTS = 10;
const DAY_MS = 86_400_000;

const storedFiles = v.object({ at: v.number(), stored: v.array(messageFile) });

/**
 * Creates the store of one conversation.
 * @param owner the user and the conversation that the saved list belongs to
 */
export function createAttachmentStore(
  deps: Deps,
  { me, conversationId }: { me: string; conversationId: string },
) {
  const key = `trellis-attachments:${me}:${conversationId}`;
  const $problem = atom<string | null>(null);
  const { $uploads, drop, retry, ...uploads } = uploadsTo(conversationId, deps, keep);
  const storedFiles = () => $uploads.get().flatMap((each) => each.stored ?? []);

  function keep() {
    writeStored(deps.storage, key, storedFiles());
  }

  return {
    $attachments: $uploads,
    $problem,
    retry,
    /** Restores files that were uploaded but not sent before a reload. */
    open() {
      const files = readStored(deps.storage, key);
      const uploaded = files.map((stored) => ({
        ...stored,
        sent: stored.size,
        stored,
        problem: null,
      }));
      if (uploaded.length > 0) $uploads.set(uploaded);
    },
    /** Uploads files one after another, up to the limit. */
    add(files: readonly File[]): Promise<void> {
      const room = Math.max(0, ATTACHMENTS - $uploads.get().length);
      $problem.set(
        files.length > room ? `You can attach up to ${ATTACHMENTS} files to a message.` : null,
      );
      return uploads.add(files.slice(0, room));
    },
    /** Removes a file, uploaded or not. */
    remove(id: string) {
      const stored = $uploads.get().find((each) => each.id === id)?.stored;
      drop(id);
      $problem.set(null);
      keep();
      if (stored) void removeUnsent(deps, stored);
    },
    /** Waits until every upload has ended; returns the files, or null if an upload failed. */
    async waitUntilStored(): Promise<MessageFile[] | null> {
      await uploads.settled();
      const stored = storedFiles();
      return stored.length === $uploads.get().length ? stored : null;
    },
    clear() {
      $uploads.set([]);
      $problem.set(null);
      keep();
    },
  };
}

export type AttachmentStore = ReturnType<typeof createAttachmentStore>;

const uploadsTo = (conversationId: string, { db, signedOut }: Deps, arrived: () => void) =>
  createUploads<MessageFile>({
    signedOut,
    arrived,
    async store(ready) {
      const size = ready.type.startsWith('image/') ? await measurePicture(ready.file) : null;
      return createMessageFile(await db(), conversationId, ready, size);
    },
  });

/** Deletes an uploaded file that wasn't sent. If that fails, the server deletes it after a day. */
async function removeUnsent({ db }: Deps, stored: MessageFile) {
  try {
    await removeMessageFile(await db(), stored);
  } catch {}
}

/** Saves the list for the next reload. Where storage is full or denied, a reload loses it. */
function writeStored(storage: Deps['storage'], key: string, stored: readonly MessageFile[]) {
  try {
    if (stored.length === 0) storage?.removeItem(key);
    else storage?.setItem(key, JSON.stringify({ at: Date.now(), stored }));
  } catch {}
}

/** Reads the saved list, unless it's older than the day that the server keeps unsent files. */
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

/** Returns the width and height of a picture in pixels; null if the browser can't decode it. */
async function measurePicture(file: Blob): Promise<{ width: number; height: number } | null> {
  try {
    const picture = await createImageBitmap(file);
    const { width, height } = picture;
    picture.close();
    return { width, height };
  } catch {
    return null;
  }
}
