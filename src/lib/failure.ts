/** Headers of pages rendered on demand, and what we send and log when one fails. */
import { compressed } from './encoding.ts';

// No vowels and no look-alike characters, since people read these out over the phone.
const LETTERS = '23456789bcdfghjkmnpqrstvwxz';

/** Ten characters that identify one request on the error page and in the log. */
export function newReference(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join('');
}

/** Logs one line of JSON with the details that the error page doesn't show. */
export function logFailure(reference: string, path: string, thrown: unknown): void {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const cause = error.cause instanceof Error ? error.cause.message : error.cause;
  const line = JSON.stringify({
    at: new Date().toISOString(),
    reference,
    path,
    error: `${error.name}: ${error.message}`,
    cause,
    stack: error.stack,
  });
  process.stderr.write(`${line}\n`);
}

/**
 * Finishes a personal response: no cache stores it, and it carries the session's cookies. `status`
 * overrides the response's own. The body is fully rendered before the first byte is sent, so that a
 * page that fails halfway can still become the error page.
 * @param accepted the request's Accept-Encoding header
 * @throws anything that rendering the body throws
 */
export async function answered(
  answer: Response,
  status: number | undefined,
  setCookies: string[],
  accepted: string | null = null,
): Promise<Response> {
  const headers = new Headers(answer.headers);
  // A response may set its own private max-age, but not when it also sets session cookies.
  const own = headers.get('Cache-Control')?.startsWith('private,') && setCookies.length === 0;
  if (!own) headers.set('Cache-Control', 'private, no-store');
  headers.append('Vary', 'Cookie');
  for (const line of setCookies) headers.append('Set-Cookie', line);
  const init = { status: status ?? answer.status, headers };
  if (!answer.body) return new Response(null, init);
  const body = compressed(await answer.bytes(), headers, accepted ?? '');
  headers.set('Content-Length', String(body.length));
  return new Response(body, init);
}

/** The HTML to send when even the error page can't be rendered. */
export function plainErrorHtml(reference: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Internal Server Error</title></head><body><main><h1>Internal Server Error</h1><p>Something went wrong on our end. Try again in a minute.</p><p>Reference: <code>${reference}</code></p></main></body></html>`;
}

/** The same as a response. */
export function plainErrorPage(reference: string): Response {
  return new Response(plainErrorHtml(reference), {
    status: 500,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  });
}
