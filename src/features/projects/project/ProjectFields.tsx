import type { ComponentProps } from 'react';
import type { ProjectChoices, ProjectInput } from '#data/projects.ts';
import { dayText } from '#lib/locale/dates.ts';
import { Field } from '#ui/forms/Field.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import type { SchemaForm } from '#ui/forms/use-schema-form.ts';

interface FieldsProps extends ProjectChoices {
  fields: SchemaForm<ProjectInput>;
  /** Whether to show only outcome, baseline and dates, which a coach may edit. */
  shared: boolean;
  timeZone: string;
  /** Focuses the first field, for a form that a button opens. */
  autoFocus?: boolean;
}

/** The fields of a project, for a new one and for editing one. */
export function ProjectFields(props: FieldsProps) {
  const { fields, areas, engagements, shared, timeZone, autoFocus = false } = props;
  return (
    <>
      {!shared && (
        <Field
          label="Title"
          autoFocus={autoFocus}
          hint="What you’ll do, such as “Follow up every lead within a day.”"
          maxLength={200}
          {...fields.field('title')}
        />
      )}
      <Field
        label="Outcome"
        optional
        as={TextArea}
        rows={3}
        autoFocus={autoFocus && shared}
        hint="How you’ll know it worked, with a number if there is one."
        {...fields.field('outcome')}
      />
      <Field
        label="Baseline"
        optional
        as={TextArea}
        rows={2}
        hint="Where you are today, measured the same way."
        {...fields.field('baseline')}
      />
      <div className="grid gap-x-4 gap-y-6 sm:grid-cols-2">
        <Field label="Start" optional type="date" {...fields.field('startOn')} />
        <Field label="Due" optional type="date" {...fields.field('dueOn')} />
        {!shared && (
          <Choice
            label="Skill"
            options={areas.map(({ key, name }) => ({ value: key, label: name }))}
            {...fields.field('areaKey')}
          />
        )}
        {!shared && engagements.length > 0 && (
          <Choice
            label="Coaching"
            options={engagements.map((each) => engagementOption(each, timeZone))}
            {...fields.field('engagementId')}
          />
        )}
      </div>
    </>
  );
}

type ChoiceProps = Omit<ComponentProps<typeof Select>, 'placeholder'> & {
  label: string;
  error: string | undefined;
};

const Choice = (props: ChoiceProps) => <Field {...props} optional as={Select} placeholder="None" />;

function engagementOption(
  { id, coach, requested_at }: ProjectChoices['engagements'][number],
  timeZone: string,
) {
  return { value: id, label: `${coach ?? 'A coach'}, since ${dayText(requested_at, timeZone)}` };
}
