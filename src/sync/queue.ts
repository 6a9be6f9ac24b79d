/**
 * The durable queue under everything that is written: answers, messages and drafts, what was typed
 * into a business, its plan or a copy of a tool.
 *
 * An entry is written to the browser's storage before anything is sent, so that a closed tab, a
 * lost connection or an expired session loses nothing. One tab sends at a time (Web Locks; without
 * them two tabs may send the same entry twice, which is harmless because what is sent is idempotent).
 * A request that is not answered in time gives the lock back, and its kind waits by itself.
 *
 * Entries belong to a person. Nobody else who signs in on this browser sees or sends them.
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
  /** The last try failed. Tried again by itself at `retryAt`, when the connection is back, or when the tab is shown. */
  | { name: 'waiting'; retryAt: number }
  /** Nobody, or someone else, is signed in: waits for the owner of the entries. */
  | { name: 'signed-out' };

export interface Sender {
  /** How many entries of this kind may be sent at once; one where nothing is said. */
  batch?: number;
  /** How long an entry rests before it is sent, in milliseconds: what is still being typed. */
  rest?: number;
  /** Whether what a browser stored is what this kind sends. What isn't stays stored and is not sent. */
  accepts?(value: unknown): boolean;
  /** Whether an entry goes only after another one has arrived; where that is refused, not at all. */
  isAfter?(mine: Entry, other: Entry): boolean;
  /** Sends them, oldest first. Throws what `classify` understands. What is sent twice counts once. */
  send(entries: Entry[]): Promise<unknown>;
}

/** What became of a try. */
type Outcome = { name: 'sent'; answer: unknown } | { name: 'unanswered' } | SendFailure;
/** The same for a run of entries, of which some may have been refused. */
type RunOutcome = Exclude<Outcome['name'], 'refused' | 'wait'> | { waits: number };

export interface QueueOptions {
  /** The person's id. */
  owner: string;
  senders: Readonly<Record<string, Sender>>;
  /** What an error of a sender means. */
  classify(error: unknown): SendFailure;
  /** Who is signed in right now, or null; asked before each sending. */
  signedInAs(): Promise<string | null>;
  /** Called with what this tab has sent, and what the server answered. */
  onSent?(entry: Entry, answer: unknown): void;
  environment?: SyncEnvironment;
}

/** Nobody has answered in time: it may have arrived, or not. */
class Unanswered extends Error {}

export class Queue {
  readonly $state = atom<QueueState>({ name: 'empty' });
  /** The newest version of every entry that is not sent, oldest first. */
  readonly $entries = atom<readonly Entry[]>([]);
  readonly #options: QueueOptions;
  readonly #env: SyncEnvironment;
  readonly #storage: QueueStorage;
  readonly #schedule: RetrySchedule;
  readonly #stopWaking: () => void;
  #running: Promise<void> | null = null;
  #again = false;
  #closed = false;
  /** Entries written before this do not rest any longer. */
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
      // Another tab that writes also sends; should it be closed meanwhile, this one goes on.
      if (reason !== 'storage') this.#schedule.restart();
      this.flush();
    });
    this.#refresh();
    this.flush();
  }

  /** Stores an entry at once, then sends it, unless it is stored as refused. */
  put(kind: string, key: string, value: unknown, rest?: EntryText & { refused?: string }): void {
    this.#storage.put(kind, key, value, rest);
    this.#refresh();
    this.flush();
  }

  /** Forgets an entry that is not sent, for example one that was refused. */
  discard(kind: string, key: string): void {
    this.#storage.discard(kind, key);
    this.#refresh();
  }

  /** Sends what rests as well. */
  flushAll(): void {
    this.#noRestBefore = this.#env.now();
    this.flush();
  }

  /** Tries now; call it when the person has signed in again. */
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
    // Trying again is not news: a person who waits for the connection waits until something arrived.
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
    // Another tab may be waiting for an answer, and this one for that tab.
    this.#cancelSlow = this.#env.setTimeout(() => this.#showWaiting(0), ANSWER_WITHIN_MS);
    this.#running = exclusively(`${QUEUE_PREFIX}:${this.#options.owner}`, () => this.#sendAll())
      .catch(() => this.#retryIn(this.#schedule.waitAfterFailure()))
      .finally(() => {
        this.#cancelSlow();
        this.#running = null;
        this.#refresh();
        if (this.#again) {
          this.#again = false;
          this.flush();
        } else if (!this.#closed && this.$state.get().name === 'empty') this.#waitForRest();
      });
  }

  #refresh(): void {
    const entries = this.#storage.newest();
    if (JSON.stringify(entries) !== JSON.stringify(this.$entries.get())) this.$entries.set(entries);
    if (!this.#running && this.#sendable().length === 0) this.$state.set({ name: 'empty' });
  }

  /** What may go out now, oldest first; `resting` gives what may not yet. */
  #sendable(resting = false): Entry[] {
    const all = this.#storage.newest();
    return all.filter((entry) => {
      const sender = this.#options.senders[entry.kind];
      if (entry.refused !== undefined || !sender || this.#restOf(entry) > 0 !== resting)
        return false;
      if (sender.accepts?.(entry.value) === false) return false;
      return !all.some((other) => sender.isAfter?.(entry, other));
    });
  }

  /** Milliseconds that an entry still rests; 0 or less when it may go. */
  #restOf({ kind, at }: Entry): number {
    const rest = this.#options.senders[kind]?.rest ?? 0;
    const left = at <= this.#noRestBefore ? 0 : at + rest - this.#env.now();
    // A clock that was set back must not keep it forever.
    return left > rest ? 0 : left;
  }

  #waitForRest(): void {
    const next = Math.min(...this.#sendable(true).map((entry) => this.#restOf(entry)));
    if (next < Number.POSITIVE_INFINITY) {
      this.#cancelTimer = this.#env.setTimeout(() => this.flush(), next);
    }
  }

  /** What is due now; what was not answered comes last: it may take the whole time again. */
  #due(held: ReadonlySet<string>): Entry[] {
    const silences = ({ kind }: Entry) => this.#schedule.silencesOf(kind);
    return this.#sendable()
      .filter(({ kind }) => !held.has(kind) && this.#schedule.waitOf(kind) === 0)
      .toSorted((a, b) => silences(a) - silences(b));
  }

  async #sendAll(): Promise<void> {
    // A kind that is told to wait waits at least until this round is over.
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
        // Another tab has its turn, then what else waits here.
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
    if (waits.length > 0) {
      this.#retryIn(Math.min(...waits) || this.#schedule.waitAfterFailure());
    }
  }

  /** Sends the first run of entries of one kind; one by one when the run as a whole is refused. */
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

  /** Waits for an answer, but not forever: the lock is held meanwhile. Throws Unanswered. */
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
