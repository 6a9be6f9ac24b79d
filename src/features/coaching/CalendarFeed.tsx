import { useRef, useState } from 'react';
import { createCalendarFeed, removeCalendarFeed } from '#data/calendar-feed.ts';
import { browserConfig } from '#lib/app-config.ts';
import { db } from '#lib/db.ts';
import { dayText } from '#lib/locale/dates.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Confirm, type Question } from '#ui/Confirm.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { useAction } from '#ui/use-action.ts';

interface CalendarFeedProps {
  /** When the feed was created; null without one. */
  since: string | null;
  timeZone: string;
}

const REMOVE = {
  title: 'Remove this calendar?',
  text: 'Calendar apps that use the address stop getting your dates. You can create a new one anytime.',
  yes: 'Remove',
  danger: true,
};

const REPLACE = {
  title: 'Replace the address?',
  text: 'The old one stops working, so add the new one to your calendar app.',
  yes: 'Replace',
};

/** The private calendar of sessions and due dates: create its address, copy it once, remove it. */
export function CalendarFeed({ since: initial, timeZone }: CalendarFeedProps) {
  const [since, setSince] = useState(initial);
  const [address, setAddress] = useState<string | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const { run, pending, failure } = useAction(reportError);
  const heading = useRef<HTMLHeadingElement>(null);

  async function create() {
    const { path } = await createCalendarFeed(await db());
    const { supabaseUrl } = await browserConfig();
    setAddress(new URL(path, supabaseUrl).href);
    setSince(new Date().toISOString());
  }

  async function remove() {
    await removeCalendarFeed(await db());
    setAddress(null);
    setSince(null);
    heading.current?.focus();
  }

  return (
    <section aria-labelledby="calendar" className="card p-5 md:p-6">
      <h2 id="calendar" ref={heading} tabIndex={-1} className="text-lg">
        In your own calendar
      </h2>
      <p className="mt-1 max-w-[60ch] text-sm text-muted">
        A private address that calendar apps subscribe to: your sessions, and when your actions and
        projects are due. It stays up to date by itself.
      </p>
      {address && <Address address={address} />}
      {since && !address && (
        <p className="mt-3 text-sm">
          Created on {dayText(since, timeZone)}. We only show an address once.
        </p>
      )}
      <Failure className="mt-4" failure={failure} title="There’s no address yet" />
      <div className="mt-4 flex flex-wrap gap-2">
        {since ? (
          <>
            <Button
              size="small"
              variant="secondary"
              needsScript
              onClick={() => setQuestion({ ...REPLACE, act: create })}
            >
              Replace the address
            </Button>
            <Button
              size="small"
              variant="quiet"
              needsScript
              onClick={() => setQuestion({ ...REMOVE, act: remove })}
            >
              Remove
            </Button>
          </>
        ) : (
          <Button
            size="small"
            variant="secondary"
            needsScript
            pending={pending}
            onClick={() => void run(create)}
          >
            Create an address
          </Button>
        )}
      </div>
      <Confirm question={question} onClose={() => setQuestion(null)} onError={reportError} />
    </section>
  );
}

/** The address, to copy. It's focused so that it can be copied by hand too. */
function Address({ address }: { address: string }) {
  const [copied, setCopied] = useState<'no' | 'yes' | 'failed'>('no');
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => setCopied('yes'),
      () => setCopied('failed'),
    );
  return (
    <div className="mt-4 flex flex-col gap-2">
      <div className="flex flex-wrap items-end gap-3">
        <Field
          label="Your calendar’s address"
          hint="Copy it now: we only show it once. Anyone who has it can see these dates."
          className="min-w-0 grow basis-72"
          readOnly
          autoFocus
          value={address}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button onClick={() => void copy()}>Copy</Button>
      </div>
      <p role="status" className="text-xs text-muted">
        {copied === 'yes' && 'Copied. In your calendar app, choose “Subscribe” or “From URL”.'}
        {copied === 'failed' && 'Your browser didn’t allow that. Select the address and copy it.'}
      </p>
    </div>
  );
}
