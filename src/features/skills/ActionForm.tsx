import { useState } from 'react';
import type { suggestedAction } from '#domain/focus.ts';
import { addDays } from '#lib/locale/dates.ts';
import { newId } from '#lib/new-id.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import {
  type ActionFields,
  actionSchema,
  BODY_MAX,
  LAST_DAY,
  USUAL_DAYS,
} from './action-schema.ts';

interface ActionFormProps {
  /** The starting values of the fields. */
  begins: ActionFields;
  /** Today in the user's time zone: `2026-11-21`. */
  today: string;
  /** Whether the user wants reminders by email. */
  reminders: boolean;
  /** Says where the first field's text comes from. */
  hint?: string;
  /** Throws an AppError. */
  onSave: (input: ActionFields) => Promise<void>;
  onCancel: () => void;
}

/** One action: what, by when, and whether to send reminders. If saving fails, the input stays. */
export function ActionForm(props: ActionFormProps) {
  const { begins, today, reminders, hint, onSave, onCancel } = props;
  const form = useSchemaForm<ActionFields>(actionSchema(today, begins.dueOn), onSave, {
    defaults: begins,
    guarded: true,
  });
  return (
    <form method="post" noValidate onSubmit={form.submit} className="flex flex-col gap-5">
      <Field
        label="What will you do?"
        as={TextArea}
        // A button opens the form, so the user can type right away.
        autoFocus
        rows={3}
        maxLength={BODY_MAX * 2}
        hint={hint}
        {...form.field('body')}
      />
      <Field
        label="By when?"
        type="date"
        min={today}
        max={addDays(today, LAST_DAY)}
        className="max-w-56"
        {...form.field('dueOn')}
      />
      <Checkbox
        label="Remind me by email"
        hint={
          reminders
            ? 'A week before, and again on the day.'
            : 'Reminders are turned off in your profile, so we won’t send one.'
        }
        {...form.form.register('remind')}
      />
      <Failure failure={form.failure} title="Not saved" />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={form.pending} needsScript>
          Save
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

interface NewActionFormProps extends Pick<ActionFormProps, 'today' | 'reminders' | 'onCancel'> {
  suggested: ReturnType<typeof suggestedAction>;
  /** Throws an AppError. */
  onSave: (action: ActionFields & { id: string; questionKey: string | null }) => Promise<void>;
}

/** The form for a new action, filled in with the suggested one. */
export function NewActionForm({ suggested, onSave, ...rest }: NewActionFormProps) {
  // Use one id for all retries, so a lost response doesn't create the action twice.
  const [id] = useState(newId);
  const dueOn = addDays(rest.today, USUAL_DAYS);
  return (
    <ActionForm
      {...rest}
      {...(suggested ? { hint: 'Based on your weakest practice. Edit it to fit.' } : {})}
      begins={{ body: suggested?.body ?? '', dueOn, remind: true }}
      onSave={(input) => onSave({ id, questionKey: suggested?.questionKey ?? null, ...input })}
    />
  );
}
