import * as v from 'valibot';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';

interface ReviewDialogProps {
  /** Records the review. Throws an AppError. */
  onReview: (note: string) => Promise<void>;
  onClose: () => void;
}

/** Records that a tool was checked and needs no change. */
export function ReviewDialog({ onReview, onClose }: ReviewDialogProps) {
  const fields = useSchemaForm<{ note: string }>(
    v.object({ note: textUpTo(500, 'Keep it to 500 characters.') }),
    async ({ note }) => {
      await onReview(note);
      onClose();
    },
    { defaults: { note: '' }, onError: reportError },
  );
  return (
    <FormDialog
      fields={fields}
      title="Reviewed today, nothing to change?"
      description="The tool’s page shows today as the day of its last review."
      action="Record the review"
      onClose={onClose}
    >
      <Failure failure={fields.failure} />
      <Field
        label="What you checked"
        hint="Other admins see it in the audit log."
        optional
        as={TextArea}
        rows={3}
        {...fields.field('note')}
      />
    </FormDialog>
  );
}
