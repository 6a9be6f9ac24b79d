import { useRef, useState } from 'react';
import { type Demographics, saveDemographics } from '#data/profiles.ts';
import { AGE_GROUPS, GENDERS, ORIGINS, PLACES } from '#domain/demographics.ts';
import { db } from '#lib/db.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { ReadyFieldset } from '#ui/forms/ReadyFieldset.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { useAction } from '#ui/use-action.ts';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useLeaveGuard, useUnsaved } from '#ui/use-unsaved.ts';

const NOTHING: Demographics = {
  age_group: null,
  gender: null,
  origins: [],
  veteran: null,
  disability: null,
  place: null,
};

interface Option {
  value: string;
  label: string;
}

const YES_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

const YES_NO_VALUES: Record<string, boolean> = { true: true, false: false };

const isSame = (a: Demographics, b: Demographics) => JSON.stringify(a) === JSON.stringify(b);

/** The stored answers, the user's changes to them, and saving. */
function useDemographics(initial: Demographics) {
  const [stored, setStored] = useState(initial);
  const [answers, setAnswers] = useState(stored);
  const action = useAction(reportError);
  const isChanged = !isSame(answers, stored);
  useUnsaved(isChanged);
  useLeaveGuard(isChanged && !action.pending);
  const save = (next: Demographics) =>
    action.run(async () => {
      await saveDemographics(await db(), next);
      setStored(next);
      // Changes made during the request stay in the form, and still need saving.
      setAnswers((now) => (now === answers ? next : now));
      addToast({ tone: 'good', title: next === NOTHING ? 'Answers deleted.' : 'Saved.' });
    });
  return { stored, answers, setAnswers, save, ...action };
}

/** Optional demographics, with an explanation of how we use them. Users can delete all of it. */
export function DemographicsForm({ initial }: { initial: Demographics | null }) {
  const form = useDemographics(initial ?? NOTHING);
  const { stored, answers, pending, save } = form;
  const saver = useRef<HTMLButtonElement>(null);
  useFocusBack(saver, stored);
  return (
    <form
      method="post"
      noValidate
      className="mt-3 flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void save(answers);
      }}
    >
      <p className="max-w-[65ch] text-sm text-muted">
        Our funders ask who this service reaches. Nobody reads your answers: not your coach, not our
        staff. All anyone sees is how many people gave an answer, and only when at least five did.
        It doesn’t affect what you’re offered. Skip any question, and delete your answers anytime.
      </p>
      <Questions
        answers={answers}
        onChange={(change) => form.setAnswers({ ...answers, ...change })}
      />
      <Failure failure={form.failure} />
      <div className="flex flex-wrap gap-3">
        <Button ref={saver} type="submit" pending={pending} needsScript>
          Save my answers
        </Button>
        {!isSame(stored, NOTHING) && (
          <Button variant="quiet" onClick={() => void save(NOTHING)}>
            Delete my answers
          </Button>
        )}
      </div>
    </form>
  );
}

interface QuestionsProps {
  answers: Demographics;
  onChange: (change: Partial<Demographics>) => void;
}

function Questions({ answers, onChange }: QuestionsProps) {
  const choice = (
    label: string,
    key: 'age_group' | 'gender' | 'place',
    options: readonly Option[],
  ) => (
    <Choice
      label={label}
      options={options}
      value={answers[key] ?? ''}
      onChange={(value) => onChange({ [key]: value || null })}
    />
  );
  const yesNo = (label: string, key: 'veteran' | 'disability') => (
    <Choice
      label={label}
      options={YES_NO}
      value={String(answers[key] ?? '')}
      onChange={(value) => onChange({ [key]: YES_NO_VALUES[value] ?? null })}
    />
  );
  const toggleOrigin = (value: string, isChosen: boolean) => {
    const others = answers.origins.filter((each) => each !== value);
    onChange({ origins: isChosen ? [...others, value] : others });
  };
  return (
    <ReadyFieldset className="flex flex-col gap-5">
      <legend className="sr-only">About you</legend>
      <div className="grid gap-5 sm:grid-cols-2">
        {choice('Age', 'age_group', AGE_GROUPS)}
        {choice('Gender', 'gender', GENDERS)}
        {choice('Where your business is', 'place', PLACES)}
        {yesNo('Have you served in the armed forces?', 'veteran')}
        {yesNo('Do you have a disability?', 'disability')}
      </div>
      <fieldset>
        <legend className="text-sm font-semibold">Race or ethnicity</legend>
        <div className="mt-2 grid gap-x-5 gap-y-3 sm:grid-cols-2 pointer-coarse:gap-5">
          {ORIGINS.map(({ value, label }) => (
            <Checkbox
              key={value}
              label={label}
              checked={answers.origins.includes(value)}
              onChange={(event) => toggleOrigin(value, event.currentTarget.checked)}
            />
          ))}
        </div>
      </fieldset>
    </ReadyFieldset>
  );
}

interface ChoiceProps {
  label: string;
  options: readonly Option[];
  value: string;
  onChange: (value: string) => void;
}

const Choice = ({ onChange, ...rest }: ChoiceProps) => (
  <Field
    {...rest}
    as={Select}
    placeholder="Prefer not to say"
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
