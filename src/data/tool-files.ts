/** Files of tools: announced and stored by admins, and read by everyone once a version names them. */
import * as v from 'valibot';
import { dataOf } from '#lib/errors.ts';
import { linkToFile, uploadFile } from '#lib/files/stored-files.ts';
import type { ReadyFile } from '#lib/files/uploads.ts';
import { rpc } from '#lib/rpc.ts';
import type { BrowserDb, Db } from '#lib/supabase.ts';

export const storedToolFile = v.object({
  id: v.string(),
  bucket: v.string(),
  path: v.string(),
  /** What it's saved as. */
  name: v.string(),
  type: v.string(),
  /** Bytes. */
  size: v.number(),
  /** How long a video is; null if nobody knows. */
  seconds: v.nullable(v.number()),
});
export type StoredToolFile = v.InferOutput<typeof storedToolFile>;

/**
 * An admin announces a file of a tool, uploads it and confirms the upload. Trying again with the same
 * id resumes where it stopped. Throws an AppError.
 * @param seconds how long a video is; null if that's unknown or it isn't one
 */
export async function createToolFile(
  db: BrowserDb,
  toolId: string,
  { id, file, type, onProgress, signal }: ReadyFile,
  seconds: number | null,
): Promise<StoredToolFile> {
  const { bucket, path } = await rpc(db, 'begin_tool_file', storedToolFile, {
    p_id: id,
    p_item_id: toolId,
    p_name: file.name,
    p_type: type,
    p_size: file.size,
    ...(seconds !== null && { p_seconds: seconds }),
  });
  await uploadFile(db, { bucket, path, body: file, type, onProgress, signal });
  return rpc(db, 'finish_tool_file', storedToolFile, { p_id: id });
}

/** A file that the caller can read. Throws an AppError, `not-found` if there's none. */
export const getToolFile = (db: Db, id: string) =>
  rpc(db, 'get_tool_file', storedToolFile, { p_id: id });

/** A link that shows the file for a minute, or downloads it. Throws an AppError. */
export async function getToolFileLink(
  db: Db,
  file: StoredToolFile,
  use: 'show' | 'download',
): Promise<string> {
  const link = new URL(await linkToFile(db, file.bucket, file));
  if (use === 'show') link.searchParams.delete('download');
  return link.href;
}

/**
 * Reads some of a file's bytes. Throws an AppError.
 * @param first the position of the first byte
 * @param last the position of the last one, included
 */
export async function readToolFile(
  db: Db,
  { bucket, path }: StoredToolFile,
  first: number,
  last: number,
): Promise<Blob> {
  const files = db.storage.from(bucket).setHeader('range', `bytes=${first}-${last}`);
  return dataOf(await files.download(path));
}

/** The captions of a video, as WebVTT. Throws an AppError, `not-found` if there are none. */
export const getToolCaptions = (db: Db, id: string) =>
  rpc(db, 'get_tool_captions', v.string(), { p_id: id });
