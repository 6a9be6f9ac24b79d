import * as v from 'valibot';
import { textUpTo } from '#lib/schemas.ts';
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

/** Asks why: what blocks something, or why it is taken up again. */
export function NoteDialog({ label, hint, most = 1000, onCancel, onNote, ...dialog }: NoteProps) {
  const note = v.pipe(
    textUpTo(most, `Keep it to ${most.toLocaleString('en-US')} characters.`),
    v.minLength(1, 'Write a few words; others read them too.'),
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

/** What the dialog says for a step of a project. */
export const noteWords = (to: string) =>
  to === 'blocked'
    ? {
        title: 'What blocks it?',
        label: 'What has to happen first',
        hint: 'It stands on the project until it goes on.',
        action: 'Mark as blocked',
      }
    : {
        title: 'Why is it taken up again?',
        label: 'What is still to do',
        hint: 'It stands in the history of the project.',
        action: 'Take up again',
      };
