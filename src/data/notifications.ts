/** What people are notified of, and how much of it and of their messages is unread. */
import * as v from 'valibot';
import type { ListPage } from '#domain/list.ts';
import type { NotificationFilter } from '#domain/notification.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { listedRow } from './admin-lists.ts';
import { placesAround } from './keyset.ts';

export const notification = listedRow({
  /** What it's about, such as `coaching` or `reminder`. */
  kind: v.string(),
  title: v.string(),
  body: v.string(),
  /** ISO 8601 */
  created_at: v.string(),
  is_unread: v.boolean(),
  /** What came of the request for coaching that it's about; null while it waits, or if it's about something else. */
  answer: v.nullable(v.object({ at: v.string(), is_yes: v.boolean() })),
});
export type Notification = v.InferOutput<typeof notification>;

export const notificationPage = v.object({
  rows: v.array(notification),
  more: v.boolean(),
  count: v.nullable(v.object({ total: v.number(), at_least: v.boolean() })),
});

/**
 * A page of the person's notifications, newest first. Throws an AppError.
 * @param limit at most 500; by default 25
 */
export async function listNotifications(
  db: Db,
  { place }: NotificationFilter,
  limit?: number,
): Promise<ListPage<Notification>> {
  const { rows, more, count } = await rpc(db, 'list_notifications', notificationPage, {
    ...(place && { p_place: { ...place } }),
    ...(limit !== undefined && { p_limit: limit }),
  });
  return {
    rows,
    ...placesAround(rows, place, more),
    count: count && { total: count.total, atLeast: count.at_least },
  };
}

/** Marks all of the person's notifications as read. Throws an AppError. */
export async function markNotificationsRead(db: Db): Promise<{ unread: number }> {
  return rpc(db, 'mark_notifications_read', v.object({ unread: v.number() }));
}

/**
 * Marks a notification as read.
 * @returns the path of the page it's about; null if the person has no such notification
 * @throws AppError
 */
export async function openNotification(db: Db, id: string): Promise<string | null> {
  const answer = v.object({ path: v.nullable(v.string()) });
  return (await rpc(db, 'open_notification', answer, { p_id: id })).path;
}

export const unreadCounts = v.object({
  /** Unread messages in all conversations; 100 means 100 or more. */
  messages: v.number(),
  /** Unread notifications; 100 means 100 or more. */
  notifications: v.number(),
});
export type UnreadCounts = v.InferOutput<typeof unreadCounts>;

/** How much the person hasn't read. Throws an AppError. */
export const getUnread = (db: Db): Promise<UnreadCounts> => rpc(db, 'unread_counts', unreadCounts);
