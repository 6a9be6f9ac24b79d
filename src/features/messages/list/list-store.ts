/** A person's conversations: newest first, live, searched and paged in the database. */
import { atom, type ReadableAtom } from 'nanostores';
import {
  type Conversation,
  type ConversationChange,
  type ConversationPage,
  type ConversationShow,
  listConversations,
  newsOf,
} from '#data/conversations.ts';
import { type FoundMessage, SEARCH_PAGE, searchMessages } from '#data/messages.ts';
import { createErrorReporter } from '#lib/classify-error.ts';
import { db } from '#lib/db.ts';
import { type AnswerDeps, createLatestAnswer, type LatestAnswer } from '#lib/latest-answer.ts';
import type { Live } from '#lib/live/live.ts';
import { openLive } from '#stores/live.ts';
import { sessionEnded } from '#stores/session.ts';
import { setUnread } from '#stores/unread.ts';

/** The messages that match a search, newest first. */
export interface FoundMessages {
  messages: readonly FoundMessage[];
  more: boolean;
}

/** The list as the server rendered it: all conversations, or those that match the query. */
export interface ListStart {
  page: ConversationPage;
  /** The search query; empty for all conversations. */
  query: string;
  found: FoundMessages | null;
  /** Shown until the user searches. */
  show?: ConversationShow;
}

export interface ConversationListDeps extends AnswerDeps {
  openLive: () => Live;
  me: string;
}

/** The dependencies of a page in the browser. */
export const listDeps = (me: string): ConversationListDeps => ({
  db,
  openLive: () => openLive(me),
  me,
  signedOut: sessionEnded,
});

/** Debounce time of searches and of refreshes, in milliseconds. */
const PAUSE = 300;
/** Shorter queries match nearly every message, so only names are searched. */
const SHORTEST = 2;
/** Presence is watched for the people in this many direct conversations. */
const WATCHED = 20;

const newestFirst = (one: Conversation, other: Conversation) =>
  Date.parse(other.active_at) - Date.parse(one.active_at) || (one.id < other.id ? 1 : -1);

/** Applies a change to its row. Once the reader has sent a message, their draft is gone. */
function withChange(row: Conversation, change: ConversationChange, me: string): Conversation {
  // Changes may arrive out of order.
  if (change.revision < row.revision) return row;
  const { author_name, unread_total, gone, ...known } = change;
  const { last_message: last } = change;
  const isSent = last?.author_id === me && last.seq > row.last_seq;
  return { ...row, ...known, draft: isSent ? null : row.draft };
}

/** Replaces the first page; rows in its range that it no longer contains are dropped. */
export function withFirstPage(
  rows: readonly Conversation[],
  { conversations, more }: Pick<ConversationPage, 'conversations' | 'more'>,
): Conversation[] {
  const ids = new Set(conversations.map(({ id }) => id));
  const end = conversations.at(-1);
  const below = rows.filter((row) => !ids.has(row.id) && more && end && newestFirst(end, row) < 0);
  return [...conversations, ...below].sort(newestFirst);
}

/** Appends the rows that aren't there yet. */
function appendNew<Row>(rows: readonly Row[], next: readonly Row[], key: (row: Row) => string) {
  const ids = new Set(rows.map(key));
  return [...rows, ...next.filter((row) => !ids.has(key(row)))];
}

