import { useRef, useState } from 'react';
import {
  acceptOwnInvitation,
  declineOwnInvitation,
  type OwnInvitation,
} from '#data/business-members.ts';
import { chooseBusiness } from '#lib/business-choice.ts';
import { db } from '#lib/db.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import type { Db } from '#lib/supabase.ts';
import { notifyTabs, reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { useAction } from '#ui/use-action.ts';
import { useFocusBack } from '#ui/use-focus-back.ts';

interface InvitationDeps {
  /** Both throw an AppError. */
  accept: (client: Db) => Promise<{ business_id: string }>;
  decline: (client: Db) => Promise<void>;
  onDeclined: () => void;
}

/** Accepts or declines an invitation; accepting opens the business. */
export function useInvitation({ accept, decline, onDeclined }: InvitationDeps) {
  const { pending, failure, run } = useAction(reportError);
  const [choice, setChoice] = useState<'join' | 'decline'>('join');

  function join() {
    setChoice('join');
    return run(async () => {
      const { business_id: id } = await accept(await db());
      chooseBusiness(id);
      notifyTabs('changed');
      location.assign(hrefFor('/dashboard/businesses/[id]', { id }));
      // Keep the buttons pending until the next page loads.
      await new Promise(() => {});
    });
  }

  function refuse() {
    setChoice('decline');
    return run(async () => {
      await decline(await db());
      onDeclined();
    });
  }

  return { failure, join, refuse, pending: pending ? choice : null };
}

interface ButtonsProps {
  answer: ReturnType<typeof useInvitation>;
  /** The business's name for screen readers, if there are several invitations. */
  business?: string;
}

export function InvitationButtons({ answer: { pending, join, refuse }, business }: ButtonsProps) {
  return (
    <>
      <Button
        pending={pending === 'join'}
        needsScript
        disabled={pending === 'decline'}
        onClick={() => void join()}
      >
        Join{business && <span className="sr-only"> {business}</span>}
      </Button>
      <Button
        variant="quiet"
        pending={pending === 'decline'}
        needsScript
        disabled={pending === 'join'}
        onClick={() => void refuse()}
      >
        Decline{business && <span className="sr-only"> {business}</span>}
      </Button>
    </>
  );
}

interface OwnInvitationsProps {
  initial: OwnInvitation[];
  timeZone: string;
}

/** The user's open invitations, so they don't have to look for the emails. */
export function OwnInvitations({ initial, timeZone }: OwnInvitationsProps) {
  const [open, setOpen] = useState(initial);
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusBack(heading, open);
  return (
    <section aria-labelledby="invitations" className="mb-8">
      <h2 id="invitations" ref={heading} tabIndex={-1} className="mb-3 text-lg">
        {open.length === 0 ? 'No more invitations' : 'You’re invited'}
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
  const { id, business, invited_by: inviter, expires_at: until, role } = invitation;
  const answer = useInvitation({
    accept: (client) => acceptOwnInvitation(client, id),
    decline: (client) => declineOwnInvitation(client, id),
    onDeclined() {
      addToast({ tone: 'good', title: `You declined the invitation to ${business}.` });
      onDeclined();
    },
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 p-5">
      <div className="min-w-48 flex-1">
        <p className="font-semibold [overflow-wrap:anywhere]">{business}</p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          {role === 'owner'
            ? 'We’ve added it for you. Join, and it’s yours.'
            : `${inviter ?? 'The owner'} invited you to work on it together.`}{' '}
          Works until {dayText(until, timeZone)}.
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
