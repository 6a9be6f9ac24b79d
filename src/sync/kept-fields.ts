/**
 * Fields that are saved as one types: each change is kept in this browser at once, sent in its own
 * time, and never overwrites what somebody else wrote meanwhile.
 *
 * A change goes through the outbox with what its page knew to stand there. Where the database knows
 * something newer it refuses; then both versions are shown and a person chooses.
 */
import { map, type ReadableAtom } from 'nanostores';
import { holdUnsaved } from '#lib/unsaved.ts';
import type { Outbox } from './outbox.ts';
import { browserEnvironment, type OutboxEnvironment } from './outbox-environment.ts';
import type { OutboxEntry } from './outbox-shelf.ts';

/** How safe a field is. One without a mark was not touched. */
export type FieldMark<Stored> =
  | { name: 'saving' }
  | { name: 'saved' }
  /** Kept in this browser and sent by itself when the connection is back. */
  | { name: 'not-sent' }
  /** The browser keeps nothing: it lives as long as this tab. */
  | { name: 'this-tab' }
  /** Kept in this browser until the person signs in again. */
  | { name: 'signed-out' }
  | { name: 'refused'; sentence: string }
  /** Somebody else wrote `theirs` meanwhile: nothing is sent until one is chosen. */
  | { name: 'conflict'; theirs: Stored }
  /** Somebody else wrote it while this page was open, and nothing of ours was there. */
  | { name: 'renewed'; theirs: Stored };

export interface KeptField<Stored> {
  value: string;
  mark: FieldMark<Stored> | null;
}

/** What stands in a field in the database. */
interface StoredValue {
  value: string;
}

export interface KeptOptions<Field extends string, Stored extends StoredValue, Base> {
  /** The kind of the outbox's entries. */
  kind: string;
  /** What the fields belong to; an entry's key is `<scope>/<field>`. */
  scope: string;
  initial: Record<Field, Stored>;
  /** What was typed, as the database writes it down: without the spaces around it, for example. */
  asStored(field: Field, value: string): string;
  /** What one knows of a field when one begins to type. */
  baseOf(stored: Stored): Base;
  /** The same after this page has sent a value, which is given as it is stored. */
  extend(base: Base, value: string): Base;
  /** Whether something stands there that the base does not know. */
  isStale(base: Base, stored: Stored): boolean;
  /** Asks the database how the fields stand now. */
  read(): Promise<Record<Field, Stored>>;
  openOutbox(environment: OutboxEnvironment): Outbox;
  /** The session is over: the page asks for the password. */
  signedOut(): void;
  environment?: () => OutboxEnvironment;
}

/** Milliseconds without a key before what was typed is sent. */
const PAUSE = 600;
/** Milliseconds between two looks at what others wrote, while the page is shown. */
const LOOK_AGAIN = 20_000;

export interface KeptFields<Field extends string, Stored> {
  $fields: ReadableAtom<Record<Field, KeptField<Stored>>>;
  type(field: Field, value: string): void;
  /** Sends what was typed now, and what waits. */
  flush(): void;
  /** Resolves when every field is saved, or when it is known why not. */
  answered(): Promise<void>;
  /** Ends a conflict. `both` puts theirs before ours. */
  choose(field: Field, which: 'mine' | 'theirs' | 'both'): void;
  /** Puts in what the database was just heard to hold. */
  renew(field: Field, stored: Stored): void;
  /** Reads what this browser holds and follows it; called once, in a browser. Gives the end of it. */
  open(): () => void;
}

