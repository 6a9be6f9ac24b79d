import { type ChangeEvent, type ReactNode, useRef } from 'react';
import { choicesOf } from '#domain/business-choices.ts';
import type { FactField as FactName } from '#lib/schemas/business.ts';
import type { Choice, FieldState } from '#sync/autosave.ts';
import { classNames } from '#ui/class-names.ts';
import { Field } from '#ui/forms/Field.tsx';
import { ReadyLongSelect } from '#ui/forms/LongSelect.tsx';
import { ReadyTextArea, ReadyTextInput } from '#ui/forms/ready-inputs.tsx';
import { useSay } from '#ui/InLanguage.tsx';
import { SaveWords } from '#ui/SaveStatus.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { Conflict } from './Conflict.tsx';
import type { Fact } from './facts-store.ts';

export interface FactSpec {
  field: FactName;
  label: string;
  hint?: string;
  required?: boolean;
  long?: boolean;
  type?: 'date' | 'tel' | 'url';
  autoComplete?: string;
  className?: string;
  /** How many of the form's six columns it takes; all by default. */
  span?: string;
}

type Choices = readonly { value: string; label: string }[] | undefined;

interface FactFieldProps {
  spec: FactSpec;
  name: string;
  value: string;
  /** If given, the field is a select. */
  choices: Choices;
  error: string | undefined;
  aside?: ReactNode;
  className?: string;
  /** Whether the value is shown but can't be changed right now. */
  closed?: boolean;
  onType: (value: string) => void;
}

/** A field of a business: a select, a text area or a text input. */
export function FactField({ spec, choices, closed = false, onType, ...rest }: FactFieldProps) {
  const say = useSay();
  const field = {
    ...rest,
    label: spec.label,
    hint: spec.hint,
    'aria-required': spec.required,
    autoComplete: spec.autoComplete ?? 'off',
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) =>
      onType(event.currentTarget.value),
  };
  if (choices) {
    return (
      <Field
        {...field}
        as={ReadyLongSelect}
        options={choices.map(({ value, label }) => ({ value, label: say(label) }))}
        placeholder={say('Choose one')}
        disabled={closed}
      />
    );
  }
  if (spec.long) return <Field {...field} as={ReadyTextArea} rows={4} readOnly={closed} />;
  return <Field {...field} as={ReadyTextInput} type={spec.type ?? 'text'} readOnly={closed} />;
}

interface FactProps {
  spec: FactSpec;
  state: FieldState<string, Fact>;
  choices?: Choices;
  onType: (value: string) => void;
  onChoose: (which: Choice) => void;
}

/** A field that's saved as you type, with its save status and a choice after a conflict. */
export function FactInput(props: FactProps) {
  const { spec, state, choices = choicesOf(spec.field, state.value), onType } = props;
  const { status, value } = state;
  const control = useRef<HTMLElement | null>(null);
  // The buttons of a conflict disappear with it.
  useFocusBack(control, status?.name === 'conflict');
  const shown = (text: string) => choices?.find((one) => one.value === text)?.label ?? text;
  return (
    <div
      ref={(place) => {
        control.current = place?.querySelector<HTMLElement>('input, select, textarea') ?? null;
      }}
      className={classNames(spec.span ?? 'col-span-6', spec.className)}
    >
      <FactField
        spec={spec}
        name={spec.field}
        value={value}
        choices={choices}
        error={status?.name === 'refused' ? status.reason : undefined}
        aside={<SaveWords status={status} />}
        closed={status?.name === 'conflict'}
        onType={onType}
      />
      {status?.name === 'conflict' && (
        <Conflict
          label={spec.label}
          theirs={{ value: shown(status.theirs.value), by: 'Someone else' }}
          mine={shown(value)}
          both={Boolean(spec.long)}
          onChoose={props.onChoose}
        />
      )}
    </div>
  );
}
