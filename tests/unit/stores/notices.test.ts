import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConversationChange } from '#data/conversations.ts';
import { factsOf } from '#session/session-facts.ts';
import { conversationServer } from '../../fixtures/conversation-server.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

/** What Tom wrote, as Maria's channel tells it. */
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

/** A browser: storage, locks and notifications that its tabs share, each with its own modules. */
function browser() {
  const kept = new Map<string, string>();
  const held = new Set<string>();
  const queues = new Map<string, Promise<unknown>>();
  const shown: string[] = [];
  const tones: string[] = [];
  const state = { permission: 'default', audible: true, focused: true };

  class FakeNotification {
    static get permission() {
      return state.permission;
    }
    static async requestPermission() {
      state.permission = 'granted';
      return state.permission;
    }
    constructor(title: string, { body }: { body: string }) {
      shown.push(`${title}: ${body}`);
    }
    addEventListener() {}
  }
  const param = {
    setValueAtTime() {},
    linearRampToValueAtTime() {},
    exponentialRampToValueAtTime() {},
  };
  const node = { connect: () => node, start() {}, stop() {}, gain: param };
  vi.stubGlobal('Notification', FakeNotification);
  vi.stubGlobal(
    'AudioContext',
    class {
      currentTime = 0;
      destination = {};
      get state() {
        return state.audible ? 'running' : 'suspended';
      }
      resume = async () => {};
      close = async () => {};
    },
  );
  vi.stubGlobal(
    'OscillatorNode',
    class {
      constructor(_audio: unknown, { frequency }: { frequency: number }) {
        if (frequency === 660) tones.push('ding');
        Object.assign(this, node);
      }
    },
  );
  vi.stubGlobal(
    'GainNode',
    class {
      constructor() {
        Object.assign(this, node);
      }
    },
  );
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  vi.stubGlobal('navigator', {
    locks: {
      request(name: string, options: unknown, task?: () => Promise<unknown>) {
        const work = task ?? (options as () => Promise<unknown>);
        const run = async () => {
          held.add(name);
          try {
            return await work();
          } finally {
            held.delete(name);
          }
        };
        if (task) return run();
        const mine = (queues.get(name) ?? Promise.resolve()).then(run, run);
        queues.set(
          name,
          mine.catch(() => {}),
        );
        return mine;
      },
      query: async () => ({ held: [...held].map((name) => ({ name })) }),
    },
  });
  vi.stubGlobal('document', {
    visibilityState: 'visible',
    hasFocus: () => state.focused,
    addEventListener() {},
    removeEventListener() {},
  });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});

  const server = conversationServer(['maria']);
  return {
    state,
    shown,
    tones,
    kept,
    server,
    /** Another tab: what its modules remember is its own. */
    async openTab({ messageText = true } = {}) {
      vi.resetModules();
      const { beginSession } = await import('#stores/session.ts');
      beginSession(factsOf({ user_id: 'maria', message_text: messageText }));
      const notices = await import('#stores/notices.ts');
      const end = notices.followNotices('maria', server.live());
      return { ...notices, end };
    },
    async tell(news: ConversationChange) {
      server.tell('person:maria', 'conversation', news);
      for (let n = 0; n < 100; n += 1) await Promise.resolve();
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
    for (let n = 0; n < 100; n += 1) await Promise.resolve();
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
    await Promise.resolve();
    await Promise.resolve();
    await site.tell(newsOf(2));
    expect(site.shown).toHaveLength(2);
  });

  test('Is shown without its words to somebody who wants mails and notifications without them', async () => {
    const site = browser();
    const tab = await site.openTab({ messageText: false });
    await tab.chooseNotification(true);
    await site.tell(newsOf(1));
    expect(site.shown).toEqual(['Tom · A new oven: Wrote to you']);
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

test('What is one’s own, muted, read, removed, old or known is no news', async () => {
  browser();
  const { isWorthANotice } = await import('#stores/notices.ts');
  const last = newsOf(3).last_message;
  if (!last) throw new Error('There is one');
  const old = new Date(NOW - 600_000).toISOString();
  expect(isWorthANotice('maria', newsOf(3), 0, NOW)).toBe(true);
  const rest: [ConversationChange, number][] = [
    [newsOf(3), 3],
    [newsOf(3, { muted: true }), 0],
    [newsOf(3, { unread: 0 }), 0],
    [newsOf(3, { last_message: null }), 0],
    [newsOf(3, { last_message: { ...last, removed: true } }), 0],
    [newsOf(3, { last_message: { ...last, author_id: 'maria' } }), 0],
    [newsOf(3, { last_message: { ...last, sent_at: old } }), 0],
  ];
  for (const [news, before] of rest) expect(isWorthANotice('maria', news, before, NOW)).toBe(false);
});
