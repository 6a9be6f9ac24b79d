import { useRef } from 'react';
import { choicesOf } from '#domain/business.ts';
import type { FactField } from '#lib/schemas.ts';
import type { KeptField } from '#sync/kept-fields.ts';
import { Field } from '#ui/forms/Field.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { Conflict } from './Conflict.tsx';
import { FactControl } from './FactControl.tsx';
import type { Fact } from './facts-store.ts';
import { SavedWords } from './SavedWords.tsx';

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
  kept: KeptField<Fact>;
  choices?: readonly { value: string; label: string }[] | undefined;
  /** Scripts run by now. */
  ready: boolean;
  onType: (value: string) => void;
  onChoose: (which: 'mine' | 'theirs' | 'both') => void;
}

/** One field of a business: its label, how safe it is, and what to choose where two wrote at once. */
export function FactInput(props: FactProps) {
  const { spec, kept, choices = choicesOf(spec.field, kept.value), ready, onType } = props;
  const { mark, value } = kept;
  // The buttons of a choice go away with it: one goes on in the field.
  const control = useRef<HTMLElement | null>(null);
  useFocusBack(control, mark?.name === 'conflict');
  const refused = mark?.name === 'refused' ? mark.sentence : undefined;
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
        aside={<SavedWords mark={mark} />}
        as={FactControl}
        choices={choices}
        long={spec.long}
        type={spec.type}
        name={spec.field}
        value={value}
        // Before the scripts run nothing would be saved.
        closed={!ready || mark?.name === 'conflict'}
        onType={onType}
      />
      {mark?.name === 'conflict' && (
        <Conflict
          label={spec.label}
          theirs={{ value: shown(mark.theirs.value), by: 'Somebody else' }}
          mine={shown(value)}
          both={Boolean(spec.long)}
          onChoose={props.onChoose}
        />
      )}
    </div>
  );
}
