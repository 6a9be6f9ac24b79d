/**
 * The only write pipeline of a page, for everything that must not be lost. It stores each write in
 * this browser at once, sends writes in order, retries until they succeed, and reports how safe
 * each one is. Any number of tabs can have it open; one of them sends.
 */
import { atom, computed, type ReadableAtom } from 'nanostores';
import { holdUnsaved } from '#lib/browser/unsaved.ts';
import type { SaveStatus } from '#lib/save-status.ts';
import { browserEnvironment, type SyncEnvironment } from './environment.ts';
import { sendFailureOf } from './failure.ts';
import type { AnyKind, Kind } from './kind.ts';
import { Queue, type QueueState, type Sender } from './queue.ts';
import type { Entry } from './queue-storage.ts';

/** A write that isn't stored on the server yet, or never will be. */
export interface Unsent extends Entry {
  status: SaveStatus;
}

/** The same for one kind. */
export type UnsentOf<Value> = Omit<Unsent, 'value'> & { value: Value };

/** @param sent the server's response; null if another tab sent the entry */
export type StoredListener<Value, Answer> = (
  entry: UnsentOf<Value>,
  sent: { answer: Answer } | null,
) => void;

interface SyncOptions {
  /** The person's id. */
  owner: string;
  /** The kinds that it can send from the start; a screen's own are added as it uses them. */
  kinds?: readonly AnyKind[];
  /** Loads all kinds, once there's an entry of another one. */
  loadKinds?(): Promise<readonly AnyKind[]>;
  /** The id of the person who's signed in right now, or null. */
  signedInAs(): Promise<string | null>;
  environment?: SyncEnvironment;
}

export class Sync {
  readonly environment: SyncEnvironment;
  /** Whether writes are waiting for their owner to sign in again. */
  readonly $isSignedOut: ReadableAtom<boolean>;
  readonly $unsent = atom<readonly Unsent[]>([]);
  readonly #queue: Queue;
  /** The kinds that this page can send, and how the queue sends each. */
  readonly #kinds = new Map<string, AnyKind>();
  readonly #senders: Record<string, Sender> = {};
  /** Null once they're loaded. */
  #loadKinds: SyncOptions['loadKinds'] | null;
  #loading = false;
  readonly #listeners = new Map<string, Set<StoredListener<unknown, unknown>>>();
  /** Entries that this tab has sent, with their responses. */
  readonly #sent = new Map<string, { answer: unknown }>();
  /** Entries that left the queue and whose listeners were notified. */
  readonly #told = new Set<string>();
  readonly #stops: (() => void)[];
  #discarding: string | null = null;
  #release: (() => void) | null = null;

