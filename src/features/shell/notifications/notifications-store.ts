/** A list of notifications: its page, marking all as read, and what other tabs and the server do. */
import {
  listNotifications,
  markNotificationsRead,
  type Notification,
} from '#data/notifications.ts';
import type { ListPage } from '#domain/list.ts';
import { type NotificationFilter, notificationFilter } from '#domain/notification.ts';
import type { AnswerDeps } from '#lib/latest-answer.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { createListStore } from '#stores/list-store.ts';
import { $unread, setUnread } from '#stores/unread.ts';

interface NotificationsDeps extends AnswerDeps {
  /** The most notifications on a page; by default what the database sends. */
  limit?: number;
  /** Replaces the URL in the address bar. */
  showAddress: (address: string) => void;
}

interface Initial {
  filter: NotificationFilter;
  page: ListPage<Notification>;
}

/** Creates the list's store from the data that came with the page. */
export function createNotificationsStore(
  { limit, showAddress, ...deps }: NotificationsDeps,
  initial: Initial,
) {
  const list = createListStore<Notification, NotificationFilter, ListPage<Notification>>(
    {
      ...deps,
      showAddress,
      codec: notificationFilter,
      path: hrefFor('/dashboard/notifications'),
      read: (db, filter) => listNotifications(db, filter, limit),
    },
    initial,
  );

  /** Fetches the current page again. */
  const reload = () => list.choose({ place: list.$filter.get().place });

  /** Marks all notifications as read, on every page of the list. Throws an AppError. */
  async function markAllRead(): Promise<void> {
    const { unread } = await markNotificationsRead(await deps.db());
    setUnread({ notifications: unread });
    const page = list.$page.get();
    list.$page.set({ ...page, rows: page.rows.map((row) => ({ ...row, is_unread: false })) });
  }

  /** Reloads the list whenever the unread count changes. Returns the cleanup. */
  const follow = () =>
    $unread.listen((now, before) => {
      if (now && now.notifications !== before?.notifications) void reload();
    });

  return { ...list, reload, markAllRead, follow };
}

export type NotificationsStore = ReturnType<typeof createNotificationsStore>;
