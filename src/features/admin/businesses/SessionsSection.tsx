import { useState } from 'react';
import type { SessionsLeft } from '#data/session-grants.ts';
import { GRANT_LABELS } from '#domain/session-grant.ts';
import { dayText } from '#lib/locale/dates.ts';
import { Button } from '#ui/Button.tsx';
import { Section } from '#ui/Section.tsx';
import { useOpenedPart } from '#ui/use-part.ts';

interface SessionsProps {
  business: { id: string; name: string };
  sessions: SessionsLeft;
  timeZone: string;
  /** Whether more can be given: not to an archived business. */
  canGive: boolean;
  onGiven: () => void;
}

const loadDialog = () => import('./GiveSessionsDialog.tsx');

/** The coaching sessions a business can use, and a way to give it some. */
export function SessionsSection(props: SessionsProps) {
  const { business, sessions, timeZone, canGive, onGiven } = props;
  const [isGiving, setGiving] = useState(false);
  const close = () => setGiving(false);
  const dialog = useOpenedPart(loadDialog, isGiving, close);
  return (
    <Section id="coaching-sessions" title="Coaching sessions">
      <p className="mt-2">
        {sessions.left} left
        {sessions.booked > 0 && `, ${sessions.booked} scheduled`}
      </p>
      <ul className="mt-1 text-sm text-muted">
        {sessions.grants.map(({ id, kind, left, sessions: of, ends_at, held }) => (
          <li key={id}>
            {GRANT_LABELS[kind]}: {left} of {of} left, good until {dayText(ends_at, timeZone)}
            {held && ', held until the invoice is paid'}
          </li>
        ))}
      </ul>
      {canGive && (
        <Button size="small" variant="secondary" className="mt-3" onClick={() => setGiving(true)}>
          Give sessions
        </Button>
      )}
      {isGiving && dialog && (
        <dialog.GiveSessionsDialog business={business} onClose={close} onGiven={onGiven} />
      )}
    </Section>
  );
}
