import { useState } from 'react';
import type { NewSnapshot, Snapshot } from '#data/business-snapshots.ts';
import { calendarDayText } from '#lib/dates.ts';
import { idsByWords } from '#lib/new-id.ts';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { type SchemaForm, useSchemaForm } from '#ui/forms/use-schema-form.ts';
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
  const { form, submit, errorOf, failure, pending } = fields;
  return (
    <Dialog
      open
      firm
      onOpenChange={(open) => !open && onClose()}
      title={correcting ? `Correct ${calendarDayText(correcting.taken_on)}` : 'Add figures'}
      description={
        correcting
          ? 'The corrected figures count from now on; what stood there before is kept.'
          : 'Of one day, as far as you know them. Leave out what you do not know: unknown is not zero.'
      }
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Day"
          type="date"
          max={today}
          readOnly={correcting !== null}
          error={errorOf('takenOn')}
          {...form.register('takenOn')}
        />
        <Amounts fields={fields} currency={currency} />
        <Failure failure={failure} title="Not saved" />
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" pending={pending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Everything but the day. */
function Amounts({ fields, currency }: { fields: SchemaForm<FiguresInput>; currency: string }) {
  const { form, errorOf } = fields;
  const options = CURRENCIES.some(({ value }) => value === currency)
    ? CURRENCIES
    : [...CURRENCIES, { value: currency, label: currency }];
  return (
    <>
      <div className="grid grid-cols-2 gap-4">
        <Field
          label="Full-time people"
          inputMode="numeric"
          error={errorOf('fullTime')}
          {...form.register('fullTime')}
        />
        <Field
          label="Part-time people"
          inputMode="numeric"
          error={errorOf('partTime')}
          {...form.register('partTime')}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-[1fr_1fr_6.5rem]">
        <Field
          label="Revenue a year"
          inputMode="decimal"
          error={errorOf('revenue')}
          {...form.register('revenue')}
        />
        <Field label="Profit a year" error={errorOf('profit')} {...form.register('profit')} />
        <Field
          label="Currency"
          as={Select}
          options={options}
          error={errorOf('currency')}
          {...form.register('currency')}
        />
      </div>
    </>
  );
}
