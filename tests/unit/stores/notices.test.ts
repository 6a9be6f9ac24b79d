import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConversationChange } from '#data/conversations.ts';
import { factsOf } from '#session/session-facts.ts';
import { isWorthANotice } from '#stores/notices.ts';
import { conversationServer } from '../../fixtures/conversation-server.ts';
import { settle } from '../../fixtures/memory-browser.ts';
import { stubBrowser } from '../../fixtures/stub-browser.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

/** A message from Tom, as Maria's live channel delivers it. */
function newsOf(seq: number, part: Partial<ConversationChange> = {}): ConversationChange {
  return {
    id: 'talk',
    title: 'A new oven',
    epoch: 1,
    last_seq: seq,
    revision: seq,
    read_seq: 0,
    active_at: new Date(NOW).toISOString(),
    last_message: {
      id: `m${seq}`,
      seq,
      author_id: 'tom',
      excerpt: `number ${seq}`,
      sent_at: new Date(NOW).toISOString(),
      removed: false,
      files: 0,
    },
    author_name: 'Tom',
    unread: seq,
    unread_total: seq,
    muted: false,
    ...part,
  };
}

interface Senses {
  permission: string;
  audible: boolean;
  focused: boolean;
}

/** Stubs the browser's notifications; returns the text of those shown. */
function stubNotifications(senses: Senses): string[] {
  const shown: string[] = [];
  class FakeNotification {
    static get permission() {
      return senses.permission;
    }
    static async requestPermission() {
      senses.permission = 'granted';
      return senses.permission;
    }
    constructor(title: string, { body }: { body: string }) {
      shown.push(`${title}: ${body}`);
    }
    addEventListener() {}
  }
  vi.stubGlobal('Notification', FakeNotification);
  return shown;
}

/** Stubs the browser's audio; returns a `ding` for each sound played. */
function stubAudio(senses: Senses): string[] {
  const tones: string[] = [];
  const param = {
    setValueAtTime() {},
    linearRampToValueAtTime() {},
    exponentialRampToValueAtTime() {},
  };
  class FakeNode {
    gain = param;
    constructor(_audio: unknown, { frequency }: { frequency?: number }) {
      if (frequency === 660) tones.push('ding');
    }
    connect = () => this;
    start() {}
    stop() {}
  }
  class FakeContext {
    currentTime = 0;
    destination = {};
    get state() {
      return senses.audible ? 'running' : 'suspended';
    }
    resume = async () => {};
    close = async () => {};
  }
  vi.stubGlobal('AudioContext', FakeContext);
  vi.stubGlobal('OscillatorNode', FakeNode);
  vi.stubGlobal('GainNode', FakeNode);
  return tones;
}

/** Stubs Web Locks across tabs. Requests with options are for shared locks, which don't queue. */
function stubLocks() {
  const held = new Set<string>();
  const queues = new Map<string, Promise<unknown>>();
  async function hold(name: string, task: () => Promise<unknown>) {
    held.add(name);
    return task().finally(() => held.delete(name));
  }
  function request(name: string, ...[first, second]: (object | (() => Promise<unknown>))[]) {
    if (typeof second === 'function') return hold(name, second as () => Promise<unknown>);
    const run = () => hold(name, first as () => Promise<unknown>);
    const mine = (queues.get(name) ?? Promise.resolve()).then(run, run);
    queues.set(
      name,
      mine.catch(() => {}),
    );
    return mine;
  }
  const query = async () => ({ held: [...held].map((name) => ({ name })) });
  vi.stubGlobal('navigator', { locks: { request, query } });
}

/** A browser whose tabs share storage, locks and notifications, but have their own modules. */
function browser() {
  const state: Senses = { permission: 'default', audible: true, focused: true };
  const { kept } = stubBrowser();
  stubLocks();
  vi.stubGlobal('document', {
    visibilityState: 'visible',
    hasFocus: () => state.focused,
    addEventListener() {},
  });
  const server = conversationServer(['maria']);
  return {
    state,
    shown: stubNotifications(state),
    tones: stubAudio(state),
    kept,
    /** Opens a tab with its own module state. */
    async openTab({ messageText = true } = {}) {
      vi.resetModules();
      const { beginSession } = await import('#stores/session.ts');
      beginSession(factsOf({ user_id: 'maria', message_text: messageText }));
      const notices = await import('#stores/notices.ts');
      const { holdFront } = await import('#stores/front.ts');
      notices.followNotices('maria', server.live());
      return { ...notices, holdFront };
    },
    async tell(news: ConversationChange) {
      server.tell('person:maria', 'conversation', news);
      await settle();
    },
  };
}

