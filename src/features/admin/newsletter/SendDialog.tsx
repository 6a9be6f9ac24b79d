import { useState } from 'react';
import * as v from 'valibot';
import type { NewsletterIssue } from '#data/newsletter.ts';
import { daysSinceLast } from '#domain/newsletter.ts';
import { addDays, instantOf, today } from '#lib/locale/dates.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { reportError } from '#stores/session.ts';
import { Failure } from '#ui/Failure.tsx';
import { Chips } from '#ui/forms/Chips.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Notice } from '#ui/Notice.tsx';

interface SendDialogProps {
  issue: NewsletterIssue;
  /** The admin's IANA time zone. */
  timeZone: string;
  /** Sends it now (null) or at an ISO time. Throws an AppError. */
  onSend: (at: string | null) => Promise<void>;
  onClose: () => void;
}

const people = (count: number) => `${wholeText(count)} ${count === 1 ? 'person' : 'people'}`;
const WHEN = [
  ['now', 'Now'],
  ['later', 'Later'],
] as const;

/** Asks when to send an issue, and says to how many. */
export function SendDialog({ issue, timeZone, onSend, onClose }: SendDialogProps) {
  const [when, setWhen] = useState<'now' | 'later'>('now');
  const isLater = when === 'later';
  const fields = useSchemaForm<{ day: string; time: string }>(
    v.object({ day: v.string(), time: v.string() }),
    async ({ day, time }) => {
      await onSend(isLater ? instantOf(day, time, timeZone) : null);
      onClose();
    },
    {
      defaults: { day: addDays(today(timeZone), 1), time: '09:00' },
      onError: reportError,
    },
  );
  const days = daysSinceLast(issue.last_begun_at, new Date());
  return (
    <FormDialog
      fields={fields}
      title={`Send to ${people(issue.subscribers)}?`}
      description="Everyone who has confirmed their subscription by then gets it once. What’s been sent can’t be changed, and it’s on the newsletter page for everyone to read."
      action={isLater ? 'Schedule it' : 'Send it'}
      onClose={onClose}
    >
      <Failure failure={fields.failure} />
      {days !== null && (
        <Notice tone="caution" title="We promise at most one a month">
          The last issue went out{' '}
          {days === 0 ? 'today' : days === 1 ? 'yesterday' : `${days} days ago`}.
        </Notice>
      )}
      <Chips legend="When" options={WHEN} chosen={when} onChoose={setWhen} />
      {isLater && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Day" type="date" required {...fields.field('day')} />
          <Field label="Time" type="time" required {...fields.field('time')} />
        </div>
      )}
    </FormDialog>
  );
}
