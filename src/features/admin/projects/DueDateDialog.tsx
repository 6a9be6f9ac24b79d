import * as v from 'valibot';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';

interface DueDateProps {
  /** The title of the only project, or how many there are. */
  what: string;
  /** Gets the new date, or '' for none. Throws an AppError, which the dialog shows. */
  onSubmit: (dueOn: string) => Promise<void>;
  onClose: () => void;
}

const input = v.object({ dueOn: v.string() });

/** Asks when the selected projects are due. */
export function DueDateDialog({ what, onSubmit, onClose }: DueDateProps) {
  const fields = useSchemaForm<{ dueOn: string }>(
    input,
    async ({ dueOn }) => {
      await onSubmit(dueOn);
      onClose();
    },
    { guarded: true, defaults: { dueOn: '' } },
  );
  return (
    <FormDialog
      title={`Change the due date of ${what}`}
      description="Everyone who works on them sees the new date. Leave it empty for no date."
      action="Change"
      fields={fields}
      onClose={onClose}
    >
      <Field label="Due" optional type="date" {...fields.field('dueOn')} />
      <Failure failure={fields.failure} />
    </FormDialog>
  );
}
