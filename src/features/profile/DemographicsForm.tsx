import { useRef, useState } from 'react';
import { type Demographics, saveDemographics } from '#data/profiles.ts';
import { AGE_GROUPS, GENDERS, ORIGINS, PLACES } from '#domain/person.ts';
import { db } from '#lib/db.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { useAction } from '#ui/use-action.ts';
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

/** What is stored and what was chosen since, and saving it. */
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
      // What was chosen while it was being sent stays, and is still to be saved.
      setAnswers((now) => (now === answers ? next : now));
      addToast({ tone: 'good', title: next === NOTHING ? 'Taken back.' : 'Saved.' });
    });
  return { stored, answers, setAnswers, save, ...action };
}

/** Optional details about the person, with their own explanation; all of it can be withdrawn. */
export function DemographicsForm({ initial }: { initial: Demographics | null }) {
  const form = useDemographics(initial ?? NOTHING);
  const { stored, answers, pending, save } = form;
  const ready = useReady();
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
        Those who pay for this service ask whom it reaches. Nobody reads what you say here: not your
        coach, not the people who run this site. They see how many people gave an answer, and only
        where at least five did. It changes nothing in what you are offered, every answer may stay
        empty, and you can take all of it back at any time.
      </p>
      <Questions
        answers={answers}
        disabled={!ready}
        onChange={(change) => form.setAnswers({ ...answers, ...change })}
      />
      <Failure failure={form.failure} />
      <div className="flex flex-wrap gap-3">
        <Button ref={saver} type="submit" pending={pending} disabled={!ready}>
          Save what I said
        </Button>
        {!isSame(stored, NOTHING) && (
          <Button variant="quiet" onClick={() => void save(NOTHING)}>
            Take all of it back
          </Button>
        )}
      </div>
    </form>
  );
}

interface QuestionsProps {
  answers: Demographics;
  disabled: boolean;
  onChange: (change: Partial<Demographics>) => void;
}

function Questions({ answers, disabled, onChange }: QuestionsProps) {
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
    <fieldset disabled={disabled} className="flex flex-col gap-5">
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
              checked={answers.origins.includes(value)}
              onChange={(event) => toggleOrigin(value, event.currentTarget.checked)}
            />
          ))}
        </div>
      </fieldset>
    </fieldset>
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
    placeholder="Not said"
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
