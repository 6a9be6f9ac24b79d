/** Tells the database how far the person has read: at once, then at most twice a second. */

const PAUSE = 500;

export function createReadMarks(read: number, save: (seq: number) => Promise<void>) {
  let saved = read;
  let wanted = read;
  let busy = false;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function send(): Promise<void> {
    timer = undefined;
    if (busy || wanted <= saved) return;
    busy = true;
    const seq = wanted;
    try {
      await save(seq);
      saved = Math.max(saved, seq);
    } catch {
      // It goes with the next one, or when the connection is back; nothing on the page depends on it.
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
