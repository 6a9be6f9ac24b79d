import { channel } from 'node:diagnostics_channel';
import type { Backend } from '#backend/local/start.ts';
import type { Fetch } from '#lib/http.ts';

/** Publishes the URL of each request from a page to the backend, for measurements. */
const requests = channel('trellis:backend-request');

/**
 * A `fetch` for the embedded backend that needs no network: it calls the backend's handler, which
 * checks the request as if it had come from this machine.
 */
export function createBackendFetch(backend: Pick<Backend, 'fetch'>): Fetch {
  return async (input, { signal = null, ...init } = {}) => {
    // Not with the signal: a FinalizationRegistry would keep it, and all that the page holds, until
    // V8 has searched all of its memory (decision 125).
    const request = new Request(input, init);
    // As over HTTP: the backend doesn't read a body of known length as a stream.
    if (typeof init.body === 'string') {
      request.headers.set('Content-Length', String(Buffer.byteLength(init.body)));
    }
    const { url } = request;
    requests.publish({ url });
    signal?.throwIfAborted();
    const answer = backend.fetch(request, { remoteAddress: '127.0.0.1' });
    if (!signal) return answer;
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await Promise.race([answer, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  };
}
