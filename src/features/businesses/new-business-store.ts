/**
 * A business that somebody is about to add: made as soon as it has a name, and changed as they go on
 * typing. What is not sent yet stays in this browser, under the id that the business will have.
 */

import { atom, computed, type ReadableAtom } from 'nanostores';
import * as v from 'valibot';
import { newId } from '#lib/new-id.ts';
import { type NewBusiness, newBusiness, problemsOf } from '#lib/schemas.ts';
import { holdUnsaved } from '#lib/unsaved.ts';
import { Autosave, type FieldStatus } from '#sync/autosave.ts';
import { businessKind, type EarlierInput } from '#sync/kinds/business.ts';
import type { Sync } from '#sync/sync.ts';

interface NewBusinessDeps {
  /** Called once, in a browser. */
  openSync(): Sync;
  /** It is there for the first time: from now on its own page is the place to go on. */
  onCreated(id: string): void;
}

export interface NewBusinessStore {
  $input: ReadableAtom<NewBusiness>;
  /** Null while nothing is written: without a name it lives in this page. */
  $status: ReadableAtom<FieldStatus<NewBusiness> | null>;
  /** What does not fit, by field. */
  problems(): Partial<Record<keyof NewBusiness, string>>;
  type(field: keyof NewBusiness, value: string): void;
  flush(): void;
  /** Resolves when what was typed is saved, or when it is known why not. */
  answered(): Promise<void>;
  id(): string;
  open(): () => void;
}

const EMPTY: NewBusiness = { name: '', trading: '', postalCode: '', helpWanted: '' };

/** What may have been sent of each field, under its name in the database. */
const extended = (base: EarlierInput, input: NewBusiness): EarlierInput => ({
  name: withValue(base.name, input.name),
  trading: withValue(base.trading, input.trading),
  postal_code: withValue(base.postal_code, input.postalCode),
  help_wanted: withValue(base.help_wanted, input.helpWanted),
});

const withValue = (values: readonly string[] = [], value: string) => [
  ...new Set([...values, value.trim()]),
];

export function createNewBusinessStore(
  deps: NewBusinessDeps,
  makeId: () => string = newId,
): NewBusinessStore {
  const $input = atom(EMPTY);
  let id = makeId();
  const autosave = new Autosave<'business', NewBusiness, NewBusiness, EarlierInput>({
    kind: businessKind,
    keyOf: () => id,
    initial: { business: EMPTY },
    shownOf: (stored) => stored,
    normalize: (_field, value) => value,
    baseOf: () => ({}),
    extend: extended,
    isStale: () => false,
    afterSaving: (_before, value) => value,
    merge: (_theirs, mine) => mine,
    openSync: deps.openSync,
  });
  const $status = computed(autosave.$fields, ({ business }) => business.status);
  let isCreated = false;
  let release: (() => void) | null = null;

  function problems() {
    const read = v.safeParse(newBusiness, $input.get());
    return read.success ? {} : problemsOf(read.issues);
  }

  /** What doesn't fit is in this page alone. */
  function hold(isHeld: boolean) {
    if (isHeld) release ??= holdUnsaved();
    else {
      release?.();
      release = null;
    }
  }

  function follow(status: FieldStatus<NewBusiness> | null) {
    if (status?.name !== 'saved' || isCreated) return;
    isCreated = true;
    deps.onCreated(id);
  }

  return {
    $input,
    $status,
    problems,
    id: () => id,
    type(field, value) {
      const input = newInput($input.get(), field, value);
      $input.set(input);
      // Without a name there is nothing to make; what does not fit is said beside its field.
      const fits = Object.keys(problems()).length === 0;
      hold(!fits);
      if (fits) autosave.type('business', input);
    },
    flush: () => autosave.flush(),
    answered: () => autosave.answered(),
    open() {
      const left = deps.openSync().unsentOf(businessKind).at(-1);
      if (left) {
        id = left.key;
        $input.set(left.value.value);
      }
      const stops = [autosave.open(), $status.subscribe(follow), () => hold(false)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** What was typed, with one field changed. */
function newInput(input: NewBusiness, field: keyof NewBusiness, value: string): NewBusiness {
  if (field !== 'trading') return { ...input, [field]: value };
  return { ...input, trading: value === 'trading' || value === 'not-yet' ? value : '' };
}
