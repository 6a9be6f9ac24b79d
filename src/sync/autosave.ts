/**
 * Saves fields or whole documents as you type: each change is stored in this browser at once, sent
 * when you pause, and never overwrites what someone else wrote in the meantime.
 *
 * Each change carries its base, which is what the page knew of the field. If the database holds
 * something newer, it rejects the change; then we show both versions and the person chooses.
 */
import { type MapStore, map, type ReadableAtom } from 'nanostores';
import type { SaveStatus } from '#lib/save-status.ts';
import type { Kind } from './kind.ts';
import type { Sync, UnsentOf } from './sync.ts';

/** How safe a field is. */
export type FieldStatus<Stored> =
  | SaveStatus
  /** Someone else changed the field to `theirs`: nothing is sent until the person chooses. */
  | { name: 'conflict'; theirs: Stored }
  /** Someone else changed it while this page was open, and we had no change of our own. */
  | { name: 'updated'; theirs: Stored };

export interface FieldState<Value, Stored> {
  value: Value;
  /** Null until the field is changed. */
  status: FieldStatus<Stored> | null;
}

export type Choice = 'mine' | 'theirs' | 'both';

/** The value of a queue entry for a field. */
export interface Change<Value, Base> {
  value: Value;
  base: Base;
}

export interface AutosaveOptions<Field extends string, Value, Stored, Base, Answer> {
  kind: Kind<Change<Value, Base>, Answer>;
  keyOf(field: Field): string;
  initial: Record<Field, Stored>;
  /** Converts a stored field to the displayed value. */
  shownOf(stored: Stored): Value;
  /** Normalizes typed input as the database does, for example by trimming it. */
  normalize(field: Field, value: Value): Value;
  /** The base when someone starts typing. */
  baseOf(stored: Stored): Base;
  /** The base after this page may have sent a (normalized) value. */
  extend(base: Base, value: Value): Base;
  /** Whether the database holds something that the base doesn't include. */
  isStale(base: Base, stored: Stored): boolean;
  /** The stored state after a value was saved. */
  afterSaving(before: Stored, value: Value, answer: Answer | undefined): Stored;
  /** Whether a response contains the full stored state, so that the field's base can be dropped. */
  isAnswerComplete?: boolean;
  /** Combines their version and ours. */
  merge(theirs: Value, mine: Value): Value;
  /** Fetches the fields from the database. Leave it out if nobody else can change them. */
  read?(): Promise<Record<Field, Stored>>;
  /** Returns the page's write pipeline, always the same one. Called only in a browser. */
  openSync(): Sync;
}

/** Milliseconds between checks for other people's changes, while the page is visible. */
const LOOK_AGAIN = 20_000;

/** Why a conflicting change is held back until the person decides. */
const UNDECIDED = 'Someone else changed this in the meantime.';

export class Autosave<Field extends string, Value, Stored, Base, Answer = void> {
  readonly #options: AutosaveOptions<Field, Value, Stored, Base, Answer>;
  readonly #fields: readonly Field[];
  readonly #$states: MapStore<Record<Field, FieldState<Value, Stored>>>;
  readonly #stored: Record<Field, Stored>;
  /** Bases of the fields that this page has sent. */
  readonly #bases = new Map<Field, Base>();
  readonly #conflicts = new Map<Field, Stored>();
  /** Fields changed here since the last read from the database, whose result may predate them. */
  #touched = new Set<Field>();
  /** The unsent entries as of the last queue update. */
  #unsent = new Map<Field, UnsentOf<Change<Value, Base>>>();
  #flushedAt = Number.NEGATIVE_INFINITY;
  #reading = false;
  #readAgain = false;

