import { type ReactNode, useState } from 'react';
import {
  acceptInvitation,
  declineInvitation,
  type InvitationView,
} from '#data/business-members.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { InvitationButtons, useInvitation } from './OwnInvitations.tsx';

export interface InvitationInitial {
  view: InvitationView;
  token: string;
  timeZone: string;
}

const toList = (
  <Button variant="secondary" href={hrefFor('/dashboard/businesses')}>
    Go to your businesses
  </Button>
);

/** An invitation that was emailed, and what the user can do with it. */
function InvitationScreen({ initial }: { initial: InvitationInitial }) {
  const { view } = initial;
  switch (view.state) {
    case 'open':
      return <OpenInvitation {...initial} view={view} />;
    case 'accepted':
      return (
        <Said title={`You’ve already joined ${view.business}`} action={toList}>
          If you’ve left since, ask for a new invitation.
        </Said>
      );
    case 'other-address':
      return (
        <Said
          title="This invitation is for a different email address"
          action={
            <Button variant="secondary" href={hrefFor('/logout')}>
              Use another account
            </Button>
          }
        >
          You’re signed in as {view.your_address}. An invitation only works with the email address
          it was sent to. Sign in with that one, or ask for a new invitation to this one.
        </Said>
      );
    case 'unconfirmed':
      return (
        <Said title="Confirm your email first" action={toList}>
          Open the email we sent to {view.your_address} when you registered, then open the
          invitation again.
        </Said>
      );
    case 'expired':
    case 'over':
      return (
        <Said title="This invitation no longer works" action={toList}>
          {view.state === 'expired' ? 'It expired.' : 'It was canceled or already answered.'} Ask{' '}
          {view.invited_by ?? (view.role === 'owner' ? 'us' : 'the owner')} for a new one.
        </Said>
      );
    default:
      return (
        <Said title="This invitation no longer works" action={toList}>
          The link is incomplete, or a newer email replaced it. Open the link in the latest email.
        </Said>
      );
  }
}

type OpenView = Extract<InvitationView, { business_id: string }>;

function OpenInvitation({ view, token, timeZone }: InvitationInitial & { view: OpenView }) {
  const [declined, setDeclined] = useState(false);
  const answer = useInvitation({
    accept: (client) => acceptInvitation(client, token),
    decline: (client) => declineInvitation(client, token),
    onDeclined: () => setDeclined(true),
  });
  if (declined) {
    return (
      <Said title="You declined" action={toList}>
        The link no longer works. If you change your mind, ask for a new invitation.
      </Said>
    );
  }
  return (
    <Said title={`Join ${view.business}?`} action={<InvitationButtons answer={answer} />}>
      <p>
        {view.role === 'owner'
          ? 'We’ve added it for you. It’s yours if you’re the first to join, with its figures, one-page plan and projects.'
          : `${view.invited_by ?? 'The owner'} is inviting you to work on it together: its figures, one-page plan and projects.`}{' '}
        Everyone in the business will see your name, but your quiz answers stay private. The
        invitation works until {dayText(view.expires_at, timeZone)}.
      </p>
      <Failure failure={answer.failure} className="mt-4" />
    </Said>
  );
}

function Said(props: { title: string; children: ReactNode; action: ReactNode }) {
  const { title, children, action } = props;
  return (
    <section className="card max-w-xl p-6 md:p-8">
      <h1 className="text-xl [overflow-wrap:anywhere]">{title}</h1>
      <div className="mt-3 text-muted [overflow-wrap:anywhere]">{children}</div>
      <div className="mt-6 flex flex-wrap gap-3">{action}</div>
    </section>
  );
}

export default screen(InvitationScreen);
