import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Conversation, ConversationPage } from '#data/conversations.ts';
import type { FoundMessage } from '#data/messages.ts';
import {
  ConversationListStore,
  type ListStart,
  withFirstPage,
} from '#features/messages/list/list-store.ts';
import { $unread } from '#stores/unread.ts';
import { conversationServer } from '../../fixtures/conversation-server.ts';
import { pass, stopTime } from '../../fixtures/conversation-tab.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';

stopTime();

/** A conversation that was last active this many hours ago. */
function row(id: string, hoursAgo: number, part: Partial<Conversation> = {}): Conversation {
  const at = new Date(Date.parse('2026-11-21T12:00:00Z') - hoursAgo * 3_600_000).toISOString();
  return {
    id,
    kind: 'direct',
    title: id,
    subject: null,
    others: 1,
    epoch: 1,
    last_seq: 1,
    people: [{ id: `person-${id}`, name: id, avatar_path: null, role: 'owner' }],
    revision: 1,
    read_seq: 1,
    from_seq: 1,
    unread: 0,
    muted: false,
    open: true,
    closed_why: null,
    last_message: null,
    active_at: at,
    created_at: at,
    draft: null,
    ...part,
  };
}

/** Conversations, each last active an hour earlier than the previous one. */
const rowsOf = (...ids: string[]) => ids.map((id, hours) => row(id, hours));

const pageOf = (conversations: Conversation[], more = false): ConversationPage => ({
  conversations,
  more,
  unread: 0,
  support_id: null,
});

const hitAt = (sent_at: string): FoundMessage => ({
  message_id: sent_at,
  conversation_id: 'ana',
  title: 'Ana',
  seq: 1,
  author_id: null,
  author_name: null,
  excerpt: '',
  sent_at,
});

/** A database that returns these rows. */
function database(rows: Conversation[], pageSize = 3) {
  const calls: Record<string, unknown>[] = [];
  const found: string[] = [];
  const state = { rows, unread: 0, found };
  const rpc = async (name: string, args: Record<string, unknown>) => {
    calls.push({ name, ...args });
    await Promise.resolve();
    if (name === 'search_messages') {
      const after = args.p_before ? state.found.indexOf(String(args.p_before)) + 1 : 0;
      return { data: state.found.slice(after, after + 20).map(hitAt), error: null, status: 200 };
    }
    const all = state.rows
      .filter(({ title }) => !args.p_search || title.includes(String(args.p_search)))
      .filter(({ active_at }) => !args.p_before || active_at < String(args.p_before));
    const data = {
      ...pageOf(structuredClone(all.slice(0, pageSize)), all.length > pageSize),
      unread: state.unread,
    };
    return { data, error: null, status: 200 };
  };
  return { state, calls, db: dbAnswering({ rpc }) };
}

async function openList(base: ReturnType<typeof database>, start: Partial<ListStart> = {}) {
  // Only its live channels are used, for the messages that `tell` sends.
  const server = conversationServer(['me']);
  const live = server.live();
  const watched: (readonly string[])[] = [];
  live.watch = (people) => {
    watched.push(people);
    return () => {};
  };
  const store = new ConversationListStore(
    { db: async () => base.db, openLive: () => live, me: 'me', signedOut: () => {} },
    {
      page: pageOf(base.state.rows.slice(0, 3), base.state.rows.length > 3),
      query: '',
      found: null,
      ...start,
    },
  );
  onTestFinished(store.open());
  await pass(1_000);
  return {
    store,
    live,
    watched,
    titles: () => store.$list.get().map(({ title }) => title),
    tell: (news: object) => server.tell('person:me', 'conversation', news),
  };
}

const newsOfRow = (of: Conversation, part: Partial<Conversation> = {}) => ({
  ...of,
  ...part,
  author_name: of.title,
  unread_total: 1,
});

describe('The list of conversations', () => {
  test('Shows a new message at once: its conversation goes to the top and counts as unread', async () => {
    const base = database([row('ana', 1), row('ben', 2)]);
    const { titles, tell, store } = await openList(base);
    const asked = base.calls.length;
    tell(newsOfRow(row('ben', 0, { revision: 2, unread: 1 })));
    expect(titles()).toEqual(['ben', 'ana']);
    expect(store.$list.get()[0]?.unread).toBe(1);
    // A late change with an older revision has no effect.
    tell(newsOfRow(row('ben', 0, { revision: 1, unread: 3 })));
    expect(store.$list.get()[0]?.unread).toBe(1);
    await pass(1_000);
    expect(base.calls.length).toBe(asked);
  });

  test('A draft goes with the message that it became, and stays when somebody else writes', async () => {
    const base = database([row('ana', 1, { draft: 'Dear Ana' })]);
    const { tell, store } = await openList(base);
    const said = (seq: number, author_id: string) =>
      newsOfRow(
        row('ana', 0, {
          revision: seq,
          last_seq: seq,
          last_message: {
            id: `m${seq}`,
            seq,
            author_id,
            excerpt: 'Hello',
            sent_at: '2026-11-21T12:00:00Z',
            removed: false,
            files: 0,
          },
        }),
      );
    tell(said(2, 'ana'));
    expect(store.$list.get()[0]?.draft).toBe('Dear Ana');
    tell(said(3, 'me'));
    expect(store.$list.get()[0]?.draft).toBeNull();
  });

  test("A conversation that isn't on the page is fetched when somebody writes in it, and goes when the person leaves it", async () => {
    const base = database([row('ana', 1)]);
    const { titles, tell } = await openList(base);
    base.state.rows.unshift(row('eve', 0));
    tell(newsOfRow(row('eve', 0)));
    await pass(1_000);
    expect(titles()).toEqual(['eve', 'ana']);
    tell({ id: 'ana', gone: true });
    expect(titles()).toEqual(['eve']);
  });

  test('After a lost connection the first page is fetched again, and conversations that are gone disappear', async () => {
    const base = database(rowsOf('a', 'b', 'c', 'd', 'e'));
    const { titles, live, store } = await openList(base);
    await store.loadMore();
    expect(titles()).toEqual(['a', 'b', 'c', 'd', 'e']);
    await pass(1_000);
    live.cut();
    base.state.rows = [
      row('e', -1),
      ...base.state.rows.filter(({ id }) => !['b', 'e'].includes(id)),
    ];
    base.state.unread = 7;
    live.mend();
    await pass(1_000);
    expect(titles()).toEqual(['e', 'a', 'c', 'd']);
    expect($unread.get()?.messages).toBe(7);
  });

  test('The presence of each person on the page is watched once', async () => {
    const base = database([row('ana', 1), row('oven', 2, { kind: 'project' }), row('ben', 3)]);
    const { watched, tell } = await openList(base);
    tell(newsOfRow(row('ben', 0, { revision: 2 })));
    expect(watched).toEqual([['person-ana', 'person-ben']]);
  });
});

