/** Tells the database how far the person has read: at once, then at most twice a second. */
import { classifyError } from '#lib/classify-error.ts';

const PAUSE = 500;
/** What may pass by itself is tried again after so long, in milliseconds. */
const AGAIN = 15_000;
const PASSES: readonly string[] = ['network', 'rate-limited', 'unexpected'];

export function createReadMarks(read: number, save: (seq: number) => Promise<void>) {
  let saved = read;
  let wanted = read;
  let busy = false;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;

  async function send(): Promise<void> {
    timer = undefined;
    clearTimeout(retry);
    if (busy || wanted <= saved) return;
    busy = true;
    const seq = wanted;
    try {
      await save(seq);
      saved = Math.max(saved, seq);
    } catch (thrown) {
      // It goes with the next one, when the connection is back, or after a while: until then it
      // counts as unread elsewhere, and a mail may tell of it.
      const again = !closed && PASSES.includes(classifyError(thrown).kind);
      if (again) retry = setTimeout(() => void send(), AGAIN);
      return;
    } finally {
      busy = false;
    }
    if (!closed) timer = setTimeout(() => void send(), PAUSE);
  }

  return {
    upTo(seq: number) {
      if (seq <= wanted) return;
      wanted = seq;
      if (!busy && !timer) void send();
    },
    /** Read on another device. */
    known(seq: number) {
      saved = Math.max(saved, seq);
      wanted = Math.max(wanted, seq);
    },
    /** Sends what could not be sent before. */
    again() {
      if (!timer) void send();
    },
    close() {
      closed = true;
      clearTimeout(timer);
      void send();
    },
  };
}
