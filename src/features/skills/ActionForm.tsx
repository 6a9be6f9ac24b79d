import { addDays } from '#lib/dates.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { type ActionFields, actionSchema, BODY_MAX, LAST_DAY } from './action-schema.ts';

interface ActionFormProps {
  /** What the fields begin with. */
  begins: ActionFields;
  /** Today where the person is: `2026-11-21`. */
  today: string;
  /** Whether the person wants mails that remind at all. */
  reminders: boolean;
  /** Where the words of the first field come from. */
  hint?: string;
  /** Throws an AppError. */
  onSave: (input: ActionFields) => Promise<void>;
  onCancel: () => void;
}

/** One action: what, by when, and whether to be reminded. What was typed stays when saving fails. */
export function ActionForm(props: ActionFormProps) {
  const { begins, today, reminders, hint, onSave, onCancel } = props;
  const { form, submit, errorOf, failure, pending, ready } = useSchemaForm<ActionFields>(
    actionSchema(today, begins.dueOn),
    onSave,
    { defaults: begins, guarded: true },
  );
  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field
        label="What will you do?"
        as={TextArea}
        // The form appears where a button was pressed: the next key goes into it.
        autoFocus
        rows={3}
        maxLength={BODY_MAX * 2}
        hint={hint}
        error={errorOf('body')}
        {...form.register('body')}
      />
      <Field
        label="By when?"
        type="date"
        min={today}
        max={addDays(today, LAST_DAY)}
        className="max-w-56"
        error={errorOf('dueOn')}
        {...form.register('dueOn')}
      />
      <Checkbox
        label="Remind me by mail"
        hint={
          reminders
            ? 'A week before, and on the day. Once each.'
            : 'At the moment your profile says that you want no reminders, so none is sent.'
        }
        {...form.register('remind')}
      />
      <Failure failure={failure} title="Not saved" />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={pending} disabled={!ready}>
          Save
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
