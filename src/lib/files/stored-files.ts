/** Files in private buckets. Each bucket's policies decide who may store and open what. */
import { loadModule } from '../browser/load-module.ts';
import { dataOf } from '../errors.ts';
import type { BrowserDb, Db } from '../supabase.ts';
import type { Upload } from './send-file.ts';

/** Seconds before a signed link expires. */
const LINK_SECONDS = 60;

/** Uploads a new object for the signed-in person. Throws an AppError: see `sendFile`. */
export async function uploadFile(db: BrowserDb, upload: Upload): Promise<void> {
  const { sendFile } = await loadModule(() => import('./send-file.ts'));
  return sendFile(db, upload);
}

/** Returns a download link, valid for a minute, with the file's own name. Throws an AppError. */
export async function linkToFile(
  db: Db,
  bucket: string,
  file: { path: string; name: string },
): Promise<string> {
  const { signedUrl } = dataOf(
    await db.storage.from(bucket).createSignedUrl(file.path, LINK_SECONDS),
  );
  const link = new URL(signedUrl);
  // Not its `download` option, because storage-js 2.119 encodes the name twice.
  link.searchParams.set('download', file.name);
  return link.href;
}
