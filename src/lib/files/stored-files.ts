/** Files in private buckets. Who may store and open what, and where, the policies of each decide. */
import { browserConfig } from '../app-config.ts';
import { AppError, dataOf, toAppError } from '../errors.ts';
import { limitSilence } from '../http.ts';
import type { Db } from '../supabase.ts';

/** Seconds for which a link opens a file. */
const LINK_SECONDS = 60;

/** How long nothing may leave, or the storage service may say nothing, in milliseconds. */
const UPLOAD_SILENCE_MS = 30_000;

interface Upload {
  bucket: string;
  path: string;
  body: Blob;
  type: string;
  /** Bytes that have left so far. */
  onProgress: (sent: number) => void;
  signal?: AbortSignal | undefined;
}

/**
 * Stores a new object for the signed-in person and reports the progress, which `fetch`
 * cannot: the one place that uses XMLHttpRequest. An object that exists already stays, because
 * the answer of the try before may have been lost.
 * Throws an AppError: `network` (stopped by the signal or for its silence, too), `signed-out`,
 * `denied`, `invalid` (too large, or of another type).
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

/** The storage service answers 400 and puts what it means in the body; null where it stored. */
function errorOf(request: XMLHttpRequest): AppError | null {
  if (request.status >= 200 && request.status < 300) return null;
  let said: { statusCode?: unknown; error?: unknown } = {};
  try {
    said = Object(JSON.parse(request.responseText));
  } catch {
    // Something in between answered: its status is all there is.
  }
  const status = Number(said.statusCode) || request.status;
  return toAppError({ status }, status);
}

/** A link that saves a file for a minute, under its own name. Throws an AppError. */
export async function linkToFile(
  db: Db,
  bucket: string,
  file: { path: string; name: string },
): Promise<string> {
  const { signedUrl } = dataOf(
    await db.storage.from(bucket).createSignedUrl(file.path, LINK_SECONDS),
  );
  const link = new URL(signedUrl);
  // Not its option `download`: storage-js 2.119 encodes that name twice.
  link.searchParams.set('download', file.name);
  return link.href;
}
