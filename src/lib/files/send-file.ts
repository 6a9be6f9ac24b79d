/** The request that uploads a file. It's loaded with the first file that a person adds. */
import { browserConfig } from '../app-config.ts';
import { AppError, toAppError } from '../errors.ts';
import { limitSilence } from '../silence.ts';
import type { BrowserDb } from '../supabase.ts';

/** The longest pause in an upload, or before the storage service responds, in milliseconds. */
const UPLOAD_SILENCE_MS = 30_000;

export interface Upload {
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
export async function sendFile(db: BrowserDb, upload: Upload): Promise<void> {
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
