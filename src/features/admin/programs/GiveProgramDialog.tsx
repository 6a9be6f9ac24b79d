import { useState } from 'react';
import * as v from 'valibot';
import { giveProgram } from '#data/admin-programs.ts';
import { db } from '#lib/db.ts';
import { addDays } from '#lib/locale/dates.ts';
import { idsByWords } from '#lib/new-id.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';

const wholeBetween = (least: number, most: number, sentence: string) =>
  v.pipe(
    v.string(),
    v.check((text) => Number(text) >= least && Number(text) <= most, sentence),
  );
const day = v.pipe(v.string(), v.minLength(1, 'Choose a day.'));

const schema = v.object({
  name: v.pipe(textUpTo(120), v.minLength(1, 'Give the program a name.')),
  sponsor: v.pipe(textUpTo(160), v.minLength(1, 'Say who pays for it.')),
  seats: wholeBetween(1, 1000, 'Enter 1 to 1,000 seats.'),
  sessions: wholeBetween(1, 100, 'Enter 1 to 100 sessions.'),
  startsOn: day,
  endsOn: day,
  reason: v.pipe(textUpTo(500), v.minLength(3, 'Say why, for the audit log.')),
});

/** Makes a program without an order, with a reason, and opens it. */
export function GiveProgramDialog({ today, onClose }: { today: string; onClose: () => void }) {
  const [idOf] = useState(idsByWords);
  const fields = useSchemaForm(
    schema,
    async (input) => {
      const said = { ...input, seats: Number(input.seats), sessions: Number(input.sessions) };
      const { id } = await giveProgram(await db(), idOf(input), said);
      location.assign(hrefFor('/admin/programs/[id]', { id }));
    },
    {
      guarded: true,
      onError: reportError,
      defaults: {
        name: '',
        sponsor: '',
        seats: '10',
        sessions: '4',
        startsOn: today,
        endsOn: addDays(today, 364),
        reason: '',
      },
    },
  );
  const { field } = fields;
  return (
    <FormDialog
      title="Give seats"
      description="A program without an order. Orders for seats make theirs by themselves."
      action="Create the program"
      fields={fields}
      onClose={onClose}
    >
      <Field label="Name" {...field('name')} />
      <Field
        label="Who pays"
        hint="Owners read this before they take a seat."
        {...field('sponsor')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Seats" inputMode="numeric" {...field('seats')} />
        <Field label="Sessions for each" inputMode="numeric" {...field('sessions')} />
        <Field label="First day" type="date" {...field('startsOn')} />
        <Field label="Last day" type="date" {...field('endsOn')} />
      </div>
      <Field
        label="Reason"
        hint="Other admins see it in the audit log."
        as={TextArea}
        rows={3}
        {...field('reason')}
      />
      <Failure failure={fields.failure} />
    </FormDialog>
  );
}
