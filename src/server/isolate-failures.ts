import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { logFailure, newReference, plainErrorHtml } from '#lib/failure.ts';

/** A request, or a connection that became a socket, while code runs for it. */
interface Running {
  reference: string;
  path: string;
  /** What has failed in it: a failure may be reported in more than one way. */
  failures: Set<unknown>;
  end: () => void;
}

const running = new AsyncLocalStorage<Running>();

/** Headers that are true of every answer; the others belonged to the answer that failed. */
const KEPT =
  /^(content-security-policy|strict-transport-security|referrer-policy|permissions-policy|cross-origin-|x-)/;
/** The person left before the answer was complete: nothing of ours failed. */
const LEFT = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'];

function startRunning({ url = '/' }: IncomingMessage, end: (reference: string) => void): Running {
  const reference = newReference();
  const path = url.split('?', 1)[0] ?? '/';
  return { reference, path, failures: new Set(), end: () => end(reference) };
}

function fail(request: Running, thrown: unknown): void {
  if (request.failures.has(thrown)) return;
  request.failures.add(thrown);
  if (!LEFT.includes((thrown as NodeJS.ErrnoException | null)?.code ?? '')) {
    logFailure(request.reference, request.path, thrown);
  }
  request.end();
}

/** The page for failures where nothing was sent yet; otherwise the connection is closed. */
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
 * Makes a listener whose requests fail one by one: what fails while one is answered is logged with
 * a reference and ends that answer, not the process.
 */
export function isolateFailures(
  answer: (req: IncomingMessage, res: ServerResponse) => unknown,
): RequestListener {
  return (req, res) => {
    const request = startRunning(req, (reference) => endAnswer(res, reference));
    res.on('error', (error) => fail(request, error));
    res.on('close', () => res.errored && fail(request, res.errored));
    // `pipe` passes on neither the errors of its source nor the end of its target.
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

/** The same for connections that ask to become a socket: one that fails is closed. */
export function isolateSocketFailures(
  take: (request: IncomingMessage, socket: Duplex, head: Buffer) => unknown,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  return (incoming, socket, head) => {
    const request = startRunning(incoming, () => socket.destroy());
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

/** Ends the request that this code runs for, if it runs for one. Returns whether it does. */
export function failCurrentRequest(thrown: unknown): boolean {
  const request = running.getStore();
  if (request) fail(request, thrown);
  return request !== undefined;
}

/**
 * Lets the process outlive uncaught errors of a request. A rejection outside of one is logged;
 * after an exception outside of one the state is unknown, so `end` is called.
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
