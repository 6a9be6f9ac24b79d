import { classifyError } from '#lib/classify-error.ts';

const PAUSE_MS = 500;
const RETRY_MS = 15_000;
/** Errors that may be gone at the next try. */
const TEMPORARY: readonly string[] = ['network', 'rate-limited', 'unexpected'];

/**
 * Saves how far the person has read: right away, then at most twice a second.
 * @param saved the place that the database has
 */
export function createReadMarks(saved: number, save: (seq: number) => Promise<void>) {
  let wanted = saved;
  let isBusy = false;
  let isClosed = false;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  async function send() {
    pause = undefined;
    clearTimeout(retryTimer);
    if (isBusy || wanted <= saved) return;
    isBusy = true;
    const seq = wanted;
    try {
      await save(seq);
      saved = Math.max(saved, seq);
    } catch (thrown) {
      // Until it is saved it counts as unread elsewhere, and an email may announce it.
      const mayRetry = !isClosed && TEMPORARY.includes(classifyError(thrown).kind);
      if (mayRetry) retryTimer = setTimeout(send, RETRY_MS);
      return;
    } finally {
      isBusy = false;
    }
    if (!isClosed) pause = setTimeout(send, PAUSE_MS);
  }

  return {
    markRead(seq: number) {
      if (seq <= wanted) return;
      wanted = seq;
      if (!isBusy && !pause) void send();
    },
    /** The database has this place, perhaps from another device. */
    setSaved(seq: number) {
      saved = Math.max(saved, seq);
      wanted = Math.max(wanted, seq);
    },
    /** Sends what failed before. */
    retry() {
      if (!pause) void send();
    },
    close() {
      isClosed = true;
      clearTimeout(pause);
      void send();
    },
  };
}
