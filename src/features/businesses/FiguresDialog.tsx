import { useState } from 'react';
import type { NewSnapshot, Snapshot } from '#data/business-snapshots.ts';
import { calendarDayText } from '#lib/dates.ts';
import { idsByWords } from '#lib/new-id.ts';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { CURRENCIES, type FiguresInput, figuresInput, inputOf, snapshotOf } from './figures.ts';

interface FiguresProps {
  /** The figures that are corrected; null for new ones. */
  correcting: Snapshot | null;
  /** The currency of the newest amounts. */
  currency: string;
  /** Today in the reader's time zone, `2026-11-21`. */
  today: string;
  /** Throws an AppError. */
  onAdd: (figures: NewSnapshot) => Promise<void>;
  onClose: () => void;
}

/** Adds the figures of a day, or corrects them. */
export function FiguresDialog({ correcting, currency, today, onAdd, onClose }: FiguresProps) {
  const [idOf] = useState(idsByWords);
  const fields = useSchemaForm<FiguresInput>(
    figuresInput,
    async (input) => {
      await onAdd(snapshotOf(idOf(input), input));
      onClose();
    },
    { defaults: inputOf(correcting, today, currency), guarded: true },
  );
  const field = (name: keyof FiguresInput) => ({
    ...fields.form.register(name),
    error: fields.errorOf(name),
  });
  const isListed = CURRENCIES.some(({ value }) => value === currency);
  return (
    <FormDialog
      fields={fields}
      firm
      onClose={onClose}
      title={correcting ? `Correct ${calendarDayText(correcting.taken_on)}` : 'Add figures'}
      description={
        correcting
          ? 'The corrected figures count from now on; what stood there before is kept.'
          : 'Of one day, as far as you know them. Leave out what you do not know: unknown is not zero.'
      }
      action="Save"
    >
      <Field
        label="Day"
        type="date"
        max={today}
        readOnly={correcting !== null}
        {...field('takenOn')}
      />
      <div className="grid grid-cols-2 gap-4">
        <Field label="Full-time people" inputMode="numeric" {...field('fullTime')} />
        <Field label="Part-time people" inputMode="numeric" {...field('partTime')} />
      </div>
      <div className="grid gap-4 sm:grid-cols-[1fr_1fr_6.5rem]">
        <Field label="Revenue a year" inputMode="decimal" {...field('revenue')} />
        <Field label="Profit a year" {...field('profit')} />
        <Field
          label="Currency"
          as={Select}
          options={isListed ? CURRENCIES : [...CURRENCIES, { value: currency, label: currency }]}
          {...field('currency')}
        />
      </div>
      <Failure failure={fields.failure} title="Not saved" />
    </FormDialog>
  );
}
