/**
 * The longest wait for the browser to be idle, in milliseconds. Without a timeout, Chromium may
 * wait for minutes, even on a page where nothing happens.
 */
export const IDLE = { timeout: 2_000 } as const;

/** Islands that don't work yet, except those that wait to be seen, or for the others (client-rest.ts). */
const PENDING = 'astro-island[ssr]:not([client="visible"], [client="rest"])';

/**
 * Runs a task once all islands of the page work and the browser is idle, so that it delays none of
 * them; after four seconds at the latest.
 * @returns a function that cancels it
 */
export function whenIdle(task: () => void): () => void {
  if (!document.querySelector(PENDING)) return onIdle(task);
  const waiting = new AbortController();
  let cancel = () => waiting.abort();
  const start = () => {
    waiting.abort();
    clearTimeout(timer);
    cancel = onIdle(task);
  };
  // An island whose script can't be loaded never works.
  const timer = setTimeout(start, IDLE.timeout);
  const look = () => document.querySelector(PENDING) ?? start();
  // The event doesn't bubble.
  document.addEventListener('astro:hydrate', look, { capture: true, signal: waiting.signal });
  return () => {
    clearTimeout(timer);
    cancel();
  };
}

/** Runs a task when the browser is idle. Returns a function that cancels it. */
function onIdle(task: () => void): () => void {
  // Safari doesn't have requestIdleCallback.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(task, 200);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(task, IDLE);
  return () => cancelIdleCallback(idle);
}

/**
 * Starts something when the page works and the browser is idle, like `whenIdle`.
 * @param start returns the function that stops it
 * @returns a function that cancels it, or stops it if it has started
 */
export function startWhenIdle(start: () => () => void): () => void {
  let stop: (() => void) | undefined;
  const cancel = whenIdle(() => {
    stop = start();
  });
  return () => {
    cancel();
    stop?.();
  };
}
