/** Profile pictures: in a private bucket, a folder per user, visible to people they work with. */

import * as v from 'valibot';
import { dataOf } from '#lib/errors.ts';
import { uploadFile } from '#lib/files/stored-files.ts';
import { newId } from '#lib/new-id.ts';
import { rpc } from '#lib/rpc.ts';
import type { BrowserDb, Db } from '#lib/supabase.ts';

const BUCKET = 'avatars';
const ENDINGS: Record<string, string> = {
  'image/webp': 'webp',
  'image/jpeg': 'jpg',
  'image/png': 'png',
};

/** Downloads a picture that the user is allowed to see. Throws an AppError. */
export async function getAvatar(db: Db, path: string): Promise<ArrayBuffer> {
  return dataOf(await db.storage.from(BUCKET).download(path)).arrayBuffer();
}

/**
 * Uploads the user's new picture and removes the older ones. Returns its path.
 * Throws an AppError.
 * @param onProgress the share uploaded so far, 0 to 1
 */
export async function saveAvatar(
  db: BrowserDb,
  userId: string,
  picture: Blob,
  onProgress: (share: number) => void,
): Promise<string> {
  const path = `${userId}/${newId()}.${ENDINGS[picture.type] ?? 'webp'}`;
  await uploadFile(db, {
    bucket: BUCKET,
    path,
    body: picture,
    type: picture.type,
    onProgress: (sent) => onProgress(sent / picture.size),
  });
  await show(db, path);
  return path;
}

/** Removes the user's picture, with every stored version. Throws an AppError. */
export async function removeAvatar(db: Db): Promise<void> {
  await show(db, null);
}

async function show(db: Db, path: string | null): Promise<void> {
  const older = await rpc(db, 'set_avatar', v.array(v.string()), { p_path: path });
  if (older.length === 0) return;
  // If this fails, the next `set_avatar` lists the same files again.
  await db.storage.from(BUCKET).remove(older);
}
