import { useRef, useState } from 'react';
import {
  acceptOwnInvitation,
  declineOwnInvitation,
  type OwnInvitation,
} from '#data/business-members.ts';
import { chooseBusiness } from '#lib/business-choice.ts';
import { dayText } from '#lib/dates.ts';
import { db } from '#lib/db.ts';
import type { AppError } from '#lib/errors.ts';
import { hrefFor } from '#lib/routes.ts';
import { notifyTabs, reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useReady } from '#ui/use-ready.ts';

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
  const ready = useReady();
  const [pending, setPending] = useState<'join' | 'decline' | null>(null);
  const [failure, setFailure] = useState<AppError | null>(null);

  async function answer(which: 'join' | 'decline') {
    setPending(which);
    setFailure(null);
    try {
      if (which === 'decline') {
        await declineOwnInvitation(await db(), id);
        addToast({ tone: 'good', title: `You have said no to ${business}.` });
        onDeclined();
        return;
      }
      const { business_id: joined } = await acceptOwnInvitation(await db(), id);
      chooseBusiness(joined);
      notifyTabs('changed');
      location.assign(hrefFor('/dashboard/businesses/[id]', { id: joined }));
    } catch (thrown) {
      setFailure(reportError(thrown));
      setPending(null);
    }
  }

  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 p-5">
      <div className="min-w-48 flex-1">
        <p className="font-semibold [overflow-wrap:anywhere]">{business}</p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          {inviter ?? 'The owner'} asks you to work on it together, until {dayText(until, timeZone)}
        </p>
        {failure && (
          <p role="alert" className="mt-2 text-sm font-medium text-danger">
            {failure.message}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          pending={pending === 'join'}
          disabled={!ready || pending === 'decline'}
          onClick={() => void answer('join')}
        >
          Join<span className="sr-only"> {business}</span>
        </Button>
        <Button
          variant="quiet"
          pending={pending === 'decline'}
          disabled={!ready || pending === 'join'}
          onClick={() => void answer('decline')}
        >
          No, thank you<span className="sr-only"> to {business}</span>
        </Button>
      </div>
    </li>
  );
}
