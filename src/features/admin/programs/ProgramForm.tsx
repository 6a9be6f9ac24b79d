import * as v from 'valibot';
import { type AnyProgram, saveProgram } from '#data/admin-programs.ts';
import { GROUP_LABELS, PROGRAM_GROUPS } from '#domain/program.ts';
import { db } from '#lib/db.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Form } from '#ui/forms/Form.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Section } from '#ui/Section.tsx';

interface ProgramFormProps {
  program: AnyProgram;
  onChange: (program: AnyProgram) => void;
}

const schema = v.pipe(
  v.object({
    name: v.pipe(textUpTo(120), v.minLength(1, 'Give the program a name.')),
    sponsor: v.pipe(textUpTo(160), v.minLength(1, 'Say who pays for it.')),
    startsOn: v.pipe(v.string(), v.minLength(1, 'Choose the first day.')),
    endsOn: v.pipe(v.string(), v.minLength(1, 'Choose the last day.')),
    groupsBy: v.string(),
    postalPrefixes: v.string(),
    emailDomains: v.string(),
    consent: v.pipe(
      textUpTo(4000),
      v.minLength(40, 'Say who pays, what they see and what they don’t.'),
    ),
    closed: v.boolean(),
  }),
  v.forward(
    v.check(({ startsOn, endsOn }) => endsOn > startsOn, 'Choose a day after the first.'),
    ['endsOn'],
  ),
);
type Input = v.InferOutput<typeof schema>;

const wordsIn = (text: string) => text.split(/[\s,;]+/).filter((word) => word !== '');

const inputOf = (program: AnyProgram): Input => ({
  name: program.name,
  sponsor: program.sponsor,
  startsOn: program.starts_on,
  endsOn: program.ends_on,
  groupsBy: program.groups_by,
  postalPrefixes: program.postal_prefixes.join(', '),
  emailDomains: program.email_domains.join(', '),
  consent: program.consent,
  closed: program.state === 'closed',
});

/** Who a program is for, from when to when, and what owners agree to. */
export function ProgramForm({ program, onChange }: ProgramFormProps) {
  const fields = useSchemaForm<Input>(
    schema,
    async (input) => {
      const saved = await saveProgram(await db(), program.id, {
        name: input.name,
        sponsor: input.sponsor,
        starts_on: input.startsOn,
        ends_on: input.endsOn,
        closed: input.closed,
        groups_by: input.groupsBy,
        postal_prefixes: wordsIn(input.postalPrefixes),
        email_domains: wordsIn(input.emailDomains),
        consent: input.consent,
      });
      onChange(saved);
      fields.beginFrom(inputOf(saved));
      addToast({ tone: 'good', title: 'Saved.' });
    },
    { defaults: inputOf(program), guarded: true, onError: reportError },
  );
  const { field } = fields;
  return (
    <Section id="terms" title="Terms" className="card p-5 md:p-6">
      <Form of={fields} submit="Save" size="small" className="mt-4 items-start gap-4">
        {/* Labels begin on one line, and controls end on one, whether or not a hint is between them. */}
        <div className="grid w-full gap-4 *:[&>:not(p,:first-child)]:mt-auto sm:grid-cols-2 xl:grid-cols-4">
          <Field label="Name" {...field('name')} />
          <Field label="Who pays" {...field('sponsor')} />
          <Field label="First day" type="date" {...field('startsOn')} />
          <Field label="Last day" type="date" {...field('endsOn')} />
          <Field
            label="Postal codes"
            hint="How they start, such as 871, 870. Empty: any."
            optional
            {...field('postalPrefixes')}
          />
          <Field
            label="Email domains"
            hint="Such as example.org. Empty: any."
            optional
            {...field('emailDomains')}
          />
          <Field
            label="The report groups businesses by"
            hint="It can’t change once the sponsor has seen groups."
            as={Select}
            className="sm:col-span-2"
            options={PROGRAM_GROUPS.map((value) => ({ value, label: GROUP_LABELS[value] }))}
            {...field('groupsBy')}
          />
        </div>
        <Field
          label="What owners agree to"
          hint={`Version ${program.consent_version}. Another text is a new version; owners who have a seat keep what they agreed to.`}
          as={TextArea}
          rows={8}
          className="w-full"
          {...field('consent')}
        />
        <Checkbox
          label="End the program now"
          hint="Within an hour, its seats end with their unused sessions."
          {...fields.form.register('closed')}
        />
      </Form>
    </Section>
  );
}
