import { useRef, useState } from 'react';
import type { Invitation, Member } from '#data/business-members.ts';
import type { Business } from '#data/businesses.ts';
import { dayText } from '#lib/dates.ts';
import type { AppError } from '#lib/errors.ts';
import { idsByWords } from '#lib/new-id.ts';
import { invitation as invitationSchema } from '#lib/schemas.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Button } from '#ui/Button.tsx';
import type { Question } from '#ui/Confirm.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useReady } from '#ui/use-ready.ts';
import type { BusinessStore } from './business-store.ts';

interface MembersProps {
  business: Business;
  userId: string;
  timeZone: string;
  store: BusinessStore;
  onAsk: (question: Question) => void;
  /** The person has left: the page is no longer theirs. */
  onLeft: () => void;
}

/** Who belongs to a business and who is invited. The owner decides; everyone else may leave. */
export function Members({ business, userId, timeZone, store, onAsk, onLeft }: MembersProps) {
  const ready = useReady();
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusBack(
    heading,
    `${business.role} ${business.members.length} ${business.invitations.length}`,
  );
  const owner = business.role === 'owner';
  const open = business.archived_at === null;
  const nameOf = ({ name }: Member) => name ?? 'A member without a name';

  const remove = (member: Member): Question => ({
    title: `Remove ${nameOf(member)}?`,
    text: 'They no longer see the business, its figures, its plan or its projects, from that moment on. Coaching that they asked for ends. Their quiz results stay theirs.',
    yes: 'Remove',
    danger: true,
    act: () => store.remove(member.user_id),
  });
  const handOver = (member: Member): Question => ({
    title: `Make ${nameOf(member)} the owner?`,
    text: 'They decide who belongs to the business and whether it is archived. You stay as a member, and only they can give it back.',
    yes: 'Hand the business over',
    act: () => store.handOver(member.user_id),
  });
  const leave: Question = {
    title: `Leave ${business.facts.name}?`,
    text: 'You no longer see it. To come back, the owner has to invite you again. Your quiz results stay yours.',
    yes: 'Leave',
    danger: true,
    async act() {
      await store.leave();
      onLeft();
    },
  };

  return (
    <section id="members" aria-labelledby="members-heading" className="flex flex-col gap-5">
      <h2 id="members-heading" ref={heading} tabIndex={-1}>
        Members
      </h2>
      <ul className="card divide-y divide-line">
        {business.members.map((member) => (
          <li key={member.user_id} className="flex flex-wrap items-center gap-x-4 gap-y-2 p-4">
            <Avatar name={nameOf(member)} size={40} />
            <div className="min-w-40 flex-1">
              <p className="font-semibold [overflow-wrap:anywhere]">
                {nameOf(member)}
                {member.user_id === userId && (
                  <span className="font-normal text-muted"> (you)</span>
                )}
              </p>
              <p className="text-sm text-muted">
                {member.role === 'owner' ? 'Owner' : 'Member'} since{' '}
                {dayText(member.joined_at, timeZone)}
              </p>
            </div>
            {owner && member.user_id !== userId && (
              <div className="-mx-3 flex flex-wrap gap-2">
                {open && (
                  <Button
                    size="small"
                    variant="quiet"
                    disabled={!ready}
                    onClick={() => onAsk(handOver(member))}
                  >
                    Make owner<span className="sr-only"> {nameOf(member)}</span>
                  </Button>
                )}
                <Button
                  size="small"
                  variant="quiet"
                  disabled={!ready}
                  onClick={() => onAsk(remove(member))}
                >
                  Remove<span className="sr-only"> {nameOf(member)}</span>
                </Button>
              </div>
            )}
            {!owner && member.user_id === userId && (
              <Button
                size="small"
                variant="quiet"
                className="-mx-3"
                disabled={!ready}
                onClick={() => onAsk(leave)}
              >
                Leave this business
              </Button>
            )}
          </li>
        ))}
      </ul>
      {owner && business.invitations.length > 0 && (
        <Invitations invitations={business.invitations} timeZone={timeZone} store={store} />
      )}
      {owner && open && <InviteForm store={store} />}
    </section>
  );
}

function Invitations({
  invitations,
  timeZone,
  store,
}: {
  invitations: Invitation[];
  timeZone: string;
  store: BusinessStore;
}) {
  const ready = useReady();
  const [busy, setBusy] = useState<string | null>(null);
  const [failure, setFailure] = useState<{ id: string; error: AppError } | null>(null);

  async function act(id: string, what: string, work: () => Promise<void>, said: string) {
    if (busy) return;
    setBusy(`${what} ${id}`);
    setFailure(null);
    try {
      await work();
      addToast({ tone: 'good', title: said });
    } catch (thrown) {
      setFailure({ id, error: reportError(thrown) });
    }
    setBusy(null);
  }

  return (
    <div>
      <h3 id="invited">Invited</h3>
      <ul aria-labelledby="invited" className="card mt-3 divide-y divide-line">
        {invitations.map(({ id, address, sent_at, expires_at, expired }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 p-4">
            <div className="min-w-40 flex-1">
              <p className="font-semibold [overflow-wrap:anywhere]">{address}</p>
              <p className="text-sm text-muted">
                {expired
                  ? `Expired on ${dayText(expires_at, timeZone)}`
                  : `Sent on ${dayText(sent_at, timeZone)}, works until ${dayText(expires_at, timeZone)}`}
              </p>
              {failure?.id === id && (
                <p role="alert" className="mt-1 text-sm text-danger">
                  {failure.error.message}
                </p>
              )}
            </div>
            <div className="-mx-3 flex flex-wrap gap-2">
              <Button
                size="small"
                variant="quiet"
                disabled={!ready}
                pending={busy === `resend ${id}`}
                onClick={() => void act(id, 'resend', () => store.resend(id), 'Sent again.')}
              >
                Send again<span className="sr-only"> to {address}</span>
              </Button>
              <Button
                size="small"
                variant="quiet"
                disabled={!ready}
                pending={busy === `revoke ${id}`}
                onClick={() => void act(id, 'revoke', () => store.revoke(id), 'Taken back.')}
              >
                Take back<span className="sr-only"> the invitation of {address}</span>
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

function InviteForm({ store }: { store: BusinessStore }) {
  // Sent twice, one invitation is one mail; the next one to the same address is another.
  const [ids, setIds] = useState(() => ({ of: idsByWords() }));
  const { form, submit, errorOf, failure, pending, ready, beginFrom } = useSchemaForm<{
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
      <h3>Invite somebody</h3>
      <p className="-mt-1 text-sm text-muted">
        They get a mail with a link that works for 14 days, and see and edit everything on this
        page. Quiz answers stay private.
      </p>
      <div className="flex flex-col gap-3 sm:flex-row sm:items-start">
        <Field
          label="Their email"
          type="email"
          autoComplete="off"
          className="grow"
          error={errorOf('address')}
          {...form.register('address')}
        />
        <Button type="submit" className="sm:mt-7" pending={pending} disabled={!ready}>
          Send
        </Button>
      </div>
      <Failure failure={failure} title="Not sent" />
    </form>
  );
}