  constructor(options: SyncOptions) {
    const { kinds = [], loadKinds = null, environment = browserEnvironment() } = options;
    this.environment = environment;
    this.#loadKinds = loadKinds;
    for (const kind of kinds) this.#add(kind);
    this.#queue = new Queue({
      owner: options.owner,
      signedInAs: options.signedInAs,
      environment,
      senders: this.#senders,
      classify: sendFailureOf,
      onSent: ({ id }, answer) => this.#sent.set(id, { answer }),
    });
    const { $entries, $state } = this.#queue;
    this.$isSignedOut = computed($state, ({ name }) => name === 'signed-out');
    this.#stops = [
      $entries.subscribe(() => {
        this.#follow();
        void this.#addMissing();
      }),
      $state.listen(() => this.#follow()),
      environment.onWake(() => void this.#addMissing()),
    ];
  }

  /**
   * Stores a value in this browser and sends it as soon as possible. A newer value with the same
   * key replaces it.
   * @param held why not to send it yet: the person has to choose first
   */
  write<Value>(kind: Kind<Value, unknown>, key: string, value: Value, held?: string): void {
    this.#add(kind);
    const rest = { ...kind.textOf(value), ...(held === undefined ? {} : { refused: held }) };
    this.#queue.put(kind.name, key, value, rest);
  }

  /** Deletes a write that hasn't been sent. */
  discard(kind: AnyKind, key: string): void {
    this.#discarding = `${kind.name}:${key}`;
    this.#queue.discard(kind.name, key);
    this.#discarding = null;
  }

  /** Tries to send now, for example when the person has signed in again. */
  flush(): void {
    this.#queue.flush();
  }

  /** The same, including what's still being typed. */
  flushAll(): void {
    this.#queue.flushAll();
  }

  /** The unsent writes of a kind, oldest first. */
  unsentOf<Value>(kind: Kind<Value, unknown>): UnsentOf<Value>[] {
    return this.$unsent.get().flatMap((entry) => {
      const value = entry.kind === kind.name ? kind.parse(entry.value) : null;
      return value === null ? [] : [{ ...entry, value }];
    });
  }

  /** How safe the value under a key is. */
  statusOf(kind: AnyKind, key: string): SaveStatus {
    const entry = this.$unsent.get().find((each) => each.kind === kind.name && each.key === key);
    return entry?.status ?? { name: 'saved' };
  }

  /** Calls back when a write of this kind is stored. Returns the cleanup. */
  onStored<Value, Answer>(
    kind: Kind<Value, Answer>,
    listener: StoredListener<Value, Answer>,
  ): () => void {
    // Sends what an earlier page left of it.
    if (this.#add(kind)) this.flush();
    const listeners = this.#listeners.get(kind.name) ?? new Set();
    this.#listeners.set(kind.name, listeners);
    // Safe, because it only gets entries and responses of this kind.
    const each = listener as StoredListener<unknown, unknown>;
    listeners.add(each);
    return () => listeners.delete(each);
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#release?.();
    this.#queue.close();
  }

  /** Makes a kind known to the queue. Returns whether it wasn't. */
  #add({ parse, ...kind }: AnyKind): boolean {
    if (this.#kinds.has(kind.name)) return false;
    this.#kinds.set(kind.name, { ...kind, parse });
    this.#senders[kind.name] = { ...kind, accepts: (value) => parse(value) !== null };
    return true;
  }

  /** Loads the other kinds if something of them is waiting. If that fails, the next wake retries. */
  async #addMissing(): Promise<void> {
    const isMissing = this.#queue.$entries.get().some(({ kind }) => !this.#kinds.has(kind));
    if (!this.#loadKinds || this.#loading || !isMissing) return;
    this.#loading = true;
    try {
      for (const kind of await this.#loadKinds()) this.#add(kind);
      this.#loadKinds = null;
      this.flush();
      this.#follow();
    } catch {
      // It's still stored, so another page sends it if this one can't.
    } finally {
      this.#loading = false;
    }
  }

  /** Notifies listeners about entries that left the queue, then mirrors the rest. */
  #follow(): void {
    const left = this.#queue.$entries.get();
    const ids = new Set(left.map(({ id }) => id));
    const names = new Set(left.map(nameOf));
    for (const entry of this.$unsent.get()) {
      const { id, kind, refused } = entry;
      const name = nameOf(entry);
      // Gone without being replaced, refused or discarded, so another tab sent it.
      const isGone = !names.has(name) && refused === undefined && name !== this.#discarding;
      if (ids.has(id) || this.#told.has(id) || !(this.#sent.has(id) || isGone)) continue;
      this.#told.add(id);
      const sent = this.#sent.get(id) ?? null;
      for (const listener of this.#listeners.get(kind) ?? []) listener(entry, sent);
    }
    // Read again, because a listener may have written something.
    const state = this.#queue.$state.get().name;
    const entries = this.#queue.$entries.get();
    const now = entries.map((entry) => ({ ...entry, status: statusIn(state, entry) }));
    if (JSON.stringify(now) !== JSON.stringify(this.$unsent.get())) this.$unsent.set(now);
    this.#hold(entries);
  }

  /** Marks the page as unsaved while a write is pending. A value it can't send doesn't count. */
  #hold(entries: readonly Entry[]): void {
    const isOnItsWay = entries.some(
      ({ kind, value, refused }) =>
        refused === undefined && (this.#kinds.get(kind)?.parse(value) ?? null) !== null,
    );
    if (isOnItsWay) this.#release ??= holdUnsaved();
    else {
      this.#release?.();
      this.#release = null;
    }
  }
}

const nameOf = ({ kind, key }: Entry) => `${kind}:${key}`;

function statusIn(state: QueueState['name'], { refused, memoryOnly }: Entry): SaveStatus {
  if (refused !== undefined) return { name: 'refused', reason: refused };
  if (state === 'signed-out') return { name: 'signed-out' };
  if (state !== 'waiting') return { name: 'saving' };
  return { name: memoryOnly ? 'memory-only' : 'offline' };
}
