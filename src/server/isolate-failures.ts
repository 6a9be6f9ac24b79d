import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { logFailure, newReference, plainErrorHtml } from '#lib/failure.ts';

/** A request, or a connection upgraded to a WebSocket, that code is running for. */
interface Running {
  /** Made for the first failure. */
  reference?: string;
  path: string;
  /** Errors already handled, because one failure may be reported in more than one way. */
  failures: Set<unknown>;
  end: (reference: string) => void;
}

const running = new AsyncLocalStorage<Running>();

/** Headers that apply to every response; the others belong to the one that failed. */
const KEPT =
  /^(content-security-policy|strict-transport-security|referrer-policy|permissions-policy|cross-origin-|x-)/;
/** Codes that mean the client disconnected before the response was complete: not our failure. */
const LEFT = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'];

/** Outside of functions, so that it keeps nothing. */
const nothing = () => {};

/** @param answer what carries the answer; once it has closed, there's nothing left to end */
function startRunning(
  { url = '/' }: IncomingMessage,
  answer: ServerResponse | Duplex,
  end: (reference: string) => void,
): Running {
  const request: Running = { path: url.split('?', 1)[0] ?? '/', failures: new Set(), end };
  // A timer keeps what it was started in. Without this, it'd keep the whole request (decision 125).
  answer.once('close', () => {
    request.end = nothing;
  });
  return request;
}

function fail(request: Running, thrown: unknown): void {
  if (request.failures.has(thrown)) return;
  request.failures.add(thrown);
  request.reference ??= newReference();
  if (!LEFT.includes((thrown as NodeJS.ErrnoException | null)?.code ?? '')) {
    logFailure(request.reference, request.path, thrown);
  }
  request.end(request.reference);
}

/** Sends the error page if nothing was sent yet; otherwise closes the connection. */
function endAnswer(res: ServerResponse, reference: string): void {
  if (res.writableEnded || res.destroyed) return;
  if (res.headersSent) {
    res.destroy();
    return;
  }
  for (const name of res.getHeaderNames()) if (!KEPT.test(name)) res.removeHeader(name);
  res.writeHead(500, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' });
  res.end(plainErrorHtml(reference));
}

/**
 * Creates a listener that isolates requests from each other: an error while handling one is logged
 * with a reference and ends that response, not the process.
 */
export function isolateFailures(
  answer: (req: IncomingMessage, res: ServerResponse) => unknown,
): RequestListener {
  return (req, res) => {
    const request = startRunning(req, res, (reference) => endAnswer(res, reference));
    res.on('error', (error) => fail(request, error));
    res.on('close', () => res.errored && fail(request, res.errored));
    // `pipe` forwards neither its source's errors nor its destination's close.
    res.on('pipe', (source: Readable) => {
      source.on('error', (error) => fail(request, error));
      res.once('close', () => source.destroy());
    });
    void running.run(request, async () => {
      try {
        await answer(req, res);
      } catch (error) {
        fail(request, error);
      }
    });
  };
}

/** The same for WebSocket upgrades: if one fails, its connection is closed. */
export function isolateSocketFailures(
  take: (request: IncomingMessage, socket: Duplex, head: Buffer) => unknown,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  return (incoming, socket, head) => {
    const request = startRunning(incoming, socket, () => socket.destroy());
    socket.on('error', (error) => fail(request, error));
    void running.run(request, async () => {
      try {
        await take(incoming, socket, head);
      } catch (error) {
        fail(request, error);
      }
    });
  };
}

/** Fails the request that the current code runs for. Returns whether there is one. */
export function failCurrentRequest(thrown: unknown): boolean {
  const request = running.getStore();
  if (request) fail(request, thrown);
  return request !== undefined;
}

/**
 * Keeps the process alive after an uncaught error in a request. Outside of requests, a rejection is
 * only logged, but after an exception the state is unknown, so `end` is called.
 */
export function surviveUncaughtErrors(end: () => void): void {
  process.on('unhandledRejection', (reason) => {
    if (!failCurrentRequest(reason)) logFailure(newReference(), '(no request)', reason);
  });
  process.on('uncaughtException', (error) => {
    if (failCurrentRequest(error)) return;
    logFailure(newReference(), '(no request)', error);
    end();
  });
}
