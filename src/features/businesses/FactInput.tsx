import { useRef } from 'react';
import { choicesOf } from '#domain/business.ts';
import type { FactField } from '#lib/schemas.ts';
import type { FieldState } from '#sync/autosave.ts';
import { Field } from '#ui/forms/Field.tsx';
import { SaveWords } from '#ui/SaveStatus.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { Conflict } from './Conflict.tsx';
import { FactControl } from './FactControl.tsx';
import type { Fact } from './facts-store.ts';

export interface FactSpec {
  field: FactField;
  label: string;
  hint?: string;
  required?: boolean;
  long?: boolean;
  type?: 'date' | 'tel' | 'url';
  autoComplete?: string;
  className?: string;
}

interface FactProps {
  spec: FactSpec;
  state: FieldState<string, Fact>;
  choices?: readonly { value: string; label: string }[] | undefined;
  /** Scripts run by now. */
  ready: boolean;
  onType: (value: string) => void;
  onChoose: (which: 'mine' | 'theirs' | 'both') => void;
}

/** One field of a business: its label, how safe it is, and what to choose where two wrote at once. */
export function FactInput(props: FactProps) {
  const { spec, state, choices = choicesOf(spec.field, state.value), ready, onType } = props;
  const { status, value } = state;
  // The buttons of a choice go away with it: one goes on in the field.
  const control = useRef<HTMLElement | null>(null);
  useFocusBack(control, status?.name === 'conflict');
  const refused = status?.name === 'refused' ? status.reason : undefined;
  const shown = (text: string) => choices?.find((one) => one.value === text)?.label ?? text;
  return (
    <div
      ref={(place) => {
        control.current = place?.querySelector<HTMLElement>('input, select, textarea') ?? null;
      }}
      className={spec.className}
    >
      <Field
        label={spec.label}
        hint={spec.hint}
        optional={!spec.required}
        autoComplete={spec.autoComplete ?? 'off'}
        error={refused}
        aside={<SaveWords status={status} />}
        as={FactControl}
        choices={choices}
        long={spec.long}
        type={spec.type}
        name={spec.field}
        value={value}
        // Before the scripts run nothing would be saved.
        closed={!ready || status?.name === 'conflict'}
        onType={onType}
      />
      {status?.name === 'conflict' && (
        <Conflict
          label={spec.label}
          theirs={{ value: shown(status.theirs.value), by: 'Somebody else' }}
          mine={shown(value)}
          both={Boolean(spec.long)}
          onChoose={props.onChoose}
        />
      )}
    </div>
  );
}
