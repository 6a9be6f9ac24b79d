/**
 * Sends a file to a bucket and says how far it is, which `fetch` cannot: the one place that uses
 * XMLHttpRequest. Who may store what, and where, the policies of the bucket decide.
 */
import { browserConfig } from './app-config.ts';
import { AppError, toAppError } from './errors.ts';
import type { Db } from './supabase.ts';

export interface Upload {
  bucket: string;
  path: string;
  body: Blob;
  type: string;
  /** Bytes that have left so far. */
  onProgress: (sent: number) => void;
  signal?: AbortSignal;
}

/**
 * Stores a new object in the name of whoever is signed in.
 * Throws an AppError: `network`, `signed-out`, `denied`, `invalid` (too large, or of another type), `conflict`
 * when an object lies there already.
 */
export async function uploadFile(db: Db, upload: Upload): Promise<void> {
  const [{ supabaseUrl, publishableKey }, { data }] = await Promise.all([
    browserConfig(),
    db.auth.getSession(),
  ]);
  const token = data.session?.access_token;
  if (!token) throw new AppError('signed-out');
  const path = upload.path.split('/').map(encodeURIComponent).join('/');
  const request = new XMLHttpRequest();
  request.open('POST', `${supabaseUrl}/storage/v1/object/${upload.bucket}/${path}`);
  request.setRequestHeader('apikey', publishableKey);
  request.setRequestHeader('authorization', `Bearer ${token}`);
  request.setRequestHeader('content-type', upload.type);
  request.setRequestHeader('x-upsert', 'false');
  request.upload.addEventListener('progress', ({ loaded }) => upload.onProgress(loaded));
  upload.signal?.addEventListener('abort', () => request.abort());
  await new Promise<void>((resolve, reject) => {
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(failureOf(request));
    });
    const lost = () => reject(new AppError('network'));
    request.addEventListener('error', lost);
    request.addEventListener('abort', lost);
    request.send(upload.body);
  });
}

/** The storage service answers 400 and puts what it means in the body. */
function failureOf(request: XMLHttpRequest): AppError {
  let said: { statusCode?: unknown; error?: unknown } = {};
  try {
    said = JSON.parse(request.responseText) as typeof said;
  } catch {
    // Something in between answered: its status is all there is.
  }
  const status = Number(said.statusCode) || request.status;
  return toAppError({ status }, status);
}
