import { atom, computed } from 'nanostores';
import * as v from 'valibot';
import { holdUnsaved } from '#lib/browser/unsaved.ts';
import { newId } from '#lib/new-id.ts';
import { type NewBusiness, newBusiness } from '#lib/schemas/account.ts';
import { problemsOf } from '#lib/schemas/fields.ts';
import { Autosave } from '#sync/autosave.ts';
import { businessKind, type EarlierInput } from '#sync/kinds/business.ts';
import type { Sync } from '#sync/sync.ts';

interface NewBusinessDeps {
  /** Returns the page's write pipeline, always the same one. Called only in a browser. */
  openSync(): Sync;
  /** Called once, when the business has been created and has its own page. */
  onCreated(id: string): void;
}

const EMPTY: NewBusiness = {
  name: '',
  trading: '',
  postalCode: '',
  helpWanted: '',
  industry: '',
  stage: '',
};

/** Adds the input to the values that may have been sent, by the fields' database names. */
const extended = (base: EarlierInput, input: NewBusiness): EarlierInput => ({
  name: withValue(base.name, input.name),
  trading: withValue(base.trading, input.trading),
  postal_code: withValue(base.postal_code, input.postalCode),
  help_wanted: withValue(base.help_wanted, input.helpWanted),
  industry: withValue(base.industry, input.industry),
  stage: withValue(base.stage, input.stage),
});

const withValue = (values: readonly string[] = [], value: string) => [
  ...new Set([...values, value.trim()]),
];

const autosaveOf = (keyOf: () => string, openSync: () => Sync) =>
  new Autosave<'business', NewBusiness, NewBusiness, EarlierInput>({
    kind: businessKind,
    keyOf,
    initial: { business: EMPTY },
    shownOf: (stored) => stored,
    normalize: (_field, value) => value,
    baseOf: () => ({}),
    extend: extended,
    isStale: () => false,
    afterSaving: (_before, value) => value,
    merge: (_theirs, mine) => mine,
    openSync,
  });

/**
 * A business that the user is adding: created once it has a name, and updated as they keep typing.
 * Unsent changes stay in this browser, under the id that the business will have.
 */
export function createNewBusinessStore(deps: NewBusinessDeps) {
  const $input = atom(EMPTY);
  let id = newId();
  let isCreated = false;
  let release = () => {};
  const autosave = autosaveOf(() => id, deps.openSync);
  const $status = computed(autosave.$fields, ({ business }) => business.status);

  /** Validation errors, by field. */
  function problems(): Partial<Record<keyof NewBusiness, string>> {
    const read = v.safeParse(newBusiness, $input.get());
    return read.success ? {} : problemsOf(read.issues);
  }

  return {
    $input,
    /** Null until there's something to save: without a name, input exists only on this page. */
    $status,
    problems,
    id: () => id,
    type(field: keyof NewBusiness, value: string) {
      const input = newInput($input.get(), field, value);
      $input.set(input);
      const fits = Object.keys(problems()).length === 0;
      const releaseBefore = release;
      // Invalid input exists only on this page.
      release = fits ? () => {} : holdUnsaved();
      releaseBefore();
      if (fits) autosave.type('business', input);
    },
    flush: () => autosave.flush(),
    /** Resolves when the input is saved, or when it's known why it isn't. */
    answered: () => autosave.answered(),
    open() {
      const left = deps.openSync().unsentOf(businessKind).at(-1);
      if (left) {
        id = left.key;
        $input.set(left.value.value);
      }
      const follow = $status.subscribe((status) => {
        if (status?.name !== 'saved' || isCreated) return;
        isCreated = true;
        deps.onCreated(id);
      });
      const stops = [autosave.open(), follow, () => release()];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** Copies the input with one field changed. */
function newInput(input: NewBusiness, field: keyof NewBusiness, value: string): NewBusiness {
  if (field !== 'trading') return { ...input, [field]: value };
  return { ...input, trading: value === 'trading' || value === 'not-yet' ? value : '' };
}
