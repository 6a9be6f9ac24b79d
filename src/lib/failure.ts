/** What is sent and logged when a page that was asked for fails, and the headers of the ones that do not. */

// No vowels and nothing that looks like something else: people read it out over the phone.
const LETTERS = '23456789bcdfghjkmnpqrstvwxz';

/** Ten letters that name one request on the error page and in the log. */
export function newReference(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join('');
}

/** Writes one line of JSON with everything that the error page keeps from the reader. */
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
 * Finishes an answer that depends on who asks: no cache keeps it, and the session's cookies go along.
 * `status` replaces the one of the answer. The body is rendered to its end before the first byte goes
 * out, so that a page that fails halfway can still become the error page.
 * @throws what the rendering of the body throws
 */
export async function answered(
  answer: Response,
  status: number | undefined,
  setCookies: string[],
): Promise<Response> {
  const body = answer.body && (await answer.arrayBuffer());
  const headers = new Headers(answer.headers);
  // What says itself how long the browser of this person may keep it, may; never with a new session.
  const own = headers.get('Cache-Control')?.startsWith('private,') && setCookies.length === 0;
  if (!own) headers.set('Cache-Control', 'private, no-store');
  headers.append('Vary', 'Cookie');
  for (const line of setCookies) headers.append('Set-Cookie', line);
  return new Response(body, { status: status ?? answer.status, headers });
}

/** The HTML of the error page when even the page for errors cannot be rendered. */
export function plainErrorHtml(reference: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Internal Server Error</title></head><body><main><h1>Internal Server Error</h1><p>Something went wrong on our end. Try again in a minute.</p><p>Reference: <code>${reference}</code></p></main></body></html>`;
}

/** The same as an answer. */
export function plainErrorPage(reference: string): Response {
  return new Response(plainErrorHtml(reference), {
    status: 500,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  });
}
