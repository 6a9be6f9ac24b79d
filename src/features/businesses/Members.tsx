import { useRef, useState } from 'react';
import type { Invitation, Member } from '#data/business-members.ts';
import type { Business } from '#data/businesses.ts';
import { dayText } from '#lib/locale/dates.ts';
import { idsByWords } from '#lib/new-id.ts';
import { invitation as invitationSchema } from '#lib/schemas/business.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Button } from '#ui/Button.tsx';
import type { Question } from '#ui/Confirm.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { useAction } from '#ui/use-action.ts';
import { useFocusBack } from '#ui/use-focus-back.ts';
import type { BusinessStore } from './business-store.ts';

interface MembersProps {
  business: Business;
  userId: string;
  timeZone: string;
  store: BusinessStore;
  onAsk: (question: Question) => void;
  /** Called when the user has left and can no longer see the page. */
  onLeft: () => void;
}

const nameOf = ({ name }: Member) => name ?? 'Unnamed member';

/** The members of a business and its invitations. The owner manages both; others can leave. */
export function Members({ business, userId, timeZone, store, onAsk, onLeft }: MembersProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusBack(
    heading,
    `${business.role} ${business.members.length} ${business.invitations.length}`,
  );
  const isOwner = business.role === 'owner';
  const isOpen = business.archived_at === null;
  const questions = memberQuestions(business, store, onLeft);
  return (
    <section id="members" aria-labelledby="members-heading" className="flex flex-col gap-5">
      <h2 id="members-heading" ref={heading} tabIndex={-1}>
        Members
      </h2>
      <ul className="card divide-y divide-line">
        {business.members.map((member) => {
          const isSelf = member.user_id === userId;
          const others = isOpen ? [questions.handOver, questions.remove] : [questions.remove];
          const own = isOwner ? [] : [questions.leave];
          return (
            <MemberRow
              key={member.user_id}
              member={member}
              isSelf={isSelf}
              timeZone={timeZone}
              actions={isSelf ? own : isOwner ? others : []}
              onAsk={onAsk}
            />
          );
        })}
      </ul>
      {isOwner && business.invitations.length > 0 && (
        <Invitations invitations={business.invitations} timeZone={timeZone} store={store} />
      )}
      {isOwner && isOpen && <InviteForm store={store} />}
    </section>
  );
}

interface MemberAction {
  label: string;
  ask: (member: Member) => Question;
}

/** What the owner can do with a member, and leaving, each with its confirmation question. */
function memberQuestions(
  business: Business,
  store: BusinessStore,
  onLeft: () => void,
): Record<'remove' | 'handOver' | 'leave', MemberAction> {
  return {
    remove: {
      label: 'Remove',
      ask: (member) => ({
        title: `Remove ${nameOf(member)}?`,
        text: 'They lose access to the business, its figures, its plan and its projects right away. Any coaching they asked for ends. Their quiz results stay theirs.',
        yes: 'Remove',
        danger: true,
        act: () => store.remove(member.user_id),
      }),
    },
    handOver: {
      label: 'Make owner',
      ask: (member) => ({
        title: `Make ${nameOf(member)} the owner?`,
        text: 'They’ll control who belongs to the business and whether it’s archived. You’ll stay a member, and only they can hand it back.',
        yes: 'Make owner',
        act: () => store.handOver(member.user_id),
      }),
    },
    leave: {
      label: 'Leave this business',
      ask: () => ({
        title: `Leave ${business.facts.name}?`,
        text: 'You lose access to it right away. To come back, you’ll need a new invitation from the owner. Your quiz results stay yours.',
        yes: 'Leave',
        danger: true,
        async act() {
          await store.leave();
          onLeft();
        },
      }),
    },
  };
}

interface MemberRowProps {
  member: Member;
  isSelf: boolean;
  timeZone: string;
  actions: readonly MemberAction[];
  onAsk: (question: Question) => void;
}

