import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { Notification } from '#data/notifications.ts';
import type { ListPage } from '#domain/list.ts';
import type { NotificationFilter } from '#domain/notification.ts';
import { db } from '#lib/db.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { sessionEnded } from '#stores/session.ts';
import { whenBack } from '#stores/when-back.ts';
import { classNames } from '#ui/class-names.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Failure } from '#ui/Failure.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Pager } from '#ui/table/Pager.tsx';
import { MarkAllRead, NotificationList } from './notifications/NotificationList.tsx';
import { createNotificationsStore } from './notifications/notifications-store.ts';

interface NotificationsProps {
  filter: NotificationFilter;
  page: ListPage<Notification>;
  /** How many notifications are unread, on all pages. */
  unread: number;
  /** The reader's IANA time zone and the day there. */
  timeZone: string;
  today: string;
}

/** What the person was notified of, newest first. */
function NotificationsScreen({ filter, page, unread, timeZone, today }: NotificationsProps) {
  const [store] = useState(() =>
    createNotificationsStore(
      {
        db,
        showAddress: (address) => history.replaceState(null, '', address),
        signedOut: sessionEnded,
      },
      { filter, page },
    ),
  );
  const { rows, previous, next } = useStore(store.$page, { ssr: 'initial' });
  const state = useStore(store.$state, { ssr: 'initial' });
  const isLoading = state.name === 'loading';
  useEffect(() => store.follow(), [store]);
  useEffect(() => whenBack(store.retry), [store]);
  return (
    <div className="flex max-w-3xl flex-col gap-5">
      <header className="flex min-h-11 flex-wrap items-center justify-between gap-3">
        <h1>Notifications</h1>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <MarkAllRead store={store} unread={unread} />
          <a
            className="link inline-flex min-h-11 items-center text-sm"
            href={hrefFor('/dashboard/profile/notifications')}
          >
            Settings
          </a>
        </div>
      </header>
      {state.name === 'failed' && (
        <Failure
          failure={state.error}
          onRetry={() => void store.retry()}
          title="We couldn’t load your notifications"
        />
      )}
      <div
        aria-busy={isLoading}
        className={classNames('transition-opacity', isLoading && 'opacity-60')}
      >
        {rows.length > 0 ? (
          <div className="card p-2">
            <NotificationList rows={rows} timeZone={timeZone} today={today} />
          </div>
        ) : (
          <EmptyState title="No notifications yet">
            When something happens that you should know about, you’ll see it here. The emails you
            get are up to you: choose them in{' '}
            <a className="link" href="/dashboard/profile/notifications">
              your profile
            </a>
            .
          </EmptyState>
        )}
      </div>
      <Pager
        previous={previous && store.hrefOf({ place: previous })}
        next={next && store.hrefOf({ place: next })}
        onGo={(way) => void store.choose({ place: store.$page.get()[way] })}
      />
    </div>
  );
}

export default screen(NotificationsScreen);
