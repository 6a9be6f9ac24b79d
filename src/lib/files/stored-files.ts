/** Files in private buckets. Each bucket's policies decide who may store and open what. */
import { browserConfig } from '../app-config.ts';
import { AppError, dataOf, toAppError } from '../errors.ts';
import { limitSilence } from '../http.ts';
import type { Db } from '../supabase.ts';

/** Seconds before a signed link expires. */
const LINK_SECONDS = 60;

/** The longest pause in an upload, or before the storage service responds, in milliseconds. */
const UPLOAD_SILENCE_MS = 30_000;

interface Upload {
  bucket: string;
  path: string;
  body: Blob;
  type: string;
  /** Receives the number of bytes sent so far. */
  onProgress: (sent: number) => void;
  signal?: AbortSignal | undefined;
}

/**
 * Uploads a new object for the signed-in person. It's the only code that uses XMLHttpRequest,
 * because `fetch` can't report upload progress. An object that already exists counts as success: an
 * earlier attempt's response may have been lost. Throws an AppError: `network` (also when aborted
 * or stalled), `signed-out`, `denied`, `invalid` (too large, or the wrong type).
 */
export async function uploadFile(db: Db, upload: Upload): Promise<void> {
  const { bucket, body, type, onProgress, signal } = upload;
  const [{ supabaseUrl, publishableKey }, { data }] = await Promise.all([
    browserConfig(),
    db.auth.getSession(),
  ]);
  const token = data.session?.access_token;
  if (!token) throw new AppError('signed-out');
  const path = upload.path.split('/').map(encodeURIComponent).join('/');
  const request = new XMLHttpRequest();
  request.open('POST', `${supabaseUrl}/storage/v1/object/${bucket}/${path}`);
  request.setRequestHeader('apikey', publishableKey);
  request.setRequestHeader('authorization', `Bearer ${token}`);
  request.setRequestHeader('content-type', type);
  request.setRequestHeader('x-upsert', 'false');
  const silence = limitSilence(UPLOAD_SILENCE_MS);
  request.upload.addEventListener('progress', ({ loaded }) => {
    silence.restart();
    onProgress(loaded);
  });
  await new Promise<void>((resolve, reject) => {
    const lost = () => reject(new AppError('network'));
    request.addEventListener('error', lost);
    request.addEventListener('abort', lost);
    request.addEventListener('load', () => {
      const failure = errorOf(request);
      if (!failure || failure.kind === 'conflict') resolve();
      else reject(failure);
    });
    if (signal?.aborted) return lost();
    for (const each of [signal, silence.signal]) {
      each?.addEventListener('abort', () => request.abort());
    }
    request.send(body);
  }).finally(silence.stop);
}

/** The storage service sends status 400 with the actual status in the body; null means success. */
function errorOf(request: XMLHttpRequest): AppError | null {
  if (request.status >= 200 && request.status < 300) return null;
  let said: { statusCode?: unknown; error?: unknown } = {};
  try {
    said = Object(JSON.parse(request.responseText));
  } catch {
    // A proxy responded instead, so its HTTP status is all we have.
  }
  const status = Number(said.statusCode) || request.status;
  return toAppError({ status }, status);
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
