import { useStore } from '@nanostores/react';
import { type ReactNode, useMemo, useState } from 'react';
import { type AnyEvent, type ListedSignup, listSignups } from '#data/events.ts';
import { PLACE_LABELS, PLACE_STATES, type SignupFilter, signupFilter } from '#domain/event.ts';
import type { ListPage } from '#domain/list.ts';
import { db } from '#lib/db.ts';
import { momentText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useOpenedPart } from '#ui/use-part.ts';
import { createEventStore, nameOf } from './events/event-store.ts';
import { signupColumns } from './events/signup-columns.tsx';
import { AdminList, useAdminList } from './list/AdminList.tsx';
import type { ReasonedAction } from './ReasonDialog.tsx';

interface AnyEventProps {
  event: AnyEvent;
  filter: SignupFilter;
  page: ListPage<ListedSignup>;
  reader: { timeZone: string; now: string };
}

type EventStore = ReturnType<typeof createEventStore>;

const loadReason = () => import('./ReasonDialog.tsx');
const HOUR_MS = 3_600_000;

/** The list of an event's people, and the store that goes with it. */
function useEvent({ event, filter, page }: AnyEventProps) {
  const list = useAdminList<ListedSignup, SignupFilter>(
    {
      path: hrefFor('/admin/events/[id]', { id: event.id }),
      codec: signupFilter,
      read: (client, chosen, limit) => listSignups(client, event.id, chosen, limit),
    },
    { filter, page },
  );
  const [store] = useState(() =>
    createEventStore(
      {
        db,
        reload: () => list.choose({ place: list.$filter.get().place }),
        say: (tone, title) => addToast({ tone, title }),
        reportError,
      },
      event,
    ),
  );
  return { list, store };
}

/** A date of an event for admins: who has a place, who waits, and who came. */
function AnyEventScreen(props: AnyEventProps) {
  const { timeZone, now } = props.reader;
  const { list, store } = useEvent(props);
  const event = useStore(store.$event);
  /** Whose place is being canceled, or the event. */
  const [canceling, setCanceling] = useState<ListedSignup | 'event' | null>(null);
  const close = () => setCanceling(null);
  const part = useOpenedPart(loadReason, canceling !== null, close);
  const startsIn = Date.parse(event.starts_at) - Date.parse(now);
  const isOpen = event.state === 'planned';
  const isSoon = startsIn < HOUR_MS;
  const columns = useMemo(
    () => signupColumns(timeZone, { store, isOpen, isSoon, onCancel: setCanceling }),
    [timeZone, store, isOpen, isSoon],
  );
  return (
    <div className="flex flex-col gap-6">
      <Head event={event} timeZone={timeZone}>
        {isOpen && startsIn > 0 && (
          <Button variant="secondary" needsScript onClick={() => setCanceling('event')}>
            Cancel the event
          </Button>
        )}
      </Head>
      <AdminList
        list={list}
        codec={signupFilter}
        caption="People"
        noun={['person', 'people']}
        columns={columns}
        nameOf={nameOf}
        searchBy="name or email"
        choices={[
          {
            key: 'state',
            label: 'State',
            any: 'Everyone',
            options: PLACE_STATES.map((value) => ({ value, label: PLACE_LABELS[value] })),
          },
        ]}
        name={`event-${event.slug}`}
        empty={<EmptyState title="Nobody yet">People who take a place show up here.</EmptyState>}
      />
      {canceling && part && (
        <part.ReasonDialog action={cancelAction(canceling, store)} onClose={close} />
      )}
    </div>
  );
}

/** What the dialog asks before it cancels someone's place, or the event. */
function cancelAction(what: ListedSignup | 'event', store: EventStore): ReasonedAction {
  if (what === 'event') {
    return {
      title: 'Cancel this event?',
      description:
        'Everyone who has a place or waits for one gets an email with the reason. It can’t be undone.',
      action: 'Cancel the event',
      danger: true,
      reasonReader: 'Everyone with a place',
      onSubmit: store.cancel,
    };
  }
  return {
    title: `Cancel the place of ${nameOf(what)}?`,
    description: 'They get an email with the reason, and the next in line is offered the place.',
    action: 'Cancel the place',
    danger: true,
    reasonReader: nameOf(what),
    onSubmit: (reason) => store.cancelPlace(what, reason),
  };
}

interface HeadProps {
  event: AnyEvent;
  timeZone: string;
  children: ReactNode;
}

function Head({ event, timeZone, children }: HeadProps) {
  const { title, slug, starts_at, minutes, place, places, taken, held, waiting, came } = event;
  const facts = [
    ['Seats taken', `${taken} of ${places}`],
    ['Not confirmed yet', held],
    ['Waiting', waiting],
    ['Came', came],
  ] as const;
  return (
    <header className="flex flex-col gap-4">
      <p className="text-sm">
        <a className="link" href={hrefFor('/admin/events')}>
          Events
        </a>
      </p>
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0">
          <h1 className="wrap-anywhere">{title}</h1>
          <p className="mt-2 text-muted wrap-anywhere">
            {momentText(starts_at, timeZone)}, {minutes} minutes. {place}.{' '}
            <a className="link" href={hrefFor('/events/[slug]', { slug })}>
              See the public page
            </a>
          </p>
        </div>
        {children}
      </div>
      {event.state === 'canceled' && (
        <Notice title="This event is canceled">
          <p className="wrap-anywhere">
            {event.cancel_reason && `${event.cancel_reason} `}
            Everyone who had a place or was waiting got an email. If a whole event is off, say so in
            the site’s content too.
          </p>
        </Notice>
      )}
      <dl className="grid grid-cols-2 gap-x-10 gap-y-3 sm:flex sm:flex-wrap">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="font-display text-xl figures">{value}</dd>
          </div>
        ))}
      </dl>
    </header>
  );
}

export default screen(AnyEventScreen);
