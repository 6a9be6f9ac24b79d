import { useRef, useState } from 'react';
import { type Demographics, saveDemographics } from '#data/profiles.ts';
import { AGE_GROUPS, GENDERS, ORIGINS, PLACES } from '#domain/person.ts';
import { db } from '#lib/db.ts';
import type { AppError } from '#lib/errors.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useReady } from '#ui/use-ready.ts';
import { useLeaveGuard, useUnsaved } from '#ui/use-unsaved.ts';

const NOTHING: Demographics = {
  age_group: null,
  gender: null,
  origins: [],
  veteran: null,
  disability: null,
  place: null,
};

const YES_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

const asBoolean = (value: string) => (value === '' ? null : value === 'true');

/** Optional, with its own explanation; all of it can be taken back. */
export function DemographicsForm({ initial }: { initial: Demographics | null }) {
  const [stored, setStored] = useState(initial ?? NOTHING);
  const [said, setSaid] = useState(stored);
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<AppError | null>(null);
  const ready = useReady();
  const saver = useRef<HTMLButtonElement>(null);
  useFocusBack(saver, stored);
  const isChanged = JSON.stringify(said) !== JSON.stringify(stored);
  useUnsaved(isChanged);
  useLeaveGuard(isChanged && !pending);
  const set = (change: Partial<Demographics>) => setSaid({ ...said, ...change });

  const save = async (next: Demographics) => {
    if (pending) return;
    setPending(true);
    setFailure(null);
    try {
      await saveDemographics(await db(), next);
      setStored(next);
      // What was chosen while it was on its way stays, and is still to be saved.
      setSaid((now) => (now === said ? next : now));
      addToast({ tone: 'good', title: next === NOTHING ? 'Taken back.' : 'Saved.' });
    } catch (thrown) {
      setFailure(reportError(thrown));
    } finally {
      setPending(false);
    }
  };
  const choice = (
    label: string,
    key: 'age_group' | 'gender' | 'place',
    options: readonly { value: string; label: string }[],
  ) => (
    <Field
      label={label}
      as={Select}
      options={options}
      placeholder="Not said"
      value={said[key] ?? ''}
      onChange={(event) => set({ [key]: event.currentTarget.value || null })}
    />
  );
  const yesNo = (label: string, key: 'veteran' | 'disability') => (
    <Field
      label={label}
      as={Select}
      options={YES_NO}
      placeholder="Not said"
      value={said[key] === null ? '' : String(said[key])}
      onChange={(event) => set({ [key]: asBoolean(event.currentTarget.value) })}
    />
  );
  return (
    <form
      method="post"
      noValidate
      className="mt-3 flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void save(said);
      }}
    >
      <p className="max-w-[65ch] text-sm text-muted">
        Those who pay for this service ask whom it reaches. Nobody reads what you say here: not your
        coach, not the people who run this site. They see how many people gave an answer, and only
        where at least five did. It changes nothing in what you are offered, every answer may stay
        empty, and you can take all of it back at any time.
      </p>
      <fieldset disabled={!ready} className="flex flex-col gap-5">
        <legend className="sr-only">Who you are</legend>
        <div className="grid gap-5 sm:grid-cols-2">
          {choice('Age', 'age_group', AGE_GROUPS)}
          {choice('Gender', 'gender', GENDERS)}
          {choice('Where your business is', 'place', PLACES)}
          {yesNo('Did you serve in the armed forces?', 'veteran')}
          {yesNo('Do you live with a disability?', 'disability')}
        </div>
        <fieldset>
          <legend className="text-sm font-semibold">Origins</legend>
          <div className="mt-2 grid gap-3 sm:grid-cols-2 pointer-coarse:gap-5">
            {ORIGINS.map(({ value, label }) => (
              <Checkbox
                key={value}
                label={label}
                checked={said.origins.includes(value)}
                onChange={(event) =>
                  set({
                    origins: event.currentTarget.checked
                      ? [...said.origins, value]
                      : said.origins.filter((each) => each !== value),
                  })
                }
              />
            ))}
          </div>
        </fieldset>
      </fieldset>
      <Failure failure={failure} />
      <div className="flex flex-wrap gap-3">
        <Button ref={saver} type="submit" pending={pending} disabled={!ready}>
          Save what I said
        </Button>
        {JSON.stringify(stored) !== JSON.stringify(NOTHING) && (
          <Button variant="quiet" disabled={!ready} onClick={() => void save(NOTHING)}>
            Take all of it back
          </Button>
        )}
      </div>
    </form>
  );
}
