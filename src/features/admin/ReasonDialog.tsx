import type { ReactNode } from 'react';
import * as v from 'valibot';
import { wholeText } from '#lib/locale/numbers.ts';
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
  /** Who reads the reason, if not only admins: "The buyer", "The member". */
  reasonReader?: string;
  /** A question to answer besides the reason. */
  question?: { legend: string; options: readonly (readonly [value: string, label: string])[] };
  /** Something to write besides the reason, for someone other than admins. */
  words?: { label: string; hint: string; most: number; isOptional?: boolean };
  /**
   * Gets the answer to the question, or what was written besides the reason, or ''. Throws an
   * AppError, which the dialog shows.
   */
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

/** The schema of the answer to the question, or of what's written besides the reason. */
function answerTo({ question, words }: ReasonedAction) {
  if (question) {
    return v.picklist(
      question.options.map(([value]) => value),
      'Choose one.',
    );
  }
  if (!words) return v.string();
  const text = textUpTo(words.most, `Keep it to ${wholeText(words.most)} characters.`);
  return words.isOptional ? text : v.pipe(text, v.minLength(1, 'Write something here.'));
}

/** Asks an admin for the reason of a change, which the audit log keeps. */
export function ReasonDialog({ action, onClose }: ReasonDialogProps) {
  const { question, words, reasonReader, onSubmit, ...dialog } = action;
  const fields = useSchemaForm<{ reason: string; answer: string }>(
    v.object({ reason, answer: answerTo(action) }),
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
      {words && (
        <Field
          label={words.label}
          hint={words.hint}
          optional={Boolean(words.isOptional)}
          as={TextArea}
          rows={4}
          {...fields.field('answer')}
        />
      )}
      <Field
        label="Reason"
        hint={
          reasonReader
            ? `${reasonReader} reads it, and other admins see it in the audit log.`
            : 'Other admins see it in the audit log.'
        }
        as={TextArea}
        rows={3}
        {...fields.field('reason')}
      />
      <Failure failure={fields.failure} />
    </FormDialog>
  );
}
