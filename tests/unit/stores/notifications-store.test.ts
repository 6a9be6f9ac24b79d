import { beforeEach, expect, test, vi } from 'vitest';
import type { Notification } from '#data/notifications.ts';
import { createNotificationsStore } from '#features/shell/notifications/notifications-store.ts';
import { $unread, beginUnread, setUnread } from '#stores/unread.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';
import { stubBrowser } from '../../fixtures/stub-browser.ts';

const row = (id: string, is_unread = true): Notification => ({
  id,
  key: '2026-11-21T09:00:00Z',
  kind: 'coaching',
  title: id,
  body: '',
  created_at: '2026-11-21T09:00:00Z',
  is_unread,
  answer: null,
});

/** What the database has, newest first. */
let stored: Notification[] = [];
/** Whether it answers. */
let isThere = true;

const rpc = vi.fn(async (name: string, args: Record<string, unknown> = {}) => {
  if (!isThere) return { data: null, error: { code: '', message: 'TypeError: Failed to fetch' } };
  if (name === 'mark_notifications_read') {
    stored = stored.map((each) => ({ ...each, is_unread: false }));
    return { data: { unread: 0 }, error: null };
  }
  const limit = Number(args.p_limit ?? 25);
  return {
    data: { rows: stored.slice(0, limit), more: stored.length > limit, count: null },
    error: null,
  };
});

const openStore = (limit?: number) =>
  createNotificationsStore(
    {
      db: async () => dbAnswering({ rpc }),
      signedOut: vi.fn(),
      showAddress: vi.fn(),
      ...(limit && { limit }),
    },
    {
      filter: { sort: 'newest', place: null },
      page: { rows: [], previous: null, next: null, count: null },
    },
  );

beforeEach(() => {
  stubBrowser();
  isThere = true;
  stored = [row('new'), row('old', false), row('older', false)];
  beginUnread('maria', { messages: 2, notifications: 1 });
});

const shown = ({ $page }: ReturnType<typeof openStore>) =>
  $page.get().rows.map(({ id, is_unread }) => `${id}${is_unread ? '!' : ''}`);

test('The newest are fetched when asked for, and the rest a page further', async () => {
  const store = openStore(2);
  expect(rpc).not.toHaveBeenCalled();
  await store.reload();
  expect(shown(store)).toEqual(['new!', 'old']);
  expect(store.$page.get().next).toEqual({ way: 'after', key: '2026-11-21T09:00:00Z', id: 'old' });
});

test('Marking all as read shows at once, here and at the bell, and leaves messages alone', async () => {
  const store = openStore();
  await store.reload();
  await store.markAllRead();
  expect(shown(store)).toEqual(['new', 'old', 'older']);
  expect($unread.get()).toEqual({ messages: 2, notifications: 0 });
});

test('If it can’t be marked, nothing says that it was', async () => {
  const store = openStore();
  await store.reload();
  isThere = false;
  await expect(store.markAllRead()).rejects.toMatchObject({ kind: 'network' });
  expect(shown(store)).toEqual(['new!', 'old', 'older']);
  expect($unread.get()).toEqual({ messages: 2, notifications: 1 });
  await store.reload();
  expect(store.$state.get()).toMatchObject({ name: 'failed', error: { kind: 'network' } });
  isThere = true;
  await store.retry();
  expect(store.$state.get()).toEqual({ name: 'ready' });
});

test('What’s new or was read elsewhere shows up until nobody follows it, and messages change nothing', async () => {
  const store = openStore();
  const stop = store.follow();
  stored = [row('newest'), ...stored];
  setUnread({ notifications: 2 });
  await vi.waitFor(() => expect(shown(store)).toEqual(['newest!', 'new!', 'old', 'older']));
  rpc.mockClear();
  setUnread({ messages: 5 });
  stop();
  setUnread({ notifications: 3 });
  expect(rpc).not.toHaveBeenCalled();
});