/** The store of one page. It does nothing until `open()` is called in a browser. */
export class ConversationListStore {
  /** Newest first; during a search, those that match. */
  readonly $list;
  readonly $hasMore;
  readonly $query;
  readonly $found;
  /** Ids of watched people who are present. */
  readonly $present = atom<ReadonlySet<string>>(new Set());
  readonly $state: LatestAnswer['$state'];
  /** Retries the failed request. */
  readonly retry: LatestAnswer['retry'];
  readonly #deps: ConversationListDeps;
  readonly #answer: LatestAnswer;
  readonly #$all;
  /** Whether the full list's first page has arrived. */
  #hasAll: boolean;
  #shows: ConversationShow;
  #allHasMore: boolean;
  #searchTimer: ReturnType<typeof setTimeout> | undefined;
  #refreshTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: ConversationListDeps, { page, query, found, show = null }: ListStart) {
    const isAll = query === '' && !show;
    this.#shows = show;
    this.#deps = deps;
    this.#answer = createLatestAnswer(deps);
    this.$state = this.#answer.$state;
    this.retry = this.#answer.retry;
    this.$list = atom<readonly Conversation[]>(page.conversations);
    this.$hasMore = atom(page.more);
    this.$query = atom(query);
    this.$found = atom(found);
    // A page rendered for some of them doesn't have the full list: joining the live channel fetches it,
    // or clearing the query if that's earlier.
    this.#hasAll = isAll;
    this.#$all = atom<readonly Conversation[]>(isAll ? page.conversations : []);
    this.#allHasMore = isAll && page.more;
  }

  /** Joins the live channel; returns the cleanup function. */
  open(): () => void {
    const live = this.#deps.openLive();
    const person = live.join(`person:${this.#deps.me}`, {
      onMessage: (event, payload) => this.#handleMessage(event, payload),
      onJoin: () => this.#refreshSoon(),
    });
    const stopPresence = live.$present.subscribe((present) => {
      // If nobody was and is present, nothing has to render again.
      if (present.size > 0 || this.$present.get().size > 0) this.$present.set(present);
    });
    const stopWatching = watchPeople(live, this.$list);
    return () => {
      clearTimeout(this.#searchTimer);
      clearTimeout(this.#refreshTimer);
      stopPresence();
      stopWatching();
      person.leave();
      live.close();
    };
  }

  /** Searches after a pause in typing; an empty query shows all again. */
  search(typed: string): void {
    const query = typed.trim();
    if (query === this.$query.get()) return;
    clearTimeout(this.#searchTimer);
    this.$query.set(query);
    this.#shows = null;
    if (query !== '') {
      this.#answer.drop('loading');
      this.#searchTimer = setTimeout(() => void this.#fetchMatches(query), PAUSE);
      return;
    }
    this.$found.set(null);
    if (!this.#hasAll) {
      void this.#fetchAll();
      return;
    }
    this.#answer.drop('ready');
    this.#setAll(this.#$all.get());
  }

  /** Loads the next page of conversations. */
  loadMore(): Promise<void> {
    const query = this.$query.get();
    const after = this.$list.get().at(-1) ?? null;
    return this.#answer.ask(async (client) => {
      const page = await listConversations(client, query, after, this.#shows);
      return () => {
        const rows = appendNew(this.$list.get(), page.conversations, ({ id }) => id);
        if (this.#isAll()) this.#setAll(rows, page.more);
        else this.#show(rows, page.more);
      };
    });
  }

  /** Loads the next page of matching messages. */
  async loadMoreMessages(): Promise<void> {
    const before = this.$found.get()?.messages.at(-1)?.sent_at;
    if (!before) return;
    await this.#answer.ask(async (client) => {
      const next = await searchMessages(client, this.$query.get(), before);
      return () =>
        this.$found.set({
          messages: appendNew(this.$found.get()?.messages ?? [], next, (each) => each.message_id),
          more: next.length === SEARCH_PAGE,
        });
    });
  }

  #show(rows: readonly Conversation[], hasMore: boolean): void {
    this.$list.set(rows);
    this.$hasMore.set(hasMore);
  }

  #setAll(rows: readonly Conversation[], hasMore = this.#allHasMore): void {
    this.#$all.set(rows);
    this.#allHasMore = hasMore;
    if (this.#isAll()) this.#show(rows, hasMore);
  }

  /** Whether all conversations are shown. */
  #isAll(): boolean {
    return this.$query.get() === '' && !this.#shows;
  }

  #fetchAll(): Promise<void> {
    return this.#answer.ask(async (client) => {
      const page = await listConversations(client);
      return () => this.#setFirstPage(page);
    });
  }

  /** Shows the full list's first page as it is now, above the rows that were loaded after it. */
  #setFirstPage(page: ConversationPage): void {
    const isFirst = this.#$all.get().length === 0;
    const hasMore = !page.more || isFirst ? page.more : this.#allHasMore;
    this.#hasAll = true;
    this.#setAll(withFirstPage(this.#$all.get(), page), hasMore);
    setUnread({ messages: page.unread });
  }

  #fetchMatches(query: string): Promise<void> {
    return this.#answer.ask(async (client) => {
      const [page, messages] = await Promise.all([
        listConversations(client, query),
        query.length < SHORTEST ? [] : searchMessages(client, query),
      ]);
      return () => {
        this.#show(page.conversations, page.more);
        this.$found.set({ messages, more: messages.length === SEARCH_PAGE });
      };
    });
  }

  #refreshSoon(): void {
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = setTimeout(() => void this.#refresh(), PAUSE);
  }

  /** Fetches the first page again, in the background. */
  async #refresh(): Promise<void> {
    try {
      this.#setFirstPage(await listConversations(await this.#deps.db()));
    } catch (thrown) {
      // The rows are only out of date, and the next join of the channel refreshes them.
      createErrorReporter(this.#deps)(thrown);
    }
  }

  #handleMessage(event: string, payload: unknown): void {
    const change = event === 'conversation' ? newsOf(payload) : null;
    if (!change) return;
    if (change.gone) {
      this.$list.set(this.$list.get().filter(({ id }) => id !== change.id));
      this.#setAll(this.#$all.get().filter(({ id }) => id !== change.id));
      return;
    }
    const apply = (rows: readonly Conversation[]) =>
      rows.map((row) => (row.id === change.id ? withChange(row, change, this.#deps.me) : row));
    if (!this.#isAll()) this.$list.set(apply(this.$list.get()));
    const known = this.#$all.get().find(({ id }) => id === change.id);
    // A different epoch means that someone joined or left, which changes the name and pictures.
    if (!known || known.epoch !== change.epoch) this.#refreshSoon();
    if (known) this.#setAll(apply(this.#$all.get()).sort(newestFirst));
  }
}

/** Watches who's present in the first direct conversations; returns the cleanup function. */
function watchPeople(live: Live, $list: ReadableAtom<readonly Conversation[]>): () => void {
  let stopWatching = () => {};
  let watched = '';
  const stopList = $list.subscribe((rows) => {
    const direct = rows.filter(({ kind }) => kind === 'direct').slice(0, WATCHED);
    const people = direct.flatMap((row) => row.people.map(({ id }) => id)).sort();
    if (people.join() === watched) return;
    watched = people.join();
    // Watch the new people before unwatching the old, so people in both keep their channel.
    const stop = live.watch(people);
    stopWatching();
    stopWatching = stop;
  });
  return () => {
    stopList();
    stopWatching();
  };
}
