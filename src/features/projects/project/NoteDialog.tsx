import * as v from 'valibot';
import { wholeText } from '#lib/locale/numbers.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';

interface NoteProps {
  title: string;
  label: string;
  hint: string;
  action: string;
  most?: number;
  onCancel: () => void;
  onNote: (note: string) => void;
}

/** Asks what's blocking something, or why it's being reopened. */
export function NoteDialog({ label, hint, most = 1000, onCancel, onNote, ...dialog }: NoteProps) {
  const note = v.pipe(
    textUpTo(most, `Keep it to ${wholeText(most)} characters.`),
    v.minLength(1, 'Add a few words. Others will read them too.'),
  );
  const fields = useSchemaForm<{ note: string }>(
    v.object({ note }),
    async (input) => onNote(input.note),
    { defaults: { note: '' } },
  );
  const { form, field } = fields;
  return (
    <FormDialog
      {...dialog}
      fields={fields}
      firm={form.formState.isDirty}
      cancel="Back"
      onClose={onCancel}
    >
      <Field label={label} hint={hint} as={TextArea} rows={3} {...field('note')} />
    </FormDialog>
  );
}
