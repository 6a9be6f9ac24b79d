import { useStore } from '@nanostores/react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { db } from '#lib/db.ts';
import { today } from '#lib/locale/dates.ts';
import { sessionEnded } from '#stores/session.ts';
import { Failure } from '#ui/Failure.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import { MarkAllRead, NotificationList } from './NotificationList.tsx';
import { createNotificationsStore } from './notifications-store.ts';

/** The most notifications in the popover; the others are on their own page. */
const NEWEST = 8;

interface PopoverProps {
  /** The bell that was pressed. */
  opener: HTMLElement;
  /** The reader's IANA time zone. */
  timeZone: string;
  onClose: () => void;
}

const createNewest = () =>
  createNotificationsStore(
    { db, limit: NEWEST, showAddress: () => {}, signedOut: sessionEnded },
    {
      filter: { sort: 'newest', place: null },
      page: { rows: [], previous: null, next: null, count: null },
    },
  );

/** The newest notifications, next to the bell that was pressed. They're loaded as it opens. */
export function NotificationsPopover({ opener, timeZone, onClose }: PopoverProps) {
  const [store] = useState(createNewest);
  const box = useRef<HTMLDivElement>(null);
  // Before the first paint, which would otherwise show an empty list.
  useLayoutEffect(() => void store.reload(), [store]);
  useEffect(() => store.follow(), [store]);
  useOpen(box, opener, onClose);
  return (
    <div
      ref={box}
      popover="manual"
      role="dialog"
      aria-label="Notifications"
      tabIndex={-1}
      className="card fixed inset-x-3 top-16 bottom-auto m-0 max-h-[calc(100dvh-5rem)] w-auto flex-col animate-rise overflow-y-auto p-2 text-ink outline-none float open:flex lg:top-3 lg:right-auto lg:left-64 lg:w-96"
    >
      <div className="flex min-h-11 items-center justify-between gap-2 px-3">
        <h2 className="text-base">Notifications</h2>
        <MarkAllRead store={store} unread={0} />
      </div>
      <Newest store={store} timeZone={timeZone} />
      <div className="mt-1 border-t border-line pt-1">
        <a
          className="flex min-h-11 items-center justify-center rounded-control text-sm font-medium text-primary no-underline hover:bg-raised"
          href="/dashboard/notifications"
        >
          All notifications
        </a>
      </div>
    </div>
  );
}

interface NewestProps {
  store: ReturnType<typeof createNewest>;
  timeZone: string;
}

function Newest({ store, timeZone }: NewestProps) {
  const { rows } = useStore(store.$page);
  const state = useStore(store.$state);
  const isBlank = rows.length === 0;
  return (
    <div aria-busy={state.name === 'loading'}>
      {state.name === 'failed' && (
        <Failure
          failure={state.error}
          onRetry={() => void store.retry()}
          title="We couldn’t load your notifications"
        />
      )}
      {isBlank && state.name === 'loading' && (
        <div className="flex flex-col gap-4 px-3 py-3">
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
        </div>
      )}
      {isBlank && state.name === 'ready' && (
        <p className="px-3 py-4 text-sm text-muted">You have no notifications yet.</p>
      )}
      <NotificationList rows={rows} timeZone={timeZone} today={today(timeZone)} />
    </div>
  );
}

/** Shows the popover above everything, and closes it on Escape or once the person is elsewhere. */
function useOpen(
  box: React.RefObject<HTMLDivElement | null>,
  opener: HTMLElement,
  onClose: () => void,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it opens on mount and closes on unmount
  useEffect(() => {
    const over = new AbortController();
    const leave = ({ target }: Event) => {
      if (!(target instanceof Node)) return;
      if (!box.current?.contains(target) && !opener.contains(target)) onClose();
    };
    document.addEventListener('pointerdown', leave, over);
    document.addEventListener('focusin', leave, over);
    document.addEventListener(
      'keydown',
      ({ key }) => {
        if (key !== 'Escape') return;
        opener.focus();
        onClose();
      },
      over,
    );
    box.current?.showPopover();
    box.current?.focus();
    opener.setAttribute('aria-expanded', 'true');
    return () => {
      over.abort();
      opener.removeAttribute('aria-expanded');
    };
  }, []);
}
