/** Message attachments: announced, stored in a private bucket, and opened by one-minute links. */
import { dataOf } from '#lib/errors.ts';
import { linkToFile, uploadFile } from '#lib/files/stored-files.ts';
import type { ReadyFile } from '#lib/files/uploads.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { BrowserDb, Db } from '#lib/supabase.ts';
import { type MessageFile, messageFile } from './messages.ts';

const BUCKET = 'message-files';

/**
 * Announces a file, uploads it and confirms the upload; a message attaches it later by id.
 * Trying again with the same id resumes where it stopped. Throws an AppError.
 * @param pixels the dimensions of an image; otherwise null
 */
export async function createMessageFile(
  db: BrowserDb,
  conversationId: string,
  { id, file, type, onProgress, signal }: ReadyFile,
  pixels: { width: number; height: number } | null,
): Promise<MessageFile> {
  const { path } = await rpc(db, 'begin_message_file', messageFile, {
    p_id: id,
    p_conversation_id: conversationId,
    p_name: file.name,
    p_type: type,
    p_size: file.size,
    ...(pixels ? { p_width: pixels.width, p_height: pixels.height } : {}),
  });
  await uploadFile(db, { bucket: BUCKET, path, body: file, type, onProgress, signal });
  return rpc(db, 'finish_message_file', messageFile, { p_id: id });
}

/** A download link, valid for a minute. Throws an AppError. */
export function getMessageFileLink(db: Db, file: MessageFile): Promise<string> {
  return linkToFile(db, BUCKET, file);
}

/** Downloads a file with the user's own session. Throws an AppError. */
export async function getMessageFile(db: Db, file: MessageFile): Promise<Blob> {
  return dataOf(await db.storage.from(BUCKET).download(file.path));
}

/** Removes a file that hasn't been sent: the stored object first, then its row. Idempotent. */
export async function removeMessageFile(db: Db, file: MessageFile): Promise<void> {
  dataOf(await db.storage.from(BUCKET).remove([file.path]));
  await rpc(db, 'remove_message_file', ignored, { p_id: file.id });
}
