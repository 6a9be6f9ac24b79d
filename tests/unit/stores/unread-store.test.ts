import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConversationChange } from '#data/conversations.ts';
import { conversationServer } from '../../fixtures/conversation-server.ts';
import { stubBrowser } from '../../fixtures/stub-browser.ts';

/** A browser whose tabs each have their own modules. */
function browser() {
  return {
    ...stubBrowser(),
    async openTab() {
      vi.resetModules();
      const unread = await import('#stores/unread.ts');
      const { followMessages } = await import('#stores/follow-messages.ts');
      return { ...unread, followMessages };
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

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
    const { $unread, beginUnread, followMessages } = await site.openTab();
    const server = conversationServer(['maria']);
    const stop = beginUnread('maria', 3);
    expect($unread.get()).toBe(3);
    const end = followMessages('maria', server.live(), async () => 3);
    await vi.advanceTimersByTimeAsync(0);
    server.tell('person:maria', 'conversation', news(4));
    expect($unread.get()).toBe(4);
    server.tell('person:maria', 'conversation', { id: 'talk', gone: true, unread_total: 2 });
    expect($unread.get()).toBe(2);
    end();
    stop();
    server.tell('person:maria', 'conversation', news(8));
    site.kept.set('trellis-unread', JSON.stringify({ owner: 'maria', count: 9 }));
    site.changedElsewhere('trellis-unread');
    site.fire('pageshow', { persisted: true });
    await vi.advanceTimersByTimeAsync(0);
    expect($unread.get()).toBe(2);
  });

  test('Counts a message that came after the page was made and before it listens', async () => {
    const site = browser();
    const { $unread, beginUnread, followMessages } = await site.openTab();
    beginUnread('maria', 3);
    const end = followMessages('maria', conversationServer(['maria']).live(), async () => 4);
    await vi.advanceTimersByTimeAsync(0);
    expect($unread.get()).toBe(4);
    end();
  });

  test('Keeps a message that arrives while the number is being fetched', async () => {
    const site = browser();
    const { $unread, beginUnread, followMessages } = await site.openTab();
    const server = conversationServer(['maria']);
    beginUnread('maria', 1);
    const fetched = Promise.withResolvers<number>();
    const end = followMessages('maria', server.live(), () => fetched.promise);
    await vi.advanceTimersByTimeAsync(0);
    server.tell('person:maria', 'conversation', news(2));
    // The database counted before the message arrived.
    fetched.resolve(1);
    await vi.advanceTimersByTimeAsync(0);
    expect($unread.get()).toBe(2);
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
    const { $unread, beginUnread, followMessages } = await site.openTab();
    const { holdFront } = await import('#stores/front.ts');
    const server = conversationServer(['maria']);
    beginUnread('maria', 0);
    const end = followMessages('maria', server.live(), async () => 0);
    const seen: unknown[] = [];
    $unread.listen((count) => seen.push(count));
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
    const { $unread, beginUnread, followMessages } = await site.openTab();
    const live = conversationServer(['maria']).live();
    beginUnread('maria', 3);
    let there = 5;
    followMessages('maria', live, async () => there);
    live.cut();
    live.mend();
    await vi.advanceTimersByTimeAsync(0);
    expect($unread.get()).toBe(5);
    there = 6;
    site.fire('pageshow', { persisted: false });
    await vi.advanceTimersByTimeAsync(0);
    expect($unread.get()).toBe(5);
    site.fire('pageshow', { persisted: true });
    await vi.advanceTimersByTimeAsync(0);
    expect($unread.get()).toBe(6);
  });

  test('Is passed on to other tabs of the same person, and to nobody else who signs in there', async () => {
    const site = browser();
    const one = await site.openTab();
    one.beginUnread('maria', 3);
    const two = await site.openTab();
    two.beginUnread('maria', 3);
    const third = await site.openTab();
    third.beginUnread('tom', 1);
    one.setUnread(0);
    site.changedElsewhere('trellis-unread');
    expect([two.$unread.get(), third.$unread.get()]).toEqual([0, 1]);
    site.kept.set('trellis-unread', '{');
    site.changedElsewhere('trellis-unread');
    expect(two.$unread.get()).toBe(0);
  });
});
