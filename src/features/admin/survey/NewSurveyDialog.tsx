import * as v from 'valibot';
import type { NewSurvey } from '#data/survey-results.ts';
import { SURVEY_GROUPINGS, SURVEY_PRIVACIES } from '#domain/survey.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { Failure } from '#ui/Failure.tsx';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { RadioList } from '#ui/forms/RadioList.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { GROUP_LABELS } from './Cuts.tsx';

const schema = v.object({
  privacy: v.picklist(SURVEY_PRIVACIES),
  publicLink: v.boolean(),
  groupedBy: v.picklist(['', ...SURVEY_GROUPINGS]),
  reason: v.pipe(
    textUpTo(2000, 'Keep it to 2,000 characters.'),
    v.minLength(3, 'Say why, for the audit log.'),
  ),
});

interface NewSurveyProps {
  /** Whether another survey is open, which this one closes. */
  replaces: boolean;
  /** Throws an AppError, which the dialog shows. */
  onSave: (survey: NewSurvey) => Promise<void>;
  onClose: () => void;
}

/** Opens a survey with the same words: who reads it, who can answer, and what it's compared by. */
export function NewSurveyDialog({ replaces, onSave, onClose }: NewSurveyProps) {
  const fields = useSchemaForm<v.InferOutput<typeof schema>>(
    schema,
    async ({ groupedBy, privacy, ...input }) => {
      const group = privacy === 'confidential' ? groupedBy : '';
      await onSave({ ...input, privacy, groupedBy: group === '' ? null : group });
      onClose();
    },
    {
      guarded: true,
      defaults: { privacy: 'anonymous', publicLink: true, groupedBy: '', reason: '' },
    },
  );
  const { form, field, errorOf, failure } = fields;
  return (
    <FormDialog
      fields={fields}
      title="Open a new survey"
      description={`It asks the same questions from the start. ${replaces ? 'The open one closes, and its personal links stop working.' : ''}`}
      action="Open survey"
      onClose={onClose}
    >
      <RadioList
        legend="What people are promised"
        options={[
          ['anonymous', 'Anonymous: nothing leads from an answer to a person'],
          ['confidential', 'Confidential: answers by personal link are stored with their coaching'],
        ]}
        error={errorOf('privacy')}
        {...form.register('privacy')}
      />
      {form.watch('privacy') === 'confidential' && (
        <Field
          label="Compare answers by"
          hint="One of them, for good: with several, single answers could be worked out."
          as={Select}
          options={[
            { value: '', label: 'Nothing' },
            ...SURVEY_GROUPINGS.map((value) => ({ value, label: GROUP_LABELS[value] })),
          ]}
          {...field('groupedBy')}
        />
      )}
      <Checkbox
        label="Anyone with the address can answer, not only people with a personal link"
        {...form.register('publicLink')}
      />
      <Field
        label="Reason"
        hint="Other admins see it in the audit log."
        as={TextArea}
        rows={3}
        {...field('reason')}
      />
      <Failure failure={failure} />
    </FormDialog>
  );
}