  constructor(options: AutosaveOptions<Field, Value, Stored, Base, Answer>) {
    this.#options = options;
    this.#stored = { ...options.initial };
    this.#fields = Object.keys(options.initial) as Field[];
    const states = this.#fields.map((field) => [
      field,
      { value: options.shownOf(options.initial[field]), status: null },
    ]);
    this.#$states = map(Object.fromEntries(states) as Record<Field, FieldState<Value, Stored>>);
  }

  get $fields(): ReadableAtom<Record<Field, FieldState<Value, Stored>>> {
    return this.#$states;
  }

  /** Follows changes in this browser and by other people. Returns the cleanup. */
  open(): () => void {
    const sync = this.#sync;
    let cancelLook = () => {};
    const look = () => {
      cancelLook = sync.environment.setTimeout(look, LOOK_AGAIN);
      if (typeof document === 'undefined' || document.visibilityState === 'visible') {
        void this.#reread();
      }
    };
    cancelLook = sync.environment.setTimeout(look, LOOK_AGAIN);
    const stops = [
      sync.onStored(this.#options.kind, (entry, sent) => this.#arrived(entry, sent)),
      sync.$unsent.subscribe(() => this.#follow()),
      sync.environment.onWake((reason) => {
        if (reason !== 'storage') void this.#reread();
      }),
      () => cancelLook(),
    ];
    for (const field of this.#fields) this.#settle(field, this.#stored[field]);
    return () => {
      for (const stop of stops) stop();
      sync.flushAll();
    };
  }

  /** Stores a field's value and sends it when the typing pauses. */
  type(field: Field, value: Value): void {
    const entry = this.#unsent.get(field);
    const isTried = entry !== undefined && this.#mayHaveArrived(entry);
    const known = entry?.value.base ?? this.#bases.get(field);
    this.#touched.add(field);
    if (!this.#conflicts.has(field) && !isTried && !this.#bases.has(field)) {
      if (this.#isStored(field, value, this.#stored[field])) {
        // Back to the stored value, and nothing has been sent, so there's nothing to save.
        this.#unsent.delete(field);
        this.#show(field, { value, status: { name: 'saved' } });
        this.#sync.discard(this.#options.kind, this.#options.keyOf(field));
        return;
      }
    }
    const base = known ?? this.#options.baseOf(this.#stored[field]);
    this.#write(field, value, isTried ? this.#extended(field, entry.value) : base);
  }

  /** Sends everything unsent now, without waiting for a pause. */
  flush(): void {
    this.#flushedAt = this.#sync.environment.now();
    this.#sync.flushAll();
  }

  /** Resolves when every field is saved, or when we know why it isn't. */
  answered(): Promise<void> {
    return answered(this.#$states, this.#sync, (states) =>
      this.#fields.map((field) => states[field].status?.name),
    );
  }

  /** Resolves a conflict. `both` puts their version before ours. */
  choose(field: Field, which: Choice): void {
    const theirs = this.#conflicts.get(field);
    if (!theirs) return;
    const mine = this.#$states.get()[field].value;
    const value = this.#options.shownOf(theirs);
    this.#conflicts.delete(field);
    this.#take(field, theirs);
    if (which === 'theirs') {
      this.#unsent.delete(field);
      this.#show(field, { value, status: { name: 'saved' } });
      this.#sync.discard(this.#options.kind, this.#options.keyOf(field));
      return;
    }
    const chosen = which === 'both' ? this.#options.merge(value, mine) : mine;
    this.#touched.add(field);
    this.#write(field, chosen, this.#options.baseOf(theirs));
    this.flush();
  }

  /** Applies a value that was just read from the database. */
  renew(field: Field, theirs: Stored): void {
    this.#take(field, theirs);
    if (this.#isStored(field, this.#$states.get()[field].value, theirs)) return;
    const value = this.#options.shownOf(theirs);
    this.#show(field, { value, status: { name: 'updated', theirs } });
  }

  /** A change made before `open` is stored as well. */
  get #sync(): Sync {
    return this.#options.openSync();
  }

  #write(field: Field, value: Value, base: Base): void {
    const { kind, keyOf } = this.#options;
    const theirs = this.#conflicts.get(field);
    this.#show(field, {
      value,
      status: theirs ? { name: 'conflict', theirs } : { name: 'saving' },
    });
    this.#sync.write(kind, keyOf(field), { value, base }, theirs ? UNDECIDED : undefined);
  }

  /** Whether the typed value is the same as the stored one. */
  #isStored(field: Field, value: Value, stored: Stored): boolean {
    const { normalize, shownOf } = this.#options;
    return JSON.stringify(normalize(field, value)) === JSON.stringify(shownOf(stored));
  }

  /** Whether an entry is old enough that it may have been sent. */
  #mayHaveArrived({ at }: UnsentOf<unknown>): boolean {
    const now = this.#sync.environment.now();
    return at <= this.#flushedAt || now - at >= (this.#options.kind.rest ?? 0);
  }

  #extended(field: Field, { value, base }: Change<Value, Base>): Base {
    const { extend, normalize } = this.#options;
    return extend(base, normalize(field, value));
  }

  #take(field: Field, stored: Stored): void {
    this.#stored[field] = stored;
    this.#bases.delete(field);
  }

  #show(field: Field, next: FieldState<Value, Stored>): void {
    if (JSON.stringify(next) === JSON.stringify(this.#$states.get()[field])) return;
    this.#$states.set({ ...this.#$states.get(), [field]: next });
  }

  #arrived(
    { key, value: change }: UnsentOf<Change<Value, Base>>,
    sent: { answer: Answer } | null,
  ): void {
    const { keyOf, normalize, afterSaving, isAnswerComplete } = this.#options;
    const field = this.#fields.find((each) => keyOf(each) === key);
    if (field === undefined) return;
    const value = normalize(field, change.value);
    this.#stored[field] = afterSaving(this.#stored[field], value, sent?.answer);
    if (isAnswerComplete && sent) this.#bases.delete(field);
    else this.#bases.set(field, this.#extended(field, change));
    this.#unsent.delete(field);
    this.#show(field, { value: this.#$states.get()[field].value, status: { name: 'saved' } });
    // Another tab sent it, so its stored state is new to this page: read it again.
    if (!sent) void this.#reread();
  }

  /** Applies unsent changes, whichever tab they were typed in. */
  #follow(): void {
    const { kind, keyOf } = this.#options;
    const before = this.#unsent;
    const entries = new Map(this.#sync.unsentOf(kind).map((entry) => [entry.key, entry]));
    this.#unsent = new Map();
    let isNews = false;
    for (const field of this.#fields) {
      const entry = entries.get(keyOf(field));
      const { status } = this.#$states.get()[field];
      if (entry) {
        this.#unsent.set(field, entry);
        isNews ||= entry.refused !== undefined && before.get(field)?.refused === undefined;
        if (!this.#conflicts.has(field)) {
          this.#show(field, { value: entry.value.value, status: entry.status });
        }
      } else if (before.has(field)) {
        // This page neither sent nor discarded it, so another tab discarded it.
        this.#conflicts.delete(field);
        this.#touched.delete(field);
        if (status) this.#show(field, { value: this.#$states.get()[field].value, status: null });
        isNews = true;
      }
    }
    if (isNews) void this.#reread();
  }

  /** Turns a change that was rejected because someone else was first into a conflict. */
  #settle(field: Field, theirs: Stored): void {
    const { kind, keyOf, isStale } = this.#options;
    const entry = this.#unsent.get(field);
    if (entry?.refused === undefined) return;
    const { value, base } = entry.value;
    if (this.#isStored(field, value, theirs)) {
      this.#take(field, theirs);
      this.#unsent.delete(field);
      this.#show(field, { value, status: { name: 'saved' } });
      this.#sync.discard(kind, keyOf(field));
    } else if (isStale(base, theirs)) {
      this.#conflicts.set(field, theirs);
      this.#show(field, { value, status: { name: 'conflict', theirs } });
    }
  }

  #absorb(now: Record<Field, Stored>): void {
    for (const field of this.#fields) {
      const theirs = now[field];
      if (this.#conflicts.has(field)) {
        this.#conflicts.set(field, theirs);
        const { value } = this.#$states.get()[field];
        this.#show(field, { value, status: { name: 'conflict', theirs } });
      } else if (this.#unsent.has(field)) this.#settle(field, theirs);
      else if (!this.#touched.has(field)) this.renew(field, theirs);
    }
  }

  async #reread(): Promise<void> {
    const { read } = this.#options;
    if (!read) return;
    if (this.#reading) {
      this.#readAgain = true;
      return;
    }
    this.#reading = true;
    this.#touched = new Set(this.#unsent.keys());
    try {
      this.#absorb(await read());
    } catch {
      // The next check retries. What we show isn't wrong, only older.
    } finally {
      this.#reading = false;
    }
    if (!this.#readAgain) return;
    this.#readAgain = false;
    await this.#reread();
  }
}

/** Milliseconds that someone who clicks Save waits for one more attempt after a failed one. */
const NEXT_TRY = 3000;

/**
 * Resolves when every change sent has a response, or is waiting for the connection. If it's waiting
 * already, allow time for one more attempt, since that's why the person clicked Save.
 */
export function answered<State>(
  $state: ReadableAtom<State>,
  sync: Sync,
  namesOf: (state: State) => (FieldStatus<unknown>['name'] | undefined)[],
): Promise<void> {
  const phaseOf = (state: State) => {
    const names = namesOf(state);
    if (names.includes('saving')) return 'sending';
    return names.includes('offline') ? 'waits' : 'known';
  };
  const { promise, resolve } = Promise.withResolvers<void>();
  const didWait = phaseOf($state.get()) === 'waits';
  const stops: (() => void)[] = [];
  if (didWait) stops.push(sync.environment.setTimeout(resolve, NEXT_TRY));
  stops.push(
    $state.subscribe((state) => {
      const phase = phaseOf(state as State);
      if (phase === 'known' || (phase === 'waits' && !didWait)) resolve();
    }),
  );
  return promise.finally(() => {
    for (const stop of stops) stop();
  });
}