export function createKeptFields<Field extends string, Stored extends StoredValue, Base>(
  options: KeptOptions<Field, Stored, Base>,
): KeptFields<Field, Stored> {
  const { kind, scope, initial, asStored, baseOf, extend, isStale } = options;
  const names = Object.keys(initial) as Field[];
  const stored = new Map(names.map((name) => [name, initial[name]]));
  const bases = new Map<Field, Base>();
  /** Typed and not in the outbox yet. */
  const typing = new Map<Field, () => void>();
  /** In the outbox when it was last looked at. */
  const sent = new Set<Field>();
  const fragile = new Set<Field>();
  const conflicts = new Map<Field, Stored>();
  /** Changed here since the database was last asked: its answer may not know it. */
  let touched = new Set<Field>();
  let reading = false;
  let readAgain = false;
  let outbox: Outbox | null = null;
  let env: OutboxEnvironment | null = null;
  let release: (() => void) | null = null;
  const $fields = map<Record<Field, KeptField<Stored>>>(
    Object.fromEntries(
      names.map((name) => [name, { value: initial[name].value, mark: null }]),
    ) as Record<Field, KeptField<Stored>>,
  );

  const at = (field: Field): KeptField<Stored> => $fields.get()[field];
  const storedAt = (field: Field): Stored => stored.get(field) ?? initial[field];
  /** Whether what stands here is what stands there. */
  const isAt = (field: Field, value: string, { value: there }: StoredValue) =>
    asStored(field, value) === there;
  const show = (field: Field, next: Partial<KeptField<Stored>>) => {
    const now = at(field);
    const { value = now.value, mark = now.mark } = next;
    if (value === now.value && JSON.stringify(mark) === JSON.stringify(now.mark)) return;
    $fields.set({ ...$fields.get(), [field]: { value, mark } });
  };

  function entries(): Map<Field, OutboxEntry & { body: { value: string; base: Base } }> {
    const own = (outbox?.$entries.get() ?? []).filter(
      (entry) => entry.kind === kind && entry.key.startsWith(`${scope}/`),
    );
    return new Map(
      own.map((entry) => [entry.key.slice(scope.length + 1) as Field, entry as never]),
    );
  }

  function put(field: Field) {
    typing.get(field)?.();
    typing.delete(field);
    const { value } = at(field);
    const base = bases.get(field) ?? baseOf(storedAt(field));
    if (!bases.has(field) && isAt(field, value, storedAt(field))) {
      show(field, { mark: { name: 'saved' } });
    } else {
      bases.set(field, extend(base, asStored(field, value)));
      touched.add(field);
      sent.add(field);
      if (outbox?.put(kind, `${scope}/${field}`, { value, base }) === 'this-tab')
        fragile.add(field);
      else fragile.delete(field);
    }
    hold();
    remark();
  }

  /** The page counts as unsaved while something is typed and not in the outbox. */
  function hold() {
    if (typing.size > 0) release ??= holdUnsaved();
    else {
      release?.();
      release = null;
    }
  }

  function remark() {
    const waiting = entries();
    const state = outbox?.$state.get().name;
    for (const field of names) {
      if (typing.has(field) || conflicts.has(field)) continue;
      const entry = waiting.get(field);
      if (!entry) {
        if (sent.delete(field)) {
          stored.set(field, { ...storedAt(field), value: asStored(field, at(field).value) });
          show(field, { mark: { name: 'saved' } });
          // Sent by another tab: from here it is somebody else's, and this page must know of it.
          if (!bases.has(field)) void reread();
        }
        continue;
      }
      const news = entry.refused !== undefined && at(field).mark?.name !== 'refused';
      show(field, { value: entry.body.value, mark: markOf(field, entry.refused, state) });
      sent.add(field);
      if (news) void reread();
    }
    if (state === 'signed-out' && waiting.size > 0) options.signedOut();
  }

  function markOf(
    field: Field,
    refused: string | undefined,
    state: string | undefined,
  ): FieldMark<Stored> {
    if (refused !== undefined) return { name: 'refused', sentence: refused };
    if (state === 'signed-out') return { name: 'signed-out' };
    if (state !== 'waiting') return { name: 'saving' };
    return { name: fragile.has(field) ? 'this-tab' : 'not-sent' };
  }

  /** What was refused because somebody else was there first becomes a choice. */
  function settle(field: Field, theirs: Stored) {
    const entry = entries().get(field);
    if (entry?.refused === undefined) return;
    if (isAt(field, entry.body.value, theirs)) {
      outbox?.drop(kind, entry.key);
      stored.set(field, theirs);
    } else if (isStale(entry.body.base, theirs)) {
      conflicts.set(field, theirs);
      show(field, { value: entry.body.value, mark: { name: 'conflict', theirs } });
    }
  }

  function absorb(fields: Record<Field, Stored>) {
    for (const field of names) {
      const theirs = fields[field];
      if (conflicts.has(field)) {
        conflicts.set(field, theirs);
        show(field, { mark: { name: 'conflict', theirs } });
      } else if (entries().has(field)) settle(field, theirs);
      else if (!typing.has(field) && !touched.has(field)) renew(field, theirs);
    }
    remark();
  }

  function renew(field: Field, theirs: Stored) {
    stored.set(field, theirs);
    bases.delete(field);
    if (!isAt(field, at(field).value, theirs))
      show(field, { value: theirs.value, mark: { name: 'renewed', theirs } });
  }

  async function reread(): Promise<void> {
    if (reading) {
      readAgain = true;
      return;
    }
    reading = true;
    touched = new Set([...typing.keys(), ...entries().keys()]);
    try {
      absorb(await options.read());
    } catch {
      // Read again when the page is next shown; what stands here is not wrong, only older.
    } finally {
      reading = false;
    }
    if (!readAgain) return;
    readAgain = false;
    await reread();
  }

  function type(field: Field, value: string) {
    if (conflicts.has(field)) return;
    typing.get(field)?.();
    show(field, { value, mark: { name: 'saving' } });
    typing.set(field, env?.setTimeout(() => put(field), PAUSE) ?? (() => {}));
    hold();
  }

  function flush() {
    for (const field of [...typing.keys()]) put(field);
    outbox?.flush();
  }

  function choose(field: Field, which: 'mine' | 'theirs' | 'both') {
    const theirs = conflicts.get(field);
    if (!theirs) return;
    const mine = at(field).value;
    // The entry goes first, while the field counts as undecided: gone does not mean saved here.
    sent.delete(field);
    outbox?.drop(kind, `${scope}/${field}`);
    conflicts.delete(field);
    stored.set(field, theirs);
    bases.delete(field);
    if (which === 'theirs') {
      show(field, { value: theirs.value, mark: { name: 'saved' } });
      return;
    }
    show(field, {
      value: which === 'both' ? `${theirs.value}\n${mine}` : mine,
      mark: { name: 'saving' },
    });
    put(field);
  }

  function open(): () => void {
    env = (options.environment ?? browserEnvironment)();
    outbox = options.openOutbox(env);
    for (const [field, entry] of entries()) {
      if (!names.includes(field)) continue;
      bases.set(field, extend(entry.body.base, asStored(field, entry.body.value)));
    }
    let cancelLook = () => {};
    const look = () => {
      cancelLook = env?.setTimeout(look, LOOK_AGAIN) ?? (() => {});
      if (typeof document === 'undefined' || document.visibilityState === 'visible') void reread();
    };
    cancelLook = env.setTimeout(look, LOOK_AGAIN);
    const stops = [
      outbox.$entries.subscribe(remark),
      outbox.$state.subscribe(remark),
      env.onWake((reason) => {
        if (reason === 'storage') remark();
        else void reread();
      }),
      () => cancelLook(),
    ];
    for (const field of names) settle(field, storedAt(field));
    return () => {
      for (const field of [...typing.keys()]) put(field);
      for (const stop of stops) stop();
      outbox?.close();
    };
  }

  return {
    $fields,
    type,
    flush,
    answered: () =>
      answer(
        $fields,
        (fields) => {
          const marks = names.map((name) => fields[name].mark?.name);
          if (marks.includes('saving')) return 'sending';
          return marks.includes('not-sent') ? 'waits' : 'known';
        },
        env,
      ),
    choose,
    renew,
    open,
  };
}

/** Milliseconds that somebody who presses Save waits for a try after one that failed. */
const NEXT_TRY = 3000;

/**
 * Resolves when what was sent has an answer, or when it is known that it waits for the connection.
 * Where it waits already, one more try has its time: that is what Save was pressed for.
 */
export function answer<Value>(
  $store: ReadableAtom<Value>,
  read: (value: Value) => 'sending' | 'waits' | 'known',
  env: OutboxEnvironment | null,
): Promise<void> {
  const waited = read($store.get()) === 'waits';
  return new Promise((resolve) => {
    const stops: (() => void)[] = [];
    const done = () => {
      for (const stop of stops) stop();
      resolve();
    };
    const look = (value: Value) => {
      const now = read(value);
      if (now === 'known' || (now === 'waits' && !waited)) done();
    };
    if (waited && env) stops.push(env.setTimeout(done, NEXT_TRY));
    stops.push($store.listen(look));
    look($store.get());
  });
}