function MemberRow({ member, isSelf, timeZone, actions, onAsk }: MemberRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 p-4">
      <Avatar id={member.user_id} name={nameOf(member)} size={40} />
      <div className="min-w-40 flex-1">
        <p className="font-semibold [overflow-wrap:anywhere]">
          {nameOf(member)}
          {isSelf && <span className="font-normal text-muted"> (you)</span>}
        </p>
        <p className="text-sm text-muted">
          {member.role === 'owner' ? 'Owner' : 'Member'} since {dayText(member.joined_at, timeZone)}
        </p>
      </div>
      {actions.length > 0 && (
        <div className="-mx-3 flex flex-wrap gap-2">
          {actions.map(({ label, ask }) => (
            <Button
              key={label}
              size="small"
              variant="quiet"
              needsScript
              onClick={() => onAsk(ask(member))}
            >
              {label}
              {!isSelf && <span className="sr-only"> {nameOf(member)}</span>}
            </Button>
          ))}
        </div>
      )}
    </li>
  );
}

type InvitationsProps = Pick<MembersProps, 'timeZone' | 'store'> & { invitations: Invitation[] };

function Invitations({ invitations, timeZone, store }: InvitationsProps) {
  return (
    <div>
      <h3 id="invited">Invited</h3>
      <ul aria-labelledby="invited" className="card mt-3 divide-y divide-line">
        {invitations.map((each) => (
          <InvitationRow key={each.id} invitation={each} timeZone={timeZone} store={store} />
        ))}
      </ul>
    </div>
  );
}

type InvitationRowProps = Pick<MembersProps, 'timeZone' | 'store'> & { invitation: Invitation };

function InvitationRow({ invitation, timeZone, store }: InvitationRowProps) {
  const { id, address, sent_at, expires_at, expired } = invitation;
  const { pending, failure, run } = useAction(reportError);
  const [chosen, setChosen] = useState('');
  const button = (label: string, about: string, act: () => Promise<void>, done: string) => (
    <Button
      size="small"
      variant="quiet"
      needsScript
      pending={pending && chosen === label}
      onClick={() => {
        if (!pending) setChosen(label);
        void run(async () => {
          await act();
          addToast({ tone: 'good', title: done });
        });
      }}
    >
      {label}
      <span className="sr-only">
        {' '}
        {about} {address}
      </span>
    </Button>
  );
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 p-4">
      <div className="min-w-40 flex-1">
        <p className="font-semibold [overflow-wrap:anywhere]">{address}</p>
        <p className="text-sm text-muted">
          {expired
            ? `Expired on ${dayText(expires_at, timeZone)}`
            : `Sent on ${dayText(sent_at, timeZone)}, works until ${dayText(expires_at, timeZone)}`}
        </p>
        {failure && (
          <p role="alert" className="mt-1 text-sm text-danger">
            {failure.message}
          </p>
        )}
      </div>
      <div className="-mx-3 flex flex-wrap gap-2">
        {button('Send again', 'to', () => store.resend(id), 'Sent again.')}
        {button('Cancel', 'the invitation to', () => store.revoke(id), 'Invitation canceled.')}
      </div>
    </li>
  );
}

function InviteForm({ store }: { store: BusinessStore }) {
  // A retry keeps the id, so one email is sent; a later invitation to the address sends another.
  const [ids, setIds] = useState(() => ({ of: idsByWords() }));
  const { submit, field, failure, pending, beginFrom } = useSchemaForm<{
    address: string;
  }>(
    invitationSchema,
    async ({ address }) => {
      await store.invite(ids.of(address), address);
      setIds({ of: idsByWords() });
      beginFrom({ address: '' });
      addToast({ tone: 'good', title: `Sent to ${address}.` });
    },
    { guarded: true },
  );
  return (
    <form
      method="post"
      noValidate
      onSubmit={submit}
      className="no-print flex max-w-xl flex-col gap-3"
    >
      <h3>Invite someone</h3>
      <p className="-mt-1 text-sm text-muted">
        They’ll get an email with a link that works for 14 days, and can see and edit everything on
        this page. Quiz answers stay private.
      </p>
      <div className="flex flex-col gap-3 sm:flex-row sm:items-start">
        <Field
          label="Their email"
          type="email"
          autoComplete="off"
          className="grow"
          {...field('address')}
        />
        <Button type="submit" className="sm:mt-7" pending={pending} needsScript>
          Send
        </Button>
      </div>
      <Failure failure={failure} title="Not sent" />
    </form>
  );
}
