import type { ReactNode } from 'react';
import * as v from 'valibot';
import { textUpTo } from '#lib/schemas/fields.ts';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { RadioList } from '#ui/forms/RadioList.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';

/** Something an admin does with a reason. */
export interface ReasonedAction {
  title: string;
  /** What will happen. */
  description: ReactNode;
  /** The button's label. */
  action: string;
  danger?: boolean;
  /** A question to answer besides the reason. */
  question?: { legend: string; options: readonly (readonly [value: string, label: string])[] };
  /** Gets the answer to the question, or ''. Throws an AppError, which the dialog shows. */
  onSubmit: (reason: string, answer: string) => Promise<void>;
}

interface ReasonDialogProps {
  action: ReasonedAction;
  onClose: () => void;
}

const reason = v.pipe(
  textUpTo(2000, 'Keep it to 2,000 characters.'),
  v.minLength(3, 'Say why, for the audit log.'),
);

/** Asks an admin for the reason of a change, which the audit log keeps. */
export function ReasonDialog({ action, onClose }: ReasonDialogProps) {
  const { question, onSubmit, ...dialog } = action;
  const values = question?.options.map(([value]) => value);
  const fields = useSchemaForm<{ reason: string; answer: string }>(
    v.object({ reason, answer: values ? v.picklist(values, 'Choose one.') : v.string() }),
    async (input) => {
      await onSubmit(input.reason, input.answer);
      onClose();
    },
    { guarded: true, defaults: { reason: '', answer: '' } },
  );
  return (
    <FormDialog {...dialog} fields={fields} onClose={onClose}>
      {question && (
        <RadioList
          {...question}
          error={fields.errorOf('answer')}
          {...fields.form.register('answer')}
        />
      )}
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
