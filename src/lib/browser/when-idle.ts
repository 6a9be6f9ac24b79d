/**
 * How long something waits for a browser to have time (milliseconds). Without it Chromium may wait for
 * minutes, on a page where nothing happens at all.
 */
export const IDLE = { timeout: 2_000 } as const;

/**
 * Runs a task when the browser has time, after two seconds at the latest.
 * @returns how to call it off
 */
export function whenIdle(task: () => void): () => void {
  // Safari has no idle callback.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(task, 200);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(task, IDLE);
  return () => cancelIdleCallback(idle);
}
