/**
 * The longest wait for the browser to be idle, in milliseconds. Without a timeout, Chromium may
 * wait for minutes, even on a page where nothing happens.
 */
export const IDLE = { timeout: 2_000 } as const;

/**
 * Runs a task when the browser is idle, after two seconds at the latest.
 * @returns a function that cancels it
 */
export function whenIdle(task: () => void): () => void {
  // Safari doesn't have requestIdleCallback.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(task, 200);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(task, IDLE);
  return () => cancelIdleCallback(idle);
}

/**
 * Starts something when the browser is idle, like `whenIdle`.
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
