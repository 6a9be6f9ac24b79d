import type { UseFormRegisterReturn } from 'react-hook-form';
import * as v from 'valibot';
import { type CoachProfile, type PersonPage, saveCoachProfile } from '#data/people.ts';
import { choicesOf } from '#domain/business-choices.ts';
import { db } from '#lib/db.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Form } from '#ui/forms/Form.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Section } from '#ui/Section.tsx';

const schema = v.object({
  about: textUpTo(2000, 'Keep it to 2,000 characters.'),
  areas: v.array(v.string()),
  /** Empty: no limit. */
  capacity: v.pipe(
    v.string(),
    v.trim(),
    v.check(
      (value) => value === '' || (/^\d{1,3}$/.test(value) && Number(value) <= 200),
      'Enter a number from 0 to 200, or leave it empty.',
    ),
  ),
  accepting: v.boolean(),
  industries: v.array(v.string()),
  /** A date, `2026-12-04`; empty: not paused. */
  pausedUntil: v.string(),
});
type Input = v.InferOutput<typeof schema>;

const inputOf = ({ capacity, paused_until, clients: _, ...profile }: CoachProfile): Input => ({
  ...profile,
  capacity: capacity === null ? '' : String(capacity),
  pausedUntil: paused_until ?? '',
});

const INDUSTRIES = choicesOf('industry', '') ?? [];

interface CoachProfileProps {
  person: PersonPage;
  coach: CoachProfile;
  onSaved: (coach: CoachProfile) => void;
}

/** What a coach is good at and how many clients they take. */
export function CoachProfileForm({ person, coach, onSaved }: CoachProfileProps) {
  const fields = useSchemaForm<Input>(schema, save, {
    defaults: inputOf(coach),
    guarded: true,
    onError: reportError,
  });
  async function save(input: Input) {
    const { capacity, pausedUntil, ...profile } = input;
    const saved = await saveCoachProfile(await db(), person.id, {
      ...profile,
      capacity: capacity === '' ? null : Number(capacity),
      paused_until: pausedUntil || null,
    });
    fields.beginFrom(inputOf(saved));
    onSaved(saved);
    addToast({ tone: 'good', title: 'Saved.' });
  }
  const { field, form } = fields;
  return (
    <Section id="coach-profile" title="Coaching">
      <p className="mt-1 text-sm text-muted">
        {coach.clients === 0 ? (
          'No clients now.'
        ) : (
          <a className="link" href={`${hrefFor('/admin/coaching')}?coach=${person.id}`}>
            {coach.clients === 1 ? '1 client now' : `${coach.clients} clients now`}
          </a>
        )}
      </p>
      <Form of={fields} submit="Save" className="mt-4 max-w-2xl gap-5 items-start">
        <Field
          label="Most clients at the same time"
          optional
          hint="Requests go to coaches who have room. Leave it empty for no limit."
          inputMode="numeric"
          {...field('capacity')}
        />
        <Checkbox label="Takes new clients" {...form.register('accepting')} />
        <Field
          label="Paused until"
          optional
          hint="No new clients up to and including this day. Their clients stay with them."
          type="date"
          {...field('pausedUntil')}
        />
        <Choices
          legend="Good at"
          options={person.skill_areas.map(({ key, name }) => ({ value: key, label: name }))}
          chosen={coach.areas}
          registered={form.register('areas')}
        />
        <Choices
          legend="Industries they know"
          options={INDUSTRIES}
          chosen={coach.industries}
          registered={form.register('industries')}
        />
        <Field
          className="w-full"
          label="About them"
          optional
          as={TextArea}
          rows={4}
          {...field('about')}
        />
      </Form>
    </Section>
  );
}

interface ChoicesProps {
  legend: string;
  options: readonly { value: string; label: string }[];
  chosen: readonly string[];
  registered: UseFormRegisterReturn;
}

const Choices = ({ legend, options, chosen, registered }: ChoicesProps) => (
  <fieldset className="w-full">
    <legend className="text-sm font-semibold">{legend}</legend>
    <div className="mt-2 grid gap-3 sm:grid-cols-2 pointer-coarse:gap-5">
      {options.map(({ value, label }) => (
        <Checkbox
          key={value}
          label={label}
          value={value}
          defaultChecked={chosen.includes(value)}
          {...registered}
        />
      ))}
    </div>
  </fieldset>
);
