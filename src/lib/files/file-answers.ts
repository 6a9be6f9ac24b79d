/** Responses that have a file of a tool, or say why they don't. */
import { toAppError } from '../errors.ts';

export const FILE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
  // A tool can be archived at any time, so nobody keeps an answer.
  'Cache-Control': 'private, no-store',
};

const refused = (status: number, words: string) =>
  new Response(words, {
    status,
    headers: { ...FILE_HEADERS, 'Content-Type': 'text/plain; charset=utf-8' },
  });

/** PostgreSQL's code for an id that isn't one. */
const NO_UUID = '22P02';

/** The response, or 404 or 503 with a sentence if it throws. */
export async function answerFile(respond: () => Promise<Response>): Promise<Response> {
  try {
    return await respond();
  } catch (thrown) {
    const { kind, code } = toAppError(thrown);
    return kind === 'not-found' || code === NO_UUID
      ? refused(404, 'There’s no file here.')
      : refused(503, 'We can’t load this file right now.');
  }
}
