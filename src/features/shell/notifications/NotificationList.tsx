import { useStore } from '@nanostores/react';
import { ChevronRight } from 'lucide-react';
import type { Notification } from '#data/notifications.ts';
import { dayText, whenText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { reportError } from '#stores/session.ts';
import { $unread } from '#stores/unread.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { FailureLine } from '#ui/Failure.tsx';
import { useAction } from '#ui/use-action.ts';
import type { NotificationsStore } from './notifications-store.ts';

interface ListProps {
  rows: readonly Notification[];
  /** The reader's IANA time zone and the day there. */
  timeZone: string;
  today: string;
}

/** What's left to say: a request that was answered doesn't ask for an answer. */
function bodyOf({ body, answer }: Notification, timeZone: string): string {
  if (!answer) return body;
  return answer.is_yes
    ? `You said yes on ${dayText(answer.at, timeZone)}.`
    : 'This no longer waits for you.';
}

/** Notifications as links: each marks itself as read and goes on to the page it's about. */
export const NotificationList = ({ rows, timeZone, today }: ListProps) => (
  <ul className="group flex flex-col">
    {rows.map((row) => (
      <li key={row.id} className="border-t border-line first:border-t-0">
        <a
          href={hrefFor('/dashboard/notifications/[id]', { id: row.id })}
          className="flex gap-3 rounded-control px-3 py-3 text-sm no-underline hover:bg-raised"
        >
          {/* Its column is there while any of them is unread. */}
          <span
            aria-hidden="true"
            data-new={row.is_unread || undefined}
            className="mt-1.5 hidden size-2 shrink-0 rounded-full group-has-data-new:block data-new:bg-primary"
          />
          <span className="min-w-0 grow wrap-anywhere">
            {row.is_unread && <span className="sr-only">Unread: </span>}
            <span className={classNames('block', row.is_unread && 'font-semibold')}>
              {row.title}
            </span>
            <span className="mt-0.5 block whitespace-pre-line text-muted empty:hidden">
              {bodyOf(row, timeZone)}
            </span>
            <span className="mt-0.5 block text-xs text-muted">
              {whenText(row.created_at, timeZone, today)}
            </span>
          </span>
          <ChevronRight className="size-4 shrink-0 self-center text-muted" aria-hidden="true" />
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
  if ((counts?.notifications ?? unread) === 0) return null;
  return (
    <div className="shrink-0">
      <Button
        className="whitespace-nowrap max-sm:-ml-3"
        size="small"
        variant="quiet"
        pending={pending}
        needsScript
        onClick={() => void run(store.markAllRead)}
      >
        Mark all as read
      </Button>
      <FailureLine failure={failure} />
    </div>
  );
}
