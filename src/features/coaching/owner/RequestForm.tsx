import { useRef, useState } from 'react';
import type { CoachingRequest } from '#data/coaching.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { RadioCard } from '#ui/forms/RadioCard.tsx';
import { ReadyFieldset } from '#ui/forms/ReadyFieldset.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Section } from '#ui/Section.tsx';
import { useOpenedPart } from '#ui/use-part.ts';
import type { CoachingStore } from '../coaching-store.ts';
import { loadChoices } from './choices.ts';
import type { Reader } from './reader.ts';
import { type CoachingRequestInput, coachingRequest } from './request-schema.ts';

interface RequestProps {
  store: CoachingStore;
  /** The businesses without open coaching; at least one. */
  businesses: { id: string; name: string }[];
  areas: readonly { key: string; name: string }[];
  /** The areas that a link to this page chose; empty without one. */
  chosenAreas: readonly string[];
  /** The areas that each business's latest result recommends. */
  topics: readonly { business_id: string; areas: string[] }[];
  /** Whether another business already has open coaching. */
  another: boolean;
  reader: Reader;
}

/** Requests a coach. It keeps what the user typed before hydration or before a failed request. */
export function RequestForm(props: RequestProps) {
  const { store, businesses, another } = props;
  const element = useRef<HTMLFormElement>(null);
  const [coachId, setCoachId] = useState<string | null>(null);
  const { form, field, submit, failure, pending } = useSchemaForm<CoachingRequestInput>(
    coachingRequest,
    (input) => {
      const request: CoachingRequest = { ...input, areas: checkedAreas(element.current), coachId };
      return store.request(request);
    },
    { guarded: true },
  );
  const only = businesses.length === 1 ? businesses[0] : undefined;
  const businessId = form.watch('businessId') || businesses[0]?.id || '';
  return (
    <Section
      id="ask"
      title={another ? 'A coach for another business' : 'Ask for a coach'}
      titleClass=""
      className="card p-5 md:p-6"
    >
      <p className="mt-2 max-w-[60ch] text-muted">
        {only ? `For ${only.name}. ` : ''}Say as much or as little as you like. A person reads it.
      </p>
      <form
        method="post"
        noValidate
        ref={element}
        onSubmit={submit}
        className="mt-6 flex max-w-2xl flex-col gap-7"
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
        <Topics key={businessId} {...props} businessId={businessId} />
        <Field
          label="What would you like help with?"
          optional
          as={TextArea}
          rows={5}
          hint="What’s going on, what you’ve tried, and how soon you need help. 2,000 characters at most."
          {...field('note')}
        />
        <Who
          key={`who ${businessId}`}
          {...props}
          businessId={businessId}
          form={element}
          coachId={coachId}
          onChoose={setCoachId}
        />
        <Checkbox
          label="Let my coach read my results"
          hint="Every answer, what changed since, and what you’re working on. Only while this is checked, and only the first coach we ask: if you get another one, we ask you again."
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

/** What's checked in the form, also before it was hydrated. */
const checkedAreas = (form: HTMLFormElement | null): string[] =>
  form ? new FormData(form).getAll('areas').map(String) : [];

function Topics({ areas, chosenAreas, topics, businessId }: RequestProps & { businessId: string }) {
  const weak = topics.find(({ business_id }) => business_id === businessId)?.areas ?? [];
  const isLinked = areas.some(({ key }) => chosenAreas.includes(key));
  const checked = isLinked ? chosenAreas : weak;
  return (
    <fieldset aria-describedby={checked === weak && weak.length > 0 ? 'topics-from' : undefined}>
      <legend className="text-sm font-semibold">
        What’s it about? <span className="font-normal text-muted">(optional)</span>
      </legend>
      {checked === weak && weak.length > 0 && (
        <p id="topics-from" className="mt-0.5 text-xs text-muted">
          Checked: what your latest result recommends. Change it as you like.
        </p>
      )}
      <div className="mt-3 grid gap-x-6 gap-y-4 sm:grid-cols-2">
        {areas.map(({ key, name }) => (
          <Checkbox
            key={key}
            name="areas"
            value={key}
            label={name}
            defaultChecked={checked.includes(key)}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface WhoProps extends RequestProps {
  businessId: string;
  form: React.RefObject<HTMLFormElement | null>;
  coachId: string | null;
  onChoose: (coachId: string | null) => void;
}

/** Whether we find a coach, or the owner chooses one of those who have room. */
function Who({ store, businessId, areas, reader, form, coachId, onChoose }: WhoProps) {
  /** The areas to choose a coach for; null while we find one. */
  const [asked, setAsked] = useState<string[] | null>(null);
  const part = useOpenedPart(loadChoices, asked !== null, () => setAsked(null));
  const match = () => {
    setAsked(null);
    onChoose(null);
  };
  return (
    <div className="flex flex-col gap-4">
      <ReadyFieldset className="flex flex-col gap-2">
        <legend className="mb-2 text-sm font-semibold">Who would you like?</legend>
        <RadioCard name="who" checked={asked === null} onChange={match}>
          Match me with someone
          <span className="block text-xs text-muted">
            We ask a coach who knows these subjects and has room, within three business days.
          </span>
        </RadioCard>
        <RadioCard
          name="who"
          checked={asked !== null}
          onChange={() => setAsked(checkedAreas(form.current))}
        >
          Let me choose
          <span className="block text-xs text-muted">
            See who has room and why they’d fit. We ask them right away.
          </span>
        </RadioCard>
      </ReadyFieldset>
      {asked && part && (
        <part.CoachChoices
          store={store}
          asked={{ businessId, areas: asked }}
          areas={areas}
          reader={reader}
          chosen={coachId}
          onChoose={({ user_id }) => onChoose(user_id)}
        />
      )}
    </div>
  );
}
