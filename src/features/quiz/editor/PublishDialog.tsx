import * as v from 'valibot';
import type { EditedVersion } from '#data/quiz-versions.ts';
import { changesSummary, type QuizChange } from '#domain/quiz-version.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';

interface PublishDialogProps {
  draft: EditedVersion;
  changes: readonly QuizChange[];
  /** Throws an AppError. */
  onPublish: (reason: string) => Promise<void>;
  onClose: () => void;
}

const schema = v.object({
  reason: v.pipe(
    textUpTo(2000, 'Keep it to 2,000 characters.'),
    v.minLength(3, 'Say why, for the audit log.'),
  ),
});

function whoIsInTheMiddle({ published }: EditedVersion): string {
  if (!published) return 'There’s no published version yet.';
  const { number, in_progress: count } = published;
  const people =
    count === 0
      ? 'Nobody is in the middle of it.'
      : `${count === 1 ? 'One person is' : `${count} people are`} in the middle of it and can finish it as it is.`;
  return `Version ${number} is retired. ${people}`;
}

/** Publishes a draft, with what changes and why. */
export function PublishDialog({ draft, changes, onPublish, onClose }: PublishDialogProps) {
  const fields = useSchemaForm<{ reason: string }>(
    schema,
    async ({ reason }) => {
      await onPublish(reason);
      onClose();
    },
    { guarded: true, defaults: { reason: '' } },
  );
  const fresh = changes.filter(({ fields }) => fields.some(({ label }) => label === 'Meaning'));
  return (
    <FormDialog
      title={`Publish version ${draft.number}?`}
      description={`From now on, everyone who starts the quiz takes this version. It can’t change anymore. ${whoIsInTheMiddle(draft)}`}
      action="Publish it"
      fields={fields}
      onClose={onClose}
    >
      <div className="text-sm">
        <p className="font-semibold">
          {changesSummary(changes)}
          {draft.before && `, compared with version ${draft.before.number}`}.
        </p>
        <ul className="mt-2 max-h-48 list-disc overflow-y-auto pl-5">
          {changes.map(({ key, area, name, kind }) => (
            <li key={key} className="wrap-anywhere">
              {[area, name].filter(Boolean).join(': ')} ({kind})
            </li>
          ))}
        </ul>
        {fresh.length > 0 && (
          <p className="mt-2 text-muted">
            {fresh.length === 1 ? 'One question means' : `${fresh.length} questions mean`} something
            else now, so earlier answers aren’t compared on {fresh.length === 1 ? 'it' : 'them'}.
          </p>
        )}
      </div>
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
