import * as v from 'valibot';
import { QUIZ_LIMITS } from '#domain/quiz-version.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';

interface AddDialogProps {
  area: { name: string };
  /** Practices of the area that have a tool and that the draft doesn't ask about. */
  practices: readonly { key: string; name: string }[];
  /** Throws an AppError. */
  onAdd: (about: { key: string } | { practice: string }) => Promise<void>;
  onClose: () => void;
}

const NEW = 'new';

const schema = v.pipe(
  v.object({
    about: v.string(),
    practice: textUpTo(QUIZ_LIMITS.practice, `Keep it to ${QUIZ_LIMITS.practice} characters.`),
  }),
  v.forward(
    v.check(
      ({ about, practice }) => about !== NEW || /[a-z]/i.test(practice),
      'Name the practice in a few words.',
    ),
    ['practice'],
  ),
);

/** Chooses what a new question is about. */
export function AddDialog({ area, practices, onAdd, onClose }: AddDialogProps) {
  const fields = useSchemaForm<{ about: string; practice: string }>(
    schema,
    async ({ about, practice }) => {
      await onAdd(about === NEW ? { practice } : { key: about });
      onClose();
    },
    { guarded: true, defaults: { about: practices[0]?.key ?? NEW, practice: '' } },
  );
  const isNew = fields.form.watch('about') === NEW;
  return (
    <FormDialog
      title={`Add a question about ${area.name.toLowerCase()}`}
      description="Each question is about one practice, and results name a tool for it."
      action="Add it"
      fields={fields}
      onClose={onClose}
    >
      <Field
        as={Select}
        label="Practice"
        options={[
          ...practices.map(({ key, name }) => ({ value: key, label: name })),
          { value: NEW, label: 'A new practice' },
        ]}
        {...fields.field('about')}
      />
      {isNew && (
        <Field
          label="Name of the practice"
          hint="Its key is made from this name and doesn’t change. Publish a tool for it in the toolbox, too."
          autoComplete="off"
          maxLength={QUIZ_LIMITS.practice}
          {...fields.field('practice')}
        />
      )}
      <Failure failure={fields.failure} />
    </FormDialog>
  );
}
