/** Follows a background job of another system's screen. */

/** How long until we look again while a job is at work, and while it waits for the other system, in ms. */
const PAUSES = { working: 1_000, postponed: 15_000 };

interface WatchedJob {
  state: 'waiting' | 'running' | 'failed';
  /** Why it waits; null while it's at work. */
  error: string | null;
}

/** Looks again and again while there's a job at work and the screen is open. */
export function createWatching(jobOf: () => WatchedJob | null, look: () => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOpen = false;

  function again() {
    clearTimeout(timer);
    const job = jobOf();
    if (!isOpen || !job || job.state === 'failed') return;
    timer = setTimeout(() => void look(), job.error ? PAUSES.postponed : PAUSES.working);
  }

  /** Returns the cleanup. */
  function start(): () => void {
    isOpen = true;
    again();
    return () => {
      isOpen = false;
      clearTimeout(timer);
    };
  }
  return { again, start };
}
