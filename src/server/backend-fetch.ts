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
  return async (input, init) => {
    const { body, ...bare } = init ?? {};
    // Text is handed over as it is: a request would encode it and make a stream of it.
    const text = typeof body === 'string' ? body : undefined;
    const request = new Request(input, text === undefined ? init : bare);
    if (text !== undefined) request.headers.set('Content-Length', String(Buffer.byteLength(text)));
    const { signal, url } = request;
    requests.publish({ url });
    signal.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      const answer = backend.fetch(request, { remoteAddress: '127.0.0.1', text });
      return await Promise.race([answer, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  };
}
