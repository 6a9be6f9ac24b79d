/**
 * The durable queue behind every write: quiz answers, messages and drafts, and edits of a business,
 * its plan or a copy of a tool.
 *
 * An entry goes to the browser's storage before it's sent, so that a closed tab, a lost connection
 * or an expired session loses nothing. One tab sends at a time (Web Locks; without them, two tabs
 * may send the same entry twice, which is harmless because sends are idempotent). A request that
 * times out releases the lock, and its kind backs off on its own.
 *
 * Entries belong to a person. Nobody else who signs in to this browser sees or sends them.
 */
import { atom } from 'nanostores';
import { ANSWER_WITHIN_MS } from '#lib/answer-within.ts';
import { QUEUE_PREFIX } from '#lib/browser/unsent-here.ts';
import { browserEnvironment, type SyncEnvironment } from './environment.ts';
import type { SendFailure } from './failure.ts';
import { type Entry, type EntryText, QueueStorage } from './queue-storage.ts';
import { RetrySchedule } from './retry-schedule.ts';

export type QueueState =
  | { name: 'empty' }
  | { name: 'sending' }
  /** The last attempt failed. Retries at `retryAt`, when back online, or when the tab is shown. */
  | { name: 'waiting'; retryAt: number }
  /** Nobody, or someone else, is signed in. Waits for the entries' owner. */
  | { name: 'signed-out' };

export interface Sender {
  /** How many entries of this kind may be sent at once; one by default. */
  batch?: number;
  /** Milliseconds to wait after an entry was written, in case the person is still typing. */
  rest?: number;
  /** Whether this kind can send a stored value. One that it can't send stays stored. */
  accepts?(value: unknown): boolean;
  /** Whether an entry must wait for another to be sent; if that's refused, it's never sent. */
  isAfter?(mine: Entry, other: Entry): boolean;
  /** Sends entries, oldest first. Must be idempotent. Throws errors that `classify` understands. */
  send(entries: Entry[]): Promise<unknown>;
}

/** The result of one attempt. */
type Outcome = { name: 'sent'; answer: unknown } | { name: 'unanswered' } | SendFailure;
/** The same for a batch of entries, of which some may have been refused. */
type RunOutcome = Exclude<Outcome['name'], 'refused' | 'wait'> | { waits: number };

export interface QueueOptions {
  /** The person's id. */
  owner: string;
  senders: Readonly<Record<string, Sender>>;
  /** Classifies a sender's error. */
  classify(error: unknown): SendFailure;
  /** The id of the person who's signed in, or null; checked before each send. */
  signedInAs(): Promise<string | null>;
  /** Called with each entry that this tab sent, and the server's response. */
  onSent?(entry: Entry, answer: unknown): void;
  environment?: SyncEnvironment;
}

/** There was no response in time, so the request may or may not have succeeded. */
class Unanswered extends Error {}

