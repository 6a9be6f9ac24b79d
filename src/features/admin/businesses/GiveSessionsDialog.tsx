import { useState } from 'react';
import * as v from 'valibot';
import { giveSessions } from '#data/session-grants.ts';
import { db } from '#lib/db.ts';
import { idsByWords } from '#lib/new-id.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';

const wholeUpTo = (most: number, sentence: string) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,3}$/, sentence),
    v.check((text) => Number(text) >= 1 && Number(text) <= most, sentence),
  );

const schema = v.object({
  sessions: wholeUpTo(50, 'Enter 1 to 50 sessions.'),
  months: wholeUpTo(36, 'Enter 1 to 36 months.'),
  reason: v.pipe(textUpTo(500), v.minLength(3, 'Say why, for the audit log.')),
});

interface GiveProps {
  business: { id: string; name: string };
  onClose: () => void;
  onGiven: () => void;
}

/** Gives a business coaching sessions that nobody pays for, with a reason. */
export function GiveSessionsDialog({ business, onClose, onGiven }: GiveProps) {
  const [idOf] = useState(idsByWords);
  const fields = useSchemaForm(
    schema,
    async (input) => {
      await giveSessions(await db(), idOf(input), business.id, {
        sessions: Number(input.sessions),
        months: Number(input.months),
        reason: input.reason,
      });
      addToast({ tone: 'good', title: `${business.name} has more sessions now.` });
      onGiven();
      onClose();
    },
    {
      guarded: true,
      onError: reportError,
      defaults: { sessions: '3', months: '12', reason: '' },
    },
  );
  const { field } = fields;
  return (
    <FormDialog
      title="Give sessions"
      description={`${business.name} can use them with its coach. Nobody pays for them.`}
      action="Give sessions"
      fields={fields}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Sessions" inputMode="numeric" {...field('sessions')} />
        <Field label="Good for how many months" inputMode="numeric" {...field('months')} />
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
