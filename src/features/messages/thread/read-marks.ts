/** Saves how far the person has read: at once, then at most twice a second. */
import { classifyError } from '#lib/classify-error.ts';

const PAUSE_MS = 500;
const RETRY_MS = 15_000;
/** Errors that may be gone at the next try. */
const TEMPORARY: readonly string[] = ['network', 'rate-limited', 'unexpected'];

export class ReadMarks {
  readonly #save: (seq: number) => Promise<void>;
  #saved: number;
  #wanted: number;
  #isBusy = false;
  #isClosed = false;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  /** @param saved the place that the database has */
  constructor(saved: number, save: (seq: number) => Promise<void>) {
    this.#saved = saved;
    this.#wanted = saved;
    this.#save = save;
  }

  markRead(seq: number): void {
    if (seq <= this.#wanted) return;
    this.#wanted = seq;
    if (!this.#isBusy && !this.#pause) void this.#send();
  }

  /** The database has this place, perhaps from another device. */
  setSaved(seq: number): void {
    this.#saved = Math.max(this.#saved, seq);
    this.#wanted = Math.max(this.#wanted, seq);
  }

  /** Sends what failed before. */
  retry(): void {
    if (!this.#pause) void this.#send();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#pause);
    void this.#send();
  }

  async #send(): Promise<void> {
    this.#pause = undefined;
    clearTimeout(this.#retryTimer);
    if (this.#isBusy || this.#wanted <= this.#saved) return;
    this.#isBusy = true;
    const seq = this.#wanted;
    try {
      await this.#save(seq);
      this.#saved = Math.max(this.#saved, seq);
    } catch (thrown) {
      // Until it is saved it counts as unread elsewhere, and an email may announce it.
      const mayRetry = !this.#isClosed && TEMPORARY.includes(classifyError(thrown).kind);
      if (mayRetry) this.#retryTimer = setTimeout(() => void this.#send(), RETRY_MS);
      return;
    } finally {
      this.#isBusy = false;
    }
    if (!this.#isClosed) this.#pause = setTimeout(() => void this.#send(), PAUSE_MS);
  }
}
