import { useRef, useState } from 'react';
import * as v from 'valibot';
import { type CoachSettings, createTimeOff, removeTimeOff } from '#data/coach-settings.ts';
import { db } from '#lib/db.ts';
import { addDays, calendarDayText } from '#lib/locale/dates.ts';
import { idsByWords } from '#lib/new-id.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Form } from '#ui/forms/Form.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Section } from '#ui/Section.tsx';
import { useAction } from '#ui/use-action.ts';
import { useFocusBack } from '#ui/use-focus-back.ts';

interface TimeOffProps {
  settings: CoachSettings;
  today: string;
  /** Stores a change. Throws an AppError. */
  onStore: (change: () => Promise<void>) => Promise<void>;
}

const schema = v.pipe(
  v.object({
    startsOn: v.pipe(v.string(), v.minLength(1, 'Choose the first day.')),
    endsOn: v.pipe(v.string(), v.minLength(1, 'Choose the last day.')),
    note: textUpTo(200),
  }),
  v.forward(
    v.check(({ startsOn, endsOn }) => endsOn >= startsOn, 'Choose a day after the first.'),
    ['endsOn'],
  ),
);
type Input = v.InferOutput<typeof schema>;

/** Days on which nobody can ask for this coach. Sessions that are planned stay. */
export function TimeOffSection({ settings, today, onStore }: TimeOffProps) {
  const { run, pending, failure } = useAction(reportError);
  const [removing, setRemoving] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusBack(heading, settings.time_off.length);
  const remove = (id: string) => {
    setRemoving(id);
    void run(() => onStore(async () => removeTimeOff(await db(), id)));
  };
  return (
    <Section id="time-off" title="Time off" headingRef={heading} className="card p-5 md:p-6">
      <p className="mt-1 max-w-[60ch] text-sm text-muted">
        On these days owners can’t choose you. Move or cancel sessions that are planned then on the
        client’s page.
      </p>
      <Failure failure={failure} title="Not removed" />
      <ul className="mt-3 flex flex-col divide-y divide-line empty:hidden">
        {settings.time_off.map(({ id, starts_on, ends_on, note }) => {
          const days =
            starts_on === ends_on
              ? calendarDayText(starts_on)
              : `${calendarDayText(starts_on)} to ${calendarDayText(ends_on)}`;
          return (
            <li
              key={id}
              className="flex flex-wrap items-center justify-between gap-3 py-2.5 text-sm"
            >
              <span className="min-w-0 wrap-anywhere">
                {days}
                {note && <span className="block text-xs text-muted">{note}</span>}
              </span>
              <Button
                size="small"
                variant="secondary"
                pending={pending && removing === id}
                needsScript
                onClick={() => remove(id)}
              >
                Remove<span className="sr-only"> {days}</span>
              </Button>
            </li>
          );
        })}
      </ul>
      <NewTimeOff today={today} onStore={onStore} />
    </Section>
  );
}

function NewTimeOff({ today, onStore }: Omit<TimeOffProps, 'settings'>) {
  const [idOf] = useState(idsByWords);
  const blank = { startsOn: '', endsOn: '', note: '' };
  const fields = useSchemaForm<Input>(
    schema,
    async (input) => {
      const { startsOn: starts_on, endsOn: ends_on, note } = input;
      const off = { id: idOf(input), starts_on, ends_on, note: note || null };
      await onStore(async () => createTimeOff(await db(), off));
      fields.form.reset(blank);
    },
    { defaults: blank },
  );
  const { field } = fields;
  const last = addDays(today, 366);
  return (
    <Form
      of={fields}
      submit="Add time off"
      variant="secondary"
      size="small"
      className="mt-4 items-start gap-4"
    >
      <div className="grid w-full gap-4 sm:grid-cols-[10rem_10rem_minmax(0,1fr)]">
        <Field label="First day" type="date" min={today} max={last} {...field('startsOn')} />
        <Field label="Last day" type="date" min={today} max={last} {...field('endsOn')} />
        <Field label="Note" optional {...field('note')} />
      </div>
    </Form>
  );
}
