import { useRef } from 'react';
import type { SkillArea } from '#data/coaching.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Section } from '#ui/Section.tsx';
import type { CoachingRequest } from './coaching-store.ts';
import { type CoachingRequestInput, coachingRequest } from './request-schema.ts';

interface RequestProps {
  /** The businesses without an open engagement; at least one. */
  businesses: { id: string; name: string }[];
  areas: SkillArea[];
  chosenAreas: string[];
  /** Whether another business already has an open engagement. */
  another: boolean;
  /** Throws an AppError. */
  onRequest: (request: CoachingRequest) => Promise<void>;
}

/** Requests a coach. It keeps what the user typed before hydration or before a failed request. */
export function RequestForm({ businesses, areas, chosenAreas, another, onRequest }: RequestProps) {
  const element = useRef<HTMLFormElement>(null);
  const { form, field, submit, failure, pending } = useSchemaForm<CoachingRequestInput>(
    coachingRequest,
    (input) => {
      const checked = element.current ? new FormData(element.current).getAll('areas') : [];
      return onRequest({ ...input, areas: checked.map(String) });
    },
    { guarded: true },
  );
  const only = businesses.length === 1 ? businesses[0] : undefined;
  return (
    <Section
      id="ask"
      title={another ? 'A coach for another business' : 'Ask for a coach'}
      titleClass=""
      className="card p-6 md:p-8"
    >
      <p className="mt-2 max-w-[60ch] text-muted">
        {only ? `For ${only.name}. ` : ''}Say as much or as little as you like. A person reads it.
      </p>
      <form
        method="post"
        noValidate
        ref={element}
        onSubmit={submit}
        className="mt-6 flex max-w-2xl flex-col gap-6"
      >
        {only ? (
          <input type="hidden" value={only.id} {...form.register('businessId')} />
        ) : (
          <Field
            label="Which business?"
            as={Select}
            options={businesses.map(({ id, name }) => ({ value: id, label: name }))}
            {...field('businessId')}
          />
        )}
        <Areas areas={areas} chosenAreas={chosenAreas} />
        <Field
          label="What would you like help with?"
          optional
          as={TextArea}
          rows={5}
          hint="What’s going on, what you’ve tried, and how soon you need help. 2,000 characters at most."
          {...field('note')}
        />
        <Checkbox
          label="Let my coach read my submitted results"
          hint="Only results you’ve submitted, and only while this is checked. You can clear it anytime."
          {...form.register('share')}
        />
        <Failure failure={failure} title="Not sent" />
        <Button type="submit" className="self-start" pending={pending} needsScript>
          Ask for a coach
        </Button>
      </form>
    </Section>
  );
}

const Areas = ({ areas, chosenAreas }: Pick<RequestProps, 'areas' | 'chosenAreas'>) => (
  <fieldset>
    <legend className="text-sm font-semibold">
      What’s it about? <span className="font-normal text-muted">(optional)</span>
    </legend>
    <div className="mt-3 grid gap-x-6 gap-y-4 sm:grid-cols-2">
      {areas.map(({ key, name }) => (
        <Checkbox
          key={key}
          name="areas"
          value={key}
          label={name}
          defaultChecked={chosenAreas.includes(key)}
        />
      ))}
    </div>
  </fieldset>
);