beforeEach(() => {
  vi.spyOn(Date, 'now').mockReturnValue(NOW);
});

describe('A new message', () => {
  test('Makes no sound and no notification unless the person chose them', async () => {
    const site = browser();
    await site.openTab();
    await site.tell(newsOf(1));
    expect([site.tones, site.shown]).toEqual([[], []]);
  });

  test('Sounds and is shown once, in whichever of two tabs, in the ways that were chosen', async () => {
    const site = browser();
    const one = await site.openTab();
    expect(await one.chooseNotification(true)).toBe('granted');
    one.chooseSound(true);
    await settle();
    expect(site.tones.splice(0)).toEqual(['ding']);
    await site.openTab();
    await site.tell(newsOf(1));
    await site.tell(newsOf(2));
    expect(site.tones).toEqual(['ding', 'ding']);
    expect(site.shown).toEqual(['Tom · A new oven: number 1', 'Tom · A new oven: number 2']);
  });

  test('Is neither while its conversation is open in front, in this tab or in another one', async () => {
    const site = browser();
    const one = await site.openTab();
    await one.chooseNotification(true);
    const other = await site.openTab();
    const release = other.holdFront('talk');
    await site.tell(newsOf(1));
    expect(site.shown).toEqual([]);
    await site.tell(newsOf(1, { id: 'another talk', title: 'Tom' }));
    expect(site.shown).toEqual(['Tom: number 1']);
    release();
    await settle();
    await site.tell(newsOf(2));
    expect(site.shown).toHaveLength(2);
  });

  test('Is shown without its words to somebody who wants mails and notifications without them', async () => {
    const site = browser();
    const tab = await site.openTab({ messageText: false });
    await tab.chooseNotification(true);
    await site.tell(newsOf(1));
    expect(site.shown).toEqual(['Tom · A new oven: Sent you a message']);
  });

  test('A window that is not looked at is not in front', async () => {
    const site = browser();
    const tab = await site.openTab();
    await tab.chooseNotification(true);
    site.state.focused = false;
    tab.holdFront('talk');
    await site.tell(newsOf(1));
    expect(site.shown).toHaveLength(1);
  });

  test('A tab that the browser keeps silent leaves the sound to the others', async () => {
    const site = browser();
    site.kept.set('trellis-notices', JSON.stringify({ sound: true, notification: false }));
    site.state.audible = false;
    await site.openTab();
    await site.tell(newsOf(1));
    expect(site.tones).toEqual([]);
    expect(site.kept.get('trellis-noticed')).toBeUndefined();
  });

  test('A permission that was taken back in the browser’s settings counts as not chosen', async () => {
    const site = browser();
    site.kept.set('trellis-notices', JSON.stringify({ sound: false, notification: true }));
    site.state.permission = 'denied';
    const { $notices } = await site.openTab();
    expect($notices.get()).toEqual({ sound: false, notification: false });
  });
});

const last = newsOf(3).last_message;
const old = new Date(NOW - 600_000).toISOString();
test.each([
  ['new', true, newsOf(3), 0],
  ['known', false, newsOf(3), 3],
  ['muted', false, newsOf(3, { muted: true }), 0],
  ['read', false, newsOf(3, { unread: 0 }), 0],
  ['empty', false, newsOf(3, { last_message: null }), 0],
  ['removed', false, newsOf(3, { last_message: last && { ...last, removed: true } }), 0],
  [
    'the person’s own',
    false,
    newsOf(3, { last_message: last && { ...last, author_id: 'maria' } }),
    0,
  ],
  ['old', false, newsOf(3, { last_message: last && { ...last, sent_at: old } }), 0],
])('Whether a message that is %s is worth a notice: %s', (_, isWorth, news, before) => {
  expect(isWorthANotice('maria', news, before, NOW)).toBe(isWorth);
});
