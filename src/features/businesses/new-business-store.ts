/**
 * A business that somebody is about to add: made as soon as it has a name, and changed as one goes
 * on typing. What is not sent yet stays in this browser, under the id that the business will have.
 */
import { atom, map, type ReadableAtom } from 'nanostores';
import { newId } from '#lib/new-id.ts';
import { type FactField, type NewBusiness, newBusiness } from '#lib/schemas.ts';
import { holdUnsaved } from '#lib/unsaved.ts';
import { type BegunBusiness, openOutbox, pageDeps } from '#stores/outbox.ts';
import { answer } from '#sync/kept-fields.ts';
import type { Outbox } from '#sync/outbox.ts';
import { browserEnvironment, type OutboxEnvironment } from '#sync/outbox-environment.ts';

export type NewBusinessState =
  /** Nothing typed, or no name yet: it lives in this page. */
  | { name: 'blank' }
  | { name: 'saving' }
  | { name: 'saved' }
  /** Sent by itself when the connection is back; `kept` in this browser, or in this tab only. */
  | { name: 'not-sent'; kept: boolean }
  | { name: 'signed-out' }
  | { name: 'refused'; sentence: string };

interface NewBusinessDeps {
  openOutbox(environment: OutboxEnvironment): Outbox;
  /** It is there for the first time: from now on its own page is the place to go on. */
  made(id: string): void;
  signedOut(): void;
  environment?: () => OutboxEnvironment;
}

export interface NewBusinessStore {
  $input: ReadableAtom<NewBusiness>;
  $state: ReadableAtom<NewBusinessState>;
  /** What does not fit, by field. */
  problems(): Partial<Record<keyof NewBusiness, string>>;
  type(field: keyof NewBusiness, value: string): void;
  flush(): void;
  /** Resolves when what was typed is saved, or when it is known why not. */
  answered(): Promise<void>;
  id(): string;
  open(): () => void;
}

const KIND = 'business';
/** Milliseconds without a key before what was typed is sent. */
const PAUSE = 800;
const EMPTY: NewBusiness = { name: '', trading: '', postalCode: '', helpWanted: '' };
/** The names of the same fields in the database. */
const FACTS: Record<keyof NewBusiness, FactField> = {
  name: 'name',
  trading: 'trading',
  postalCode: 'postal_code',
  helpWanted: 'help_wanted',
};

export const pageOutbox = (owner: string) => (environment: OutboxEnvironment) =>
  openOutbox(owner, pageDeps, environment);

export function createNewBusinessStore(
  deps: NewBusinessDeps,
  makeId: () => string = newId,
): NewBusinessStore {
  const $input = map<NewBusiness>({ ...EMPTY });
  const $state = atom<NewBusinessState>({ name: 'blank' });
  let id = makeId();
  let made = false;
  let outbox: Outbox | null = null;
  let env: OutboxEnvironment | null = null;
  let cancel: (() => void) | null = null;
  let release: (() => void) | null = null;
  /** The last input that went into the outbox, and every value of each field before it. */
  let put: NewBusiness | null = null;
  let kept = true;
  const earlier: Partial<Record<FactField, string[]>> = {};

  const mine = () =>
    outbox?.$entries.get().find((entry) => entry.kind === KIND && entry.key === id);

  function problems() {
    const read = newBusiness.safeParse($input.get());
    const found: Partial<Record<keyof NewBusiness, string>> = {};
    for (const issue of read.error?.issues ?? []) {
      found[issue.path[0] as keyof NewBusiness] ??= issue.message;
    }
    return found;
  }

  function send() {
    cancel?.();
    cancel = null;
    const input = $input.get();
    // Without a name there is nothing to make; what does not fit is said beside its field.
    if (Object.keys(problems()).length > 0 || JSON.stringify(input) === JSON.stringify(put)) return;
    for (const field of Object.keys(FACTS) as (keyof NewBusiness)[]) {
      const before = put?.[field];
      if (before === undefined || before === input[field]) continue;
      const name = FACTS[field];
      earlier[name] = [...new Set([...(earlier[name] ?? []), before.trim()])];
    }
    put = { ...input };
    kept = outbox?.put(KIND, id, { id, input, earlier } satisfies BegunBusiness) !== 'this-tab';
    look();
  }

  function look() {
    const entry = mine();
    const waits = outbox?.$state.get().name;
    if (entry?.refused !== undefined) $state.set({ name: 'refused', sentence: entry.refused });
    else if (entry && waits === 'signed-out') {
      $state.set({ name: 'signed-out' });
      deps.signedOut();
    } else if (entry && waits === 'waiting') $state.set({ name: 'not-sent', kept });
    else if (entry || cancel) $state.set({ name: 'saving' });
    else if (put) {
      $state.set({ name: 'saved' });
      if (!made) {
        made = true;
        deps.made(id);
      }
    }
    const unsaved =
      cancel !== null || (!made && JSON.stringify($input.get()) !== JSON.stringify(EMPTY));
    if (unsaved) release ??= holdUnsaved();
    else {
      release?.();
      release = null;
    }
  }

  return {
    $input,
    $state,
    problems,
    id: () => id,
    type(field, value) {
      $input.setKey(field, value as never);
      cancel?.();
      cancel = env?.setTimeout(send, PAUSE) ?? null;
      look();
    },
    flush() {
      send();
      outbox?.flush();
    },
    answered: () =>
      answer(
        $state,
        ({ name }) => (name === 'not-sent' ? 'waits' : name === 'saving' ? 'sending' : 'known'),
        env,
      ),
    open() {
      env = (deps.environment ?? browserEnvironment)();
      outbox = deps.openOutbox(env);
      const left = outbox.$entries.get().findLast(({ kind }) => kind === KIND);
      if (left) {
        const begun = left.body as BegunBusiness;
        id = begun.id;
        put = { ...begun.input };
        Object.assign(earlier, begun.earlier);
        $input.set({ ...begun.input });
      }
      const stops = [outbox.$entries.subscribe(look), outbox.$state.subscribe(look)];
      return () => {
        send();
        for (const stop of stops) stop();
        release?.();
        outbox?.close();
      };
    },
  };
}
