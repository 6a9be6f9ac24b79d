import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConversationChange } from '#data/conversations.ts';
import type { UnreadCounts } from '#data/notifications.ts';
import { conversationServer } from '../../fixtures/conversation-server.ts';
import { stubBrowser } from '../../fixtures/stub-browser.ts';

/** A browser whose tabs each have their own modules. */
function browser() {
  return {
    ...stubBrowser(),
    async openTab() {
      vi.resetModules();
      const unread = await import('#stores/unread.ts');
      const { followUnread } = await import('#stores/follow-unread.ts');
      return { ...unread, followUnread };
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const unread = (messages: number, notifications = 0) => ({ messages, notifications });

const news = (unread_total: number): ConversationChange => ({
  id: 'talk',
  title: 'Carla',
  epoch: 1,
  revision: 1,
  last_seq: 1,
  read_seq: 0,
  muted: false,
  active_at: '2026-11-21T09:00:00Z',
  last_message: null,
  author_name: null,
  unread: unread_total,
  unread_total,
});

describe('How many messages are unread', () => {
  test('Begins with what the page brought, follows what happens, and leaves nothing behind', async () => {
    const site = browser();
    const { $unread, beginUnread, followOtherTabs, followUnread } = await site.openTab();
    const server = conversationServer(['maria']);
    beginUnread('maria', unread(3));
    const stop = followOtherTabs('maria');
    expect($unread.get()).toEqual(unread(3));
    const end = followUnread('maria', server.live(), async () => unread(3));
    await vi.advanceTimersByTimeAsync(0);
    server.tell('person:maria', 'conversation', news(4));
    expect($unread.get()).toEqual(unread(4));
    server.tell('person:maria', 'conversation', { id: 'talk', gone: true, unread_total: 2 });
    expect($unread.get()).toEqual(unread(2));
    end();
    stop();
    server.tell('person:maria', 'conversation', news(8));
    site.kept.set('trellis-unread', JSON.stringify({ owner: 'maria', counts: unread(9) }));
    site.changedElsewhere('trellis-unread');
    site.fire('pageshow', { persisted: true });
    await vi.advanceTimersByTimeAsync(0);
    expect($unread.get()).toEqual(unread(2));
  });

  test('Counts a message that came after the page was made and before it listens', async () => {
    const site = browser();
    const { $unread, beginUnread, followUnread } = await site.openTab();
    beginUnread('maria', unread(3));
    const end = followUnread('maria', conversationServer(['maria']).live(), async () => unread(4));
    await vi.advanceTimersByTimeAsync(0);
    expect($unread.get()).toEqual(unread(4));
    end();
  });

  test('Keeps a message that arrives while the number is being fetched', async () => {
    const site = browser();
    const { $unread, beginUnread, followUnread } = await site.openTab();
    const server = conversationServer(['maria']);
    beginUnread('maria', unread(1));
    const fetched = Promise.withResolvers<UnreadCounts>();
    const end = followUnread('maria', server.live(), () => fetched.promise);
    await vi.advanceTimersByTimeAsync(0);
    server.tell('person:maria', 'conversation', news(2));
    // The database counted before the message arrived.
    fetched.resolve(unread(1));
    await vi.advanceTimersByTimeAsync(0);
    expect($unread.get()).toEqual(unread(2));
    end();
  });

  test('Does not flicker by what is read at once, because its conversation is in front', async () => {
    const site = browser();
    vi.stubGlobal('document', {
      visibilityState: 'visible',
      hasFocus: () => true,
      addEventListener() {},
      removeEventListener() {},
    });
    const { $unread, beginUnread, followUnread } = await site.openTab();
    const { holdFront } = await import('#stores/front.ts');
    const server = conversationServer(['maria']);
    beginUnread('maria', unread(0));
    const end = followUnread('maria', server.live(), async () => unread(0));
    const seen: unknown[] = [];
    $unread.listen((counts) => seen.push(counts?.messages));
    holdFront('talk');
    server.tell('person:maria', 'conversation', news(1));
    await vi.advanceTimersByTimeAsync(300);
    server.tell('person:maria', 'conversation', news(0));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(seen).toEqual([]);
    server.tell('person:maria', 'conversation', news(1));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(seen).toEqual([1]);
    end();
  });

  test('Is asked for again after the connection was away, and on a page out of memory', async () => {
    const site = browser();
    const { $unread, beginUnread, followUnread } = await site.openTab();
    const live = conversationServer(['maria']).live();
    beginUnread('maria', unread(3));
    let there = 5;
    followUnread('maria', live, async () => unread(there));
    live.cut();
    live.mend();
    await vi.advanceTimersByTimeAsync(0);
    expect($unread.get()).toEqual(unread(5));
    there = 6;
    site.fire('pageshow', { persisted: false });
    await vi.advanceTimersByTimeAsync(0);
    expect($unread.get()).toEqual(unread(5));
    site.fire('pageshow', { persisted: true });
    await vi.advanceTimersByTimeAsync(0);
    expect($unread.get()).toEqual(unread(6));
  });

  test('Is passed on to other tabs of the same person, and to nobody else who signs in there', async () => {
    const site = browser();
    const one = await site.openTab();
    one.beginUnread('maria', unread(3));
    const two = await site.openTab();
    two.beginUnread('maria', unread(3));
    two.followOtherTabs('maria');
    const third = await site.openTab();
    third.beginUnread('tom', unread(1));
    third.followOtherTabs('tom');
    one.setUnread({ messages: 0 });
    site.changedElsewhere('trellis-unread');
    expect([two.$unread.get(), third.$unread.get()]).toEqual([unread(0), unread(1)]);
    site.kept.set('trellis-unread', '{');
    site.changedElsewhere('trellis-unread');
    expect(two.$unread.get()).toEqual(unread(0));
  });
});

describe('How many notifications are unread', () => {
  test('Is asked for when something changed, and leaves the messages as they are', async () => {
    const { $unread, beginUnread, followUnread } = await browser().openTab();
    const server = conversationServer(['maria']);
    beginUnread('maria', unread(3, 1));
    let there = unread(3, 1);
    const end = followUnread('maria', server.live(), async () => there);
    await vi.advanceTimersByTimeAsync(0);
    there = unread(3, 2);
    server.tell('person:maria', 'notifications', {});
    await vi.advanceTimersByTimeAsync(0);
    expect($unread.get()).toEqual(unread(3, 2));
    end();
    there = unread(3, 9);
    server.tell('person:maria', 'notifications', {});
    await vi.advanceTimersByTimeAsync(0);
    expect($unread.get()).toEqual(unread(3, 2));
  });

  test('Is the newest, whichever of two answers comes last', async () => {
    const { $unread, beginUnread, followUnread } = await browser().openTab();
    const server = conversationServer(['maria']);
    beginUnread('maria', unread(0));
    const answers: PromiseWithResolvers<UnreadCounts>[] = [];
    const fetchUnread = () => {
      const answer = Promise.withResolvers<UnreadCounts>();
      answers.push(answer);
      return answer.promise;
    };
    followUnread('maria', server.live(), fetchUnread);
    await vi.advanceTimersByTimeAsync(0);
    server.tell('person:maria', 'notifications', {});
    answers[1]?.resolve(unread(0, 2));
    answers[0]?.resolve(unread(0, 1));
    await vi.advanceTimersByTimeAsync(0);
    expect($unread.get()).toEqual(unread(0, 2));
  });

  test('Comes through although a message arrives while it’s asked for', async () => {
    const { $unread, beginUnread, followUnread } = await browser().openTab();
    const server = conversationServer(['maria']);
    beginUnread('maria', unread(1));
    const fetched = Promise.withResolvers<UnreadCounts>();
    followUnread('maria', server.live(), () => fetched.promise);
    await vi.advanceTimersByTimeAsync(0);
    server.tell('person:maria', 'conversation', news(2));
    fetched.resolve(unread(1, 4));
    await vi.advanceTimersByTimeAsync(0);
    expect($unread.get()).toEqual(unread(2, 4));
  });

  test('Agrees in all tabs', async () => {
    const site = browser();
    const one = await site.openTab();
    one.beginUnread('maria', unread(1, 3));
    const two = await site.openTab();
    two.beginUnread('maria', unread(1, 3));
    two.followOtherTabs('maria');
    one.setUnread({ notifications: 0 });
    site.changedElsewhere('trellis-unread');
    expect(two.$unread.get()).toEqual(unread(1, 0));
  });
});
