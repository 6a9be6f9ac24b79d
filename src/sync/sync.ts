/**
 * The one write pipeline of a page: whatever must not be lost goes through here. It is stored in this
 * browser at once, sent in order, tried again until it has arrived, and says how safe each thing is.
 * Any number of tabs may have it open; one of them sends.
 */
import { atom, computed, type ReadableAtom } from 'nanostores';
import { holdUnsaved } from '#lib/browser/unsaved.ts';
import type { SaveStatus } from '#lib/save-status.ts';
import { browserEnvironment, type SyncEnvironment } from './environment.ts';
import { sendFailureOf } from './failure.ts';
import type { AnyKind, Kind } from './kind.ts';
import { Queue, type QueueState } from './queue.ts';
import type { Entry } from './queue-storage.ts';

/** Something that was written and has not arrived, or never will. */
export interface Unsent extends Entry {
  status: SaveStatus;
}

/** The same, of one kind. */
export type UnsentOf<Value> = Omit<Unsent, 'value'> & { value: Value };

/**
 * @param sent what the server answered; null where another tab has sent it
 */
export type StoredListener<Value, Answer> = (
  entry: UnsentOf<Value>,
  sent: { answer: Answer } | null,
) => void;

interface SyncOptions {
  /** The id of the person. */
  owner: string;
  kinds: readonly AnyKind[];
  /** The id of the person who is signed in right now, or null. */
  signedInAs(): Promise<string | null>;
  environment?: SyncEnvironment;
}

export class Sync {
  readonly environment: SyncEnvironment;
  /** Whether something waits until its owner signs in again. */
  readonly $isSignedOut: ReadableAtom<boolean>;
  readonly $unsent = atom<readonly Unsent[]>([]);
  readonly #queue: Queue;
  readonly #kinds: ReadonlyMap<string, AnyKind>;
  readonly #listeners = new Map<string, Set<StoredListener<unknown, unknown>>>();
  /** What this tab has sent, with its answers. */
  readonly #sent = new Map<string, { answer: unknown }>();
  /** Entries that left the queue and were told of. */
  readonly #told = new Set<string>();
  readonly #stops: (() => void)[];
  #discarding: string | null = null;
  #release: (() => void) | null = null;

  constructor({ kinds, environment = browserEnvironment(), ...options }: SyncOptions) {
    this.environment = environment;
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.#queue = new Queue({
      ...options,
      environment,
      senders: Object.fromEntries(
        kinds.map((kind) => [
          kind.name,
          { ...kind, accepts: (value: unknown) => kind.parse(value) !== null },
        ]),
      ),
      classify: sendFailureOf,
      onSent: ({ id }, answer) => this.#sent.set(id, { answer }),
    });
    const { $entries, $state } = this.#queue;
    this.$isSignedOut = computed($state, ({ name }) => name === 'signed-out');
    this.#stops = [$entries.subscribe(() => this.#follow()), $state.listen(() => this.#follow())];
  }

  /**
   * Stores a value in this browser and sends it, now or when that is possible. A newer value of the
   * same key replaces it.
   * @param held why it is not sent yet: a person has to choose first
   */
  write<Value>(kind: Kind<Value, unknown>, key: string, value: Value, held?: string): void {
    const rest = { ...kind.textOf(value), ...(held === undefined ? {} : { refused: held }) };
    this.#queue.put(kind.name, key, value, rest);
  }

  /** Forgets what is not sent. */
  discard(kind: AnyKind, key: string): void {
    this.#discarding = `${kind.name}:${key}`;
    this.#queue.discard(kind.name, key);
    this.#discarding = null;
  }

  /** Tries now, for example when the person has signed in again. */
  flush(): void {
    this.#queue.flush();
  }

  /** The same, and what is still being typed goes out as well. */
  flushAll(): void {
    this.#queue.flushAll();
  }

  /** What is unsent of a kind, oldest first. */
  unsentOf<Value>(kind: Kind<Value, unknown>): UnsentOf<Value>[] {
    return this.$unsent.get().flatMap((entry) => {
      const value = entry.kind === kind.name ? kind.parse(entry.value) : null;
      return value === null ? [] : [{ ...entry, value }];
    });
  }

  /** How safe what was written under a key is. */
  statusOf(kind: AnyKind, key: string): SaveStatus {
    const entry = this.$unsent.get().find((each) => each.kind === kind.name && each.key === key);
    return entry?.status ?? { name: 'saved' };
  }

  /** Calls back when something of a kind has arrived. Gives the end of it. */
  onStored<Value, Answer>(
    kind: Kind<Value, Answer>,
    listener: StoredListener<Value, Answer>,
  ): () => void {
    const listeners = this.#listeners.get(kind.name) ?? new Set();
    this.#listeners.set(kind.name, listeners);
    // Only entries and answers of this kind are handed to it.
    const each = listener as StoredListener<unknown, unknown>;
    listeners.add(each);
    return () => listeners.delete(each);
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#release?.();
    this.#queue.close();
  }

  /** Tells of what has left the queue, then takes over what it holds. */
  #follow(): void {
    const left = this.#queue.$entries.get();
    const ids = new Set(left.map(({ id }) => id));
    const names = new Set(left.map(nameOf));
    for (const entry of this.$unsent.get()) {
      const { id, kind, refused } = entry;
      const name = nameOf(entry);
      // Gone without being replaced, refused or discarded: another tab has sent it.
      const isGone = !names.has(name) && refused === undefined && name !== this.#discarding;
      if (ids.has(id) || this.#told.has(id) || !(this.#sent.has(id) || isGone)) continue;
      this.#told.add(id);
      const sent = this.#sent.get(id) ?? null;
      for (const listener of this.#listeners.get(kind) ?? []) listener(entry, sent);
    }
    // A listener may have written something itself.
    const state = this.#queue.$state.get().name;
    const entries = this.#queue.$entries.get();
    const now = entries.map((entry) => ({ ...entry, status: statusIn(state, entry) }));
    if (JSON.stringify(now) !== JSON.stringify(this.$unsent.get())) this.$unsent.set(now);
    this.#hold(entries);
  }

  /** The page counts as unsaved while something is on its way. What it can't send stays stored. */
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
