/**
 * Files that are going to be sent with the next message: stored one after another as they are chosen,
 * so that sending itself is quick and works offline. What is stored and not sent stays over a reload.
 */
import { atom } from 'nanostores';
import { createMessageFile, removeMessageFile } from '#data/message-files.ts';
import type { MessageFile } from '#data/messages.ts';
import { createUploads, type Upload } from '#lib/files/uploads.ts';
import type { Db } from '#lib/supabase.ts';

/** A file that is chosen. */
export type Attachment = Upload<MessageFile>;

interface Deps {
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
export function createAttachmentStore(deps: Deps, start: { me: string; conversationId: string }) {
  const key = `trellis-attachments:${start.me}:${start.conversationId}`;
  const $problem = atom<string | null>(null);
  const uploads = createUploads<MessageFile>({
    signedOut: deps.signedOut,
    async store(ready) {
      const pixels = ready.type.startsWith('image/') ? await deps.measure(ready.file) : null;
      return createMessageFile(await deps.db(), start.conversationId, ready, pixels);
    },
    arrived: keep,
  });
  const $attachments = uploads.$uploads;

  /** Where storage is full or denied they stay in this tab. */
  function keep() {
    const stored = $attachments.get().flatMap((each) => each.stored ?? []);
    try {
      if (stored.length === 0) deps.storage?.removeItem(key);
      else deps.storage?.setItem(key, JSON.stringify({ at: Date.now(), stored }));
    } catch {}
  }

  /** Brings back what was stored and not sent: the server forgets it after a day. */
  function open() {
    try {
      const kept = JSON.parse(deps.storage?.getItem(key) ?? 'null') as {
        at: number;
        stored: MessageFile[];
      } | null;
      if (!kept) return;
      if (Date.now() - kept.at > DAY_MS) {
        deps.storage?.removeItem(key);
        return;
      }
      $attachments.set(
        kept.stored.map((stored) => ({
          ...{ id: stored.id, name: stored.name, size: stored.size, sent: stored.size },
          ...{ stored, problem: null },
        })),
      );
    } catch {
      deps.storage?.removeItem(key);
    }
  }

  /** Stores files one after another, as many as fit. */
  function add(files: readonly File[]): Promise<void> {
    const room = Math.max(0, ATTACHMENTS - $attachments.get().length);
    $problem.set(files.length > room ? `At most ${ATTACHMENTS} files go with one message.` : null);
    return uploads.add(files.slice(0, room));
  }

  /** Takes a file out again, wherever it is on its way. */
  function remove(id: string) {
    const stored = $attachments.get().find((each) => each.id === id)?.stored;
    uploads.drop(id);
    $problem.set(null);
    keep();
    if (!stored) return;
    // What stays behind is forgotten by the server after a day.
    void deps
      .db()
      .then((db) => removeMessageFile(db, stored))
      .catch(() => {});
  }

  /** Waits until all are stored; gives them, or null where one of them is not. */
  async function settled(): Promise<MessageFile[] | null> {
    await uploads.settled();
    const all = $attachments.get();
    const stored = all.flatMap((each) => each.stored ?? []);
    return stored.length === all.length ? stored : null;
  }

  /** They have gone with a message. */
  function clear() {
    $attachments.set([]);
    $problem.set(null);
    keep();
  }

  return { $attachments, $problem, retry: uploads.retry, open, add, remove, settled, clear };
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
