import { useStore } from '@nanostores/react';
import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ClientRecord } from '#data/coaching-client.ts';
import { isOpenEngagement } from '#domain/engagement.ts';
import { COACH_TEXT, UNREACHABLE_AFTER, unreachableProgress } from '#domain/engagement-text.ts';
import { calendarDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { writeHref } from '#lib/routing/write-href.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { IconButton } from '#ui/IconButton.tsx';
import { Menu } from '#ui/Menu.tsx';
import { clockOf, type Reader } from '../when.ts';
import type { Asked } from './asked.ts';
import type { ClientStore } from './client-store.ts';

interface StepProps {
  store: ClientStore;
  client: ClientRecord;
  reader: Reader;
  /** The id of a session that isn't planned, if the coach records one. */
  freshId: string;
  onAsk: (what: Asked) => void;
}

/** Steps that aren't clear by their name. */
const NEEDS_WORDS: readonly ClientRecord['due_what'][] = ['accept', 'contact', 'resume'];

/** The state of a client, what's due, and the steps that the coach can take now. */
export function NextStep(props: StepProps) {
  const { client, reader } = props;
  const clock = clockOf(client, reader);
  const text = COACH_TEXT[client.state];
  return (
    <section aria-labelledby="next" className="card p-5 md:p-7">
      <p className="eyebrow">{clock ? 'Next step' : text.title}</p>
      <h2 id="next" className="mt-1 text-xl">
        {clock ? (
          <>
            {clock.what}
            <span className="text-muted max-sm:sr-only">, </span>
            <span
              className={classNames(
                'max-sm:block max-sm:text-base',
                clock.isLate ? 'text-danger' : 'text-muted',
              )}
            >
              {clock.when}
            </span>
          </>
        ) : (
          text.next || text.title
        )}
      </h2>
      {clock && NEEDS_WORDS.includes(client.due_what) && (
        <p className="mt-2 max-w-[60ch] text-sm text-muted">{text.next}</p>
      )}
      <Facts client={client} />
      <div className="mt-5 flex flex-wrap items-center gap-2.5">
        <Steps {...props} />
      </div>
      {client.state === 'accepted' && <Unreachable {...props} />}
    </section>
  );
}

/** What's known about a pause or an end. */
function Facts({ client }: { client: ClientRecord }) {
  if (client.state === 'paused' && client.resume_on) {
    return (
      <p className="mt-2 text-sm">You agreed to continue on {calendarDayText(client.resume_on)}.</p>
    );
  }
  if (!client.closing_summary) return null;
  return (
    <blockquote className="mt-4 max-w-[68ch] border-l-2 border-primary pl-4 text-sm whitespace-pre-line wrap-anywhere">
      {client.closing_summary}
    </blockquote>
  );
}

/** The step that's due comes first, then what's usual in this state. */
function Steps({ store, client, reader, freshId, onAsk }: StepProps) {
  const busy = useStore(store.$busy, { ssr: 'initial' });
  const message = (
    <Button variant="secondary" href={writeHref('engagement', client.id)}>
      Message
      {client.conversation && client.conversation.unread > 0 && (
        <span className="rounded-full bg-primary px-1.5 text-xs text-primary-ink figures">
          {client.conversation.unread}
          <span className="sr-only"> unread</span>
        </span>
      )}
    </Button>
  );
  if (client.state === 'assigned') {
    return (
      <>
        <Button pending={busy === 'accept'} needsScript onClick={() => void store.accept()}>
          Accept
        </Button>
        <Button variant="secondary" needsScript onClick={() => onAsk({ what: 'decline' })}>
          Decline
        </Button>
        {message}
      </>
    );
  }
  if (client.state === 'paused') {
    return (
      <>
        <Button pending={busy === 'resume'} needsScript onClick={() => void store.resume()}>
          Pick it up again
        </Button>
        {message}
        <More client={client} freshId={freshId} onAsk={onAsk} />
      </>
    );
  }
  if (!isOpenEngagement(client)) {
    return client.can_reopen && client.state === 'completed' ? (
      <Button pending={busy === 'reopen'} needsScript onClick={() => void store.reopen()}>
        Pick it up again
      </Button>
    ) : null;
  }
  return (
    <>
      <DueStep client={client} reader={reader} onAsk={onAsk} />
      {message}
      <More client={client} freshId={freshId} onAsk={onAsk} />
    </>
  );
}

/** What settles what's due, for accepted and active clients. */
function DueStep({ client, reader, onAsk }: Pick<StepProps, 'client' | 'reader' | 'onAsk'>) {
  const plan = (label: string, variant: 'primary' | 'secondary' = 'primary') => (
    <Button variant={variant} needsScript onClick={() => onAsk({ what: 'plan', moving: null })}>
      {label}
    </Button>
  );
  const over = client.sessions.findLast(({ state }) => state === 'scheduled');
  switch (client.due_what) {
    case 'contact':
      return (
        <>
          <Button needsScript onClick={() => onAsk({ what: 'contact' })}>
            Log a contact
          </Button>
          {plan('Plan a session', 'secondary')}
        </>
      );
    case 'write_up':
    case 'session':
      // Before it starts, there's nothing to write up.
      return over && Date.parse(over.starts_at) <= Date.parse(reader.now) ? (
        <Button href={hrefFor('/dashboard/coaching/sessions/[id]', { id: over.id })}>
          Write it up
        </Button>
      ) : null;
    case 'pick':
      return null;
    default:
      return plan('Plan a session');
  }
}

/** The steps that are rarely needed. */
function More({ client, freshId, onAsk }: Pick<StepProps, 'client' | 'freshId' | 'onAsk'>) {
  const item = (key: string, label: ReactNode, asked: Asked, danger = false) => ({
    key,
    label,
    danger,
    onSelect: () => onAsk(asked),
  });
  const isActive = client.state === 'active';
  const record = {
    key: 'record',
    label: 'Record a session that wasn’t planned',
    href: `${hrefFor('/dashboard/coaching/sessions/[id]', { id: freshId })}?client=${client.id}`,
  };
  const usual = [
    ...(client.state === 'paused'
      ? []
      : [item('plan', 'Plan a session', { what: 'plan', moving: null })]),
    ...(client.state === 'paused' ? [] : [record]),
    item('contact', 'Log a contact', { what: 'contact' }),
    item('recommend', 'Recommend something', { what: 'recommend' }),
  ];
  const ends = [
    ...(isActive ? [item('pause', 'Pause coaching', { what: 'pause' })] : []),
    ...(isActive || client.state === 'paused'
      ? [item('complete', 'Complete coaching', { what: 'complete' })]
      : []),
  ];
  return (
    <Menu
      label="More steps"
      trigger={
        <IconButton
          label="More steps"
          className="grid size-11 place-items-center rounded-control border border-line hover:bg-raised"
        >
          <Ellipsis className="size-5" aria-hidden="true" />
        </IconButton>
      }
      groups={ends.length > 0 ? [usual, ends] : [usual]}
    />
  );
}

/** How far the coach is from being allowed to give up, or the button that does. */
function Unreachable({ client, onAsk }: Pick<StepProps, 'client' | 'onAsk'>) {
  const { attempts, days, isAllowed } = unreachableProgress(client.contacts, client.accepted_at);
  if (attempts === 0) return null;
  return (
    <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-4 text-sm">
      <p className="text-muted">
        Can’t reach them:{' '}
        <span className="figures">
          {Math.min(attempts, UNREACHABLE_AFTER.attempts)} of {UNREACHABLE_AFTER.attempts} attempts,{' '}
          {Math.min(days, UNREACHABLE_AFTER.days)} of {UNREACHABLE_AFTER.days} days
        </span>
      </p>
      {isAllowed && (
        <Button
          variant="secondary"
          size="small"
          needsScript
          onClick={() => onAsk({ what: 'unreachable' })}
        >
          Mark as unreachable
        </Button>
      )}
    </div>
  );
}
