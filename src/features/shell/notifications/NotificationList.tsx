import { useStore } from '@nanostores/react';
import type { Notification } from '#data/notifications.ts';
import { whenText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { reportError } from '#stores/session.ts';
import { $unread } from '#stores/unread.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { FailureLine } from '#ui/Failure.tsx';
import { useAction } from '#ui/use-action.ts';
import { useReady } from '#ui/use-ready.ts';
import type { NotificationsStore } from './notifications-store.ts';

interface ListProps {
  rows: readonly Notification[];
  /** The reader's IANA time zone and the day there. */
  timeZone: string;
  today: string;
}

/** Notifications as links: each marks itself as read and goes on to the page it's about. */
export const NotificationList = ({ rows, timeZone, today }: ListProps) => (
  <ul className="flex flex-col">
    {rows.map(({ id, title, body, created_at, is_unread }) => (
      <li key={id} className="border-t border-line first:border-t-0">
        <a
          href={hrefFor('/dashboard/notifications/[id]', { id })}
          className="flex gap-3 rounded-control px-3 py-3 text-sm no-underline hover:bg-raised"
        >
          <span
            aria-hidden="true"
            className={classNames('mt-1.5 size-2 shrink-0 rounded-full', is_unread && 'bg-primary')}
          />
          <span className="min-w-0 grow wrap-anywhere">
            {is_unread && <span className="sr-only">Unread: </span>}
            <span className={classNames('block', is_unread && 'font-semibold')}>{title}</span>
            {body && <span className="mt-0.5 block whitespace-pre-line text-muted">{body}</span>}
            <span className="mt-0.5 block text-xs text-muted">
              {whenText(created_at, timeZone, today)}
            </span>
          </span>
        </a>
      </li>
    ))}
  </ul>
);

interface MarkAllProps {
  store: NotificationsStore;
  /** How many were unread when the page was rendered. */
  unread: number;
}

/** A button that marks all notifications as read, while there are unread ones. */
export function MarkAllRead({ store, unread }: MarkAllProps) {
  const { pending, failure, run } = useAction(reportError);
  const counts = useStore($unread, { ssr: 'initial' });
  if (!useReady() || (counts?.notifications ?? unread) === 0) return null;
  return (
    <div>
      <Button
        size="small"
        variant="quiet"
        pending={pending}
        onClick={() => void run(store.markAllRead)}
      >
        Mark all as read
      </Button>
      <FailureLine failure={failure} />
    </div>
  );
}
