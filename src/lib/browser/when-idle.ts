/**
 * The longest wait for the browser to be idle, in milliseconds. Without a timeout, Chromium may
 * wait for minutes, even on a page where nothing happens.
 */
export const IDLE = { timeout: 2_000 } as const;

/** Islands that don't work yet, except those that wait to be seen, or for the others (client-rest.ts). */
const PENDING = 'astro-island[ssr]:not([client="visible"], [client="rest"])';

/** Starts the tasks that wait for the islands. A page has a dozen, which share one listener and one timer. */
const waiting = new Set<() => void>();
let isWaiting = false;

/**
 * Runs a task once all islands of the page work and the browser is idle, so that it delays none of
 * them; after four seconds at the latest.
 * @returns a function that cancels it
 */
export function whenIdle(task: () => void): () => void {
  if (!isWaiting && !document.querySelector(PENDING)) return onIdle(task);
  if (!isWaiting) waitForIslands();
  let cancel: () => void = () => waiting.delete(start);
  const start = () => {
    cancel = onIdle(task);
  };
  waiting.add(start);
  return () => cancel();
}

function waitForIslands(): void {
  isWaiting = true;
  const startAll = () => {
    isWaiting = false;
    clearTimeout(timer);
    document.removeEventListener('astro:hydrate', look, true);
    for (const start of waiting) start();
    waiting.clear();
  };
  const look = () => document.querySelector(PENDING) ?? startAll();
  // An island whose script can't be loaded never works.
  const timer = setTimeout(startAll, IDLE.timeout);
  // The event doesn't bubble.
  document.addEventListener('astro:hydrate', look, true);
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
