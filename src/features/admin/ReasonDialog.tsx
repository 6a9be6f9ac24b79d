import type { ReactNode } from 'react';
import * as v from 'valibot';
import { textUpTo } from '#lib/schemas/fields.ts';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';

const schema = v.object({
  reason: v.pipe(
    textUpTo(2000, 'Keep it to 2,000 characters.'),
    v.minLength(3, 'Say why, for the audit log.'),
  ),
});

interface ReasonDialogProps {
  title: string;
  /** What will happen. */
  description: ReactNode;
  /** The button's label. */
  action: string;
  danger?: boolean;
  /** Throws an AppError, which the dialog shows. */
  onSubmit: (reason: string) => Promise<void>;
  onClose: () => void;
}

/** Asks an admin for the reason of a change, which the audit log keeps. */
export default function ReasonDialog({ onSubmit, onClose, ...dialog }: ReasonDialogProps) {
  const fields = useSchemaForm<{ reason: string }>(
    schema,
    async ({ reason }) => {
      await onSubmit(reason);
      onClose();
    },
    { guarded: true, defaults: { reason: '' } },
  );
  return (
    <FormDialog {...dialog} fields={fields} onClose={onClose}>
      <Field
        label="Reason"
        hint="Other admins see it in the audit log."
        as={TextArea}
        rows={3}
        {...fields.field('reason')}
      />
      <Failure failure={fields.failure} />
    </FormDialog>
  );
}