describe('A search', () => {
  test('Waits for a pause in typing, finds people and messages, and goes back to all', async () => {
    const base = database(rowsOf('ana', 'ben', 'anton'));
    base.state.found = Array.from(
      { length: 25 },
      (_, n) => `message-${String(n).padStart(2, '0')}`,
    );
    const { titles, store, tell } = await openList(base);
    const asked = base.calls.length;
    for (const words of ['a', 'an', 'an ']) {
      store.search(words);
      await pass(100);
    }
    expect(base.calls.length).toBe(asked);
    expect(store.$state.get().name).toBe('loading');
    await pass(300);
    expect(titles()).toEqual(['ana', 'anton']);
    expect(base.calls.slice(asked).map(({ name }) => name)).toEqual([
      'list_conversations',
      'search_messages',
    ]);
    expect(store.$found.get()?.messages).toHaveLength(20);
    await store.loadMoreMessages();
    expect(store.$found.get()).toMatchObject({ more: false });
    expect(store.$found.get()?.messages).toHaveLength(25);
    tell(newsOfRow(row('ben', -1, { revision: 2 })));
    expect(titles()).toEqual(['ana', 'anton']);
    store.search('');
    expect(titles()).toEqual(['ben', 'ana', 'anton']);
    expect(store.$found.get()).toBeNull();
  });

  test('An answer that arrives while the person goes on typing is ignored', async () => {
    const base = database(rowsOf('ana', 'ben', 'bea'));
    const { titles, store } = await openList(base);
    store.search('b');
    vi.advanceTimersByTime(300);
    store.search('be');
    await pass();
    expect([store.$state.get().name, titles()]).toEqual(['loading', ['ana', 'ben', 'bea']]);
    await pass(300);
    expect([store.$state.get().name, titles()]).toEqual(['ready', ['ben', 'bea']]);
  });

  test('A page that came with a search shows all conversations when the query is cleared', async () => {
    const base = database(rowsOf('ana', 'ben'));
    const { titles, store } = await openList(base, {
      page: pageOf([row('ben', 1)]),
      query: 'ben',
      found: { messages: [], more: false },
    });
    expect(titles()).toEqual(['ben']);
    await pass(1_000);
    store.search('');
    expect(titles()).toEqual(['ana', 'ben']);
  });

  test('Clearing that query shows all of them even before the live connection is there', async () => {
    const base = database(rowsOf('ana', 'ben'));
    const live = conversationServer(['me']).live();
    const store = new ConversationListStore(
      { db: async () => base.db, openLive: () => live, me: 'me', signedOut: () => {} },
      { page: pageOf([row('ben', 1)]), query: 'ben', found: { messages: [], more: false } },
    );
    const titles = () => store.$list.get().map(({ title }) => title);
    store.search('');
    expect([store.$state.get().name, titles()]).toEqual(['loading', ['ben']]);
    await pass(0);
    expect([store.$state.get().name, titles()]).toEqual(['ready', ['ana', 'ben']]);
  });
});

test('Unread threads with support stay shown through live changes until the person searches', async () => {
  const base = database(rowsOf('ana', 'ben', 'cai'));
  const { titles, store, tell } = await openList(base, {
    page: pageOf([row('ben', 1)], true),
    show: 'support',
  });
  expect(titles()).toEqual(['ben']);
  tell(newsOfRow(row('ana', -1, { revision: 2 })));
  await pass(1_000);
  expect(titles()).toEqual(['ben']);
  await store.loadMore();
  expect(base.calls.at(-1)).toMatchObject({ p_unread_support: true });
  store.search('a');
  await pass(1_000);
  store.search('');
  expect(titles()).toEqual(['ana', 'ben', 'cai']);
});

test('A refreshed first page keeps the rows below it', () => {
  const rows = rowsOf('a', 'b', 'c', 'd');
  const again = withFirstPage(rows, { conversations: [row('x', -1), row('a', 0)], more: true });
  expect(again.map(({ id }) => id)).toEqual(['x', 'a', 'b', 'c', 'd']);
  const all = withFirstPage(rows, { conversations: [row('x', -1), row('a', 0)], more: false });
  expect(all.map(({ id }) => id)).toEqual(['x', 'a']);
});
