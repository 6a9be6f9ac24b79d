/** Files of messages: announced, stored in a private bucket, opened by links that last a minute. */
import { AppError, dataOf, toAppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';
import { uploadFile } from '#lib/upload.ts';
import type { MessageFile } from './messages.ts';

const BUCKET = 'message-files';

/** Seconds for which a link opens a file. */
const LINK_SECONDS = 60;

/** Bytes that a file may have; the bucket holds to the same. */
export const MESSAGE_FILE_BYTES = 20 * 1024 * 1024;

export interface NewMessageFile {
  /** Made by the sender, so that trying again stores once. */
  id: string;
  conversationId: string;
  file: Blob;
  name: string;
  /** What it is by its content, not by its name. */
  type: string;
  /** Pixels, where it is a picture. */
  size: { width: number; height: number } | null;
}

/**
 * Announces a file, sends it and says that it is there; it comes with the message that names it.
 * Trying again with the same id goes on where it stopped. Throws an AppError.
 */
export async function createMessageFile(
  db: Db,
  file: NewMessageFile,
  onProgress: (sent: number) => void,
  signal?: AbortSignal,
): Promise<MessageFile> {
  const { path } = dataOf(
    await db.rpc('begin_message_file', {
      p_id: file.id,
      p_conversation_id: file.conversationId,
      p_name: file.name,
      p_type: file.type,
      p_size: file.file.size,
      ...(file.size ? { p_width: file.size.width, p_height: file.size.height } : {}),
    }),
  ) as unknown as MessageFile;
  try {
    await uploadFile(db, {
      ...{ bucket: BUCKET, path, body: file.file, type: file.type, onProgress },
      ...(signal ? { signal } : {}),
    });
  } catch (thrown) {
    // It lies there already: the answer of the try before was lost. Finishing tells whether it is whole.
    if (toAppError(thrown).kind !== 'conflict') throw thrown;
  }
  return dataOf(await db.rpc('finish_message_file', { p_id: file.id })) as unknown as MessageFile;
}

/** A link that shows a picture or saves a file for a minute. Throws an AppError. */
export async function getMessageFileLink(
  db: Db,
  file: Pick<MessageFile, 'path' | 'name'>,
  purpose: 'show' | 'save',
): Promise<string> {
  const { data, error } = await db.storage.from(BUCKET).createSignedUrl(file.path, LINK_SECONDS);
  if (error) throw toAppError(error);
  if (!data?.signedUrl) throw new AppError('not-found');
  const link = new URL(data.signedUrl);
  // Not its option `download`: storage-js 2.119 encodes that name twice.
  if (purpose === 'save') link.searchParams.set('download', file.name);
  return link.href;
}

/** The bytes of a file, read with the session of whoever asks. Throws an AppError. */
export async function readMessageFile(db: Db, file: Pick<MessageFile, 'path'>): Promise<Blob> {
  const { data, error } = await db.storage.from(BUCKET).download(file.path);
  if (error) throw toAppError(error);
  return data;
}

/** Takes away a file that was not sent with a message: the object first. Twice is once. */
export async function removeMessageFile(
  db: Db,
  file: Pick<MessageFile, 'id' | 'path'>,
): Promise<void> {
  const taken = await db.storage.from(BUCKET).remove([file.path]);
  if (taken.error) throw toAppError(taken.error);
  const { error, status } = await db.rpc('remove_message_file', { p_id: file.id });
  if (error) throw toAppError(error, status);
}
