import { useState } from 'react';
import type { NewSnapshot, Snapshot } from '#data/business-snapshots.ts';
import { calendarDayText } from '#lib/locale/dates.ts';
import { idsByWords } from '#lib/new-id.ts';
import {
  CURRENCIES,
  type FiguresInput,
  figuresInput,
  inputOf,
  snapshotOf,
} from '#lib/schemas/figures.ts';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';

interface FiguresDialogProps {
  /** The figures being corrected; null for new ones. */
  correcting: Snapshot | null;
  /** The currency of the newest amounts. */
  currency: string;
  /** Today in the reader's time zone, `2026-11-21`. */
  today: string;
  /** Throws an AppError. */
  onAdd: (figures: NewSnapshot) => Promise<void>;
  onClose: () => void;
}

/** Adds figures, or corrects earlier ones. */
export function FiguresDialog({ correcting, currency, today, onAdd, onClose }: FiguresDialogProps) {
  const [idOf] = useState(idsByWords);
  const fields = useSchemaForm<FiguresInput>(
    figuresInput,
    async (input) => {
      await onAdd(snapshotOf(idOf(input), input));
      onClose();
    },
    { defaults: inputOf(correcting, today, currency), guarded: true },
  );
  const { field } = fields;
  const isListed = CURRENCIES.some(({ value }) => value === currency);
  return (
    <FormDialog
      fields={fields}
      firm
      onClose={onClose}
      title={correcting ? `Edit ${calendarDayText(correcting.taken_on)}` : 'Add figures'}
      description={
        correcting
          ? 'The new figures count from now on. We keep the earlier ones.'
          : 'Figures for one date. Leave out anything you don’t know; blank isn’t zero.'
      }
      action="Save"
    >
      <Field
        label="Date"
        type="date"
        max={today}
        readOnly={correcting !== null}
        {...field('takenOn')}
      />
      <div className="grid grid-cols-2 gap-4">
        <Field label="Full-time staff" inputMode="numeric" {...field('fullTime')} />
        <Field label="Part-time staff" inputMode="numeric" {...field('partTime')} />
      </div>
      <div className="grid gap-4 sm:grid-cols-[1fr_1fr_6.5rem]">
        <Field label="Annual revenue" inputMode="decimal" {...field('revenue')} />
        <Field label="Annual profit" {...field('profit')} />
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
