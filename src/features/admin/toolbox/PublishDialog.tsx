import * as v from 'valibot';
import { TOOL_LIMITS } from '#domain/admin-tools.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';

interface PublishDialogProps {
  /** The number that the version gets. */
  version: number;
  /** How many copies of earlier versions there are. */
  copies: number;
  /** Publishes it. Throws an AppError. */
  onPublish: (change: string) => Promise<void>;
  onClose: () => void;
}

/** Asks what's different in a version before it's published; not of a tool's first one. */
export function PublishDialog({ version, copies, onPublish, onClose }: PublishDialogProps) {
  const isFirst = version === 1;
  const text = textUpTo(TOOL_LIMITS.change, 'Keep it to 200 characters.');
  const fields = useSchemaForm<{ change: string }>(
    v.object({
      change: isFirst ? text : v.pipe(text, v.minLength(1, 'Say in a sentence what’s different.')),
    }),
    async ({ change }) => {
      await onPublish(change);
      onClose();
    },
    { defaults: { change: '' }, onError: reportError },
  );
  return (
    <FormDialog
      fields={fields}
      title={isFirst ? 'Publish this tool?' : `Publish version ${version}?`}
      description={
        isFirst
          ? 'Everyone can read it right away, and results can recommend it. A published version can’t be changed: to improve it, you write the next one.'
          : 'It replaces the current version right away, for everyone. Copies people have made stay as they are.'
      }
      action="Publish it"
      onClose={onClose}
    >
      <Failure failure={fields.failure} />
      {!isFirst && (
        <Field
          label="What’s different"
          hint={
            copies > 0
              ? 'A sentence. People who have a copy of an earlier version read it there.'
              : 'A sentence. People read it on the tool’s page.'
          }
          as={TextArea}
          rows={2}
          {...fields.field('change')}
        />
      )}
    </FormDialog>
  );
}
