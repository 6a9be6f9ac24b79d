import { useRef, useState } from 'react';
import {
  acceptOwnInvitation,
  declineOwnInvitation,
  type OwnInvitation,
} from '#data/business-members.ts';
import { dayText } from '#lib/dates.ts';
import { addToast } from '#stores/toasts.ts';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { InvitationButtons, useInvitation } from './use-invitation.tsx';

interface OwnInvitationsProps {
  initial: OwnInvitation[];
  timeZone: string;
}

/** Businesses that ask the person to join, without looking for the mail. */
export function OwnInvitations({ initial, timeZone }: OwnInvitationsProps) {
  const [open, setOpen] = useState(initial);
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusBack(heading, open);
  return (
    <section aria-labelledby="invitations" className="mb-8">
      <h2 id="invitations" ref={heading} tabIndex={-1} className="mb-3 text-lg">
        {open.length === 0 ? 'No invitation is left' : 'You are invited'}
      </h2>
      {open.length > 0 && (
        <ul className="card divide-y divide-line" aria-labelledby="invitations">
          {open.map((invitation) => (
            <Row
              key={invitation.id}
              invitation={invitation}
              timeZone={timeZone}
              onDeclined={() => setOpen((all) => all.filter(({ id }) => id !== invitation.id))}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

interface RowProps {
  invitation: OwnInvitation;
  timeZone: string;
  onDeclined: () => void;
}

function Row({ invitation, timeZone, onDeclined }: RowProps) {
  const { id, business, invited_by: inviter, expires_at: until } = invitation;
  const answer = useInvitation({
    accept: (client) => acceptOwnInvitation(client, id),
    decline: (client) => declineOwnInvitation(client, id),
    onDeclined() {
      addToast({ tone: 'good', title: `You have said no to ${business}.` });
      onDeclined();
    },
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 p-5">
      <div className="min-w-48 flex-1">
        <p className="font-semibold [overflow-wrap:anywhere]">{business}</p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          {inviter ?? 'The owner'} asks you to work on it together, until {dayText(until, timeZone)}
        </p>
        {answer.failure && (
          <p role="alert" className="mt-2 text-sm font-medium text-danger">
            {answer.failure.message}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <InvitationButtons answer={answer} business={business} />
      </div>
    </li>
  );
}