export class Queue {
  readonly $state = atom<QueueState>({ name: 'empty' });
  /** The newest version of every unsent entry, oldest first. */
  readonly $entries = atom<readonly Entry[]>([]);
  readonly #options: QueueOptions;
  readonly #env: SyncEnvironment;
  readonly #storage: QueueStorage;
  readonly #schedule: RetrySchedule;
  readonly #stopWaking: () => void;
  #running: Promise<void> | null = null;
  #again = false;
  #closed = false;
  /** Entries written before this no longer wait for the person to stop typing. */
  #noRestBefore = Number.NEGATIVE_INFINITY;
  #cancelTimer = () => {};
  #cancelSlow = () => {};

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#env = options.environment ?? browserEnvironment();
    this.#storage = new QueueStorage(options.owner, this.#env);
    this.#schedule = new RetrySchedule(() => this.#env.now());
    this.#stopWaking = this.#env.onWake((reason) => {
      this.#refresh();
      // Another tab that writes also sends; if it's closed before that, this tab takes over.
      if (reason !== 'storage') this.#schedule.restart();
      this.flush();
    });
    this.#refresh();
    this.flush();
  }

  /** Stores an entry and then sends it, unless it's stored as refused. */
  put(kind: string, key: string, value: unknown, rest?: EntryText & { refused?: string }): void {
    this.#storage.put(kind, key, value, rest);
    this.#refresh();
    this.flush();
  }

  /** Deletes an entry that hasn't been sent, for example one that was refused. */
  discard(kind: string, key: string): void {
    this.#storage.discard(kind, key);
    this.#refresh();
  }

  /** Also sends entries that would otherwise wait for the person to stop typing. */
  flushAll(): void {
    this.#noRestBefore = this.#env.now();
    this.flush();
  }

  /** Tries to send now. Call it when the person has signed in again. */
  flush(): void {
    if (this.#closed) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#cancelTimer();
    if (this.#sendable().length === 0) {
      // Another tab may have sent it.
      this.#refresh();
      this.#waitForRest();
      return;
    }
    // Don't show `sending` for a retry: keep showing `waiting` until something has been sent.
    if (this.$state.get().name === 'empty') this.$state.set({ name: 'sending' });
    this.#run();
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer();
    this.#stopWaking();
  }

  #run(): void {
    const exclusively = this.#env.exclusively ?? ((_name, task) => task());
    // The lock may be held by another tab that waits for a response.
    this.#cancelSlow = this.#env.setTimeout(() => this.#showWaiting(0), ANSWER_WITHIN_MS);
    this.#running = exclusively(`${QUEUE_PREFIX}:${this.#options.owner}`, () => this.#sendAll())
      .catch(() => this.#retryIn(this.#schedule.waitAfterFailure()))
      .finally(() => {
        this.#cancelSlow();
        this.#running = null;
        this.#refresh();
        const { name } = this.$state.get();
        if (this.#again) {
          this.#again = false;
          this.flush();
        } else if (!this.#closed && (name === 'empty' || name === 'sending')) this.#waitForRest();
      });
  }

  #refresh(): void {
    const entries = this.#storage.newest();
    if (JSON.stringify(entries) !== JSON.stringify(this.$entries.get())) this.$entries.set(entries);
    if (!this.#running && this.#sendable().length === 0) this.$state.set({ name: 'empty' });
  }

  /** Entries that can be sent once their pause has ended, oldest first. */
  #acceptable(): Entry[] {
    const all = this.#storage.newest();
    return all.filter((entry) => {
      const sender = this.#options.senders[entry.kind];
      if (entry.refused !== undefined || !sender) return false;
      if (sender.accepts?.(entry.value) === false) return false;
      return !all.some((other) => sender.isAfter?.(entry, other));
    });
  }

  /** Entries that can be sent now, oldest first. */
  #sendable(): Entry[] {
    return this.#acceptable().filter((entry) => this.#restOf(entry) <= 0);
  }

  /** Milliseconds that an entry still waits; 0 or less if it can be sent. */
  #restOf({ kind, at }: Entry): number {
    const rest = this.#options.senders[kind]?.rest ?? 0;
    const left = at <= this.#noRestBefore ? 0 : at + rest - this.#env.now();
    // If the clock was set back, don't wait forever.
    return left > rest ? 0 : left;
  }

  /** Sends what's resting once its pause has ended, which may be since the last look. */
  #waitForRest(): void {
    const next = Math.min(...this.#acceptable().map((entry) => this.#restOf(entry)));
    if (next < Number.POSITIVE_INFINITY) {
      this.#cancelTimer = this.#env.setTimeout(() => this.flush(), Math.max(next, 0));
    }
  }

  /** Entries to send now. Kinds that timed out come last, since they may time out again. */
  #due(held: ReadonlySet<string>): Entry[] {
    const silences = ({ kind }: Entry) => this.#schedule.silencesOf(kind);
    return this.#sendable()
      .filter(({ kind }) => !held.has(kind) && this.#schedule.waitOf(kind) === 0)
      .toSorted((a, b) => silences(a) - silences(b));
  }

  async #sendAll(): Promise<void> {
    // A kind that was told to wait isn't sent again in this round.
    const held = new Set<string>();
    for (let due = this.#due(held); due.length > 0 && !this.#closed; due = this.#due(held)) {
      if ((await this.#answered(this.#options.signedInAs())) !== this.#options.owner) {
        this.$state.set({ name: 'signed-out' });
        return;
      }
      const kind = due[0]?.kind ?? '';
      const outcome = await this.#sendFirst(due);
      if (outcome === 'signed-out') {
        this.$state.set({ name: 'signed-out' });
        return;
      }
      if (outcome === 'later') {
        this.#retryIn(this.#schedule.waitAfterFailure());
        return;
      }
      if (outcome === 'unanswered') {
        this.#showWaiting(this.#schedule.waitAfterSilence(kind));
        // Lets another tab have the lock, then sends what else is waiting here.
        this.#again = true;
        return;
      }
      if (outcome !== 'sent') {
        this.#schedule.wait(kind, outcome.waits);
        held.add(kind);
        continue;
      }
      this.#schedule.succeeded(kind);
      this.#cancelSlow();
      this.$state.set({ name: 'sending' });
      this.#refresh();
    }
    const waits = this.#sendable().map(({ kind }) => this.#schedule.waitOf(kind));
    // Something's pause has ended since the last look.
    if (this.#due(held).length > 0) this.#again = true;
    else if (waits.length > 0) {
      this.#retryIn(Math.min(...waits) || this.#schedule.waitAfterFailure());
    }
  }

  /** Sends the first batch of one kind, or one entry at a time if the batch is refused. */
  async #sendFirst(due: Entry[]): Promise<RunOutcome> {
    const kind = due[0]?.kind ?? '';
    const sender = this.#options.senders[kind];
    if (!sender) return 'sent';
    const end = due.findIndex((entry) => entry.kind !== kind);
    const run = due.slice(0, Math.min(sender.batch ?? 1, end < 0 ? due.length : end));
    const outcome = await this.#try(sender, run);
    if (outcome.name !== 'refused') return this.#conclude(run, outcome);
    for (const entry of run) {
      const alone = run.length === 1 ? outcome : await this.#try(sender, [entry]);
      if (alone.name === 'refused') this.#storage.refuse(entry, alone.reason);
      else {
        const concluded = this.#conclude([entry], alone);
        if (concluded !== 'sent') return concluded;
      }
    }
    return 'sent';
  }

  #conclude(run: Entry[], outcome: Exclude<Outcome, { name: 'refused' }>): RunOutcome {
    if (outcome.name === 'wait') return { waits: outcome.milliseconds };
    if (outcome.name === 'sent') {
      for (const entry of run) {
        this.#storage.remove(entry);
        this.#options.onSent?.(entry, outcome.answer);
      }
    }
    return outcome.name;
  }

  async #try(sender: Sender, run: Entry[]): Promise<Outcome> {
    try {
      return { name: 'sent', answer: await this.#answered(sender.send(run)) };
    } catch (error) {
      return error instanceof Unanswered ? { name: 'unanswered' } : this.#options.classify(error);
    }
  }

  /** Waits for a response, but not forever, because this tab holds the lock. Throws Unanswered. */
  #answered<T>(answer: Promise<T>): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const cancel = this.#env.setTimeout(() => reject(new Unanswered()), ANSWER_WITHIN_MS);
    return Promise.race([answer, late]).finally(cancel);
  }

  #showWaiting(milliseconds: number): void {
    this.$state.set({ name: 'waiting', retryAt: this.#env.now() + milliseconds });
  }

  #retryIn(milliseconds: number): void {
    this.#showWaiting(milliseconds);
    this.#cancelTimer();
    this.#cancelTimer = this.#env.setTimeout(() => this.flush(), milliseconds);
  }
}
