/** Who is typing, and telling the others that the person is. */
import { atom } from 'nanostores';

/** Sent at most this often, and shown for this long, in milliseconds. */
const SEND_EVERY = 3_000;
const SHOWN_FOR = 5_000;

export class TypingIndicator {
  /** The others who are typing. */
  readonly $ids = atom<ReadonlySet<string>>(new Set());
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #sendTyping: () => void;
  #quietUntil = 0;

  constructor(sendTyping: () => void) {
    this.#sendTyping = sendTyping;
  }

  /** One of the others is typing. */
  handleTyping(id: string): void {
    const isNew = !this.#timers.has(id);
    clearTimeout(this.#timers.get(id));
    const timer = setTimeout(() => this.handleStopped(id), SHOWN_FOR);
    this.#timers.set(id, timer);
    if (isNew) this.#update();
  }

  handleStopped(id: string): void {
    clearTimeout(this.#timers.get(id));
    if (this.#timers.delete(id)) this.#update();
  }

  handleOwnTyping(): void {
    if (Date.now() < this.#quietUntil) return;
    this.#quietUntil = Date.now() + SEND_EVERY;
    this.#sendTyping();
  }

  /** After a message was sent, the next letter is told at once. */
  handleSent(): void {
    this.#quietUntil = 0;
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #update(): void {
    this.$ids.set(new Set(this.#timers.keys()));
  }
}
