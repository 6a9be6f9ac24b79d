/** The conversations of a person: newest first, live, searched and paged in the database. */
import { atom, type ReadableAtom } from 'nanostores';
import {
  type Conversation,
  type ConversationChange,
  type ConversationPage,
  listConversations,
  newsOf,
} from '#data/conversations.ts';
import { type FoundMessage, SEARCH_PAGE, searchMessages } from '#data/messages.ts';
import { createErrorReporter } from '#lib/classify-error.ts';
import { type AnswerState, createLatestAnswer } from '#lib/latest-answer.ts';
import type { Live } from '#lib/live.ts';
import type { Db } from '#lib/supabase.ts';
import { setUnread } from '#stores/unread.ts';

/** What a search found in messages; null while nothing is searched. */
export interface FoundMessages {
  messages: readonly FoundMessage[];
  more: boolean;
}

/** What the page brought; with words where it was asked to search. */
export interface ListStart {
  page: ConversationPage;
  words: string;
  found: FoundMessages | null;
}

export interface ConversationListDeps {
  db: () => Promise<Db>;
  openLive: () => Live;
  me: string;
  signedOut: () => void;
}

export interface ConversationListStore {
  /** Newest first; while something is searched, those that fit it. */
  $list: ReadableAtom<readonly Conversation[]>;
  $more: ReadableAtom<boolean>;
  $state: ReadableAtom<AnswerState>;
  $words: ReadableAtom<string>;
  $found: ReadableAtom<FoundMessages | null>;
  /** People who are here now, by id. */
  $present: ReadableAtom<ReadonlySet<string>>;
  supportId: string | null;
  /** Follows what happens; gives the end of it. */
  open(): () => void;
  /** Searches as one types; waits for a pause. Empty shows everything again. */
  search(words: string): void;
  /** The next page of conversations. */
  more(): Promise<void>;
  /** The next page of messages that were found. */
  moreFound(): Promise<void>;
  /** Asks again where it failed. */
  retry(): Promise<void>;
}

/** How long a pause in typing is, and how long news of unknown conversations gather, in ms. */
const PAUSE = 300;
/** Fewer letters than these are in nearly every message. */
const SHORTEST = 2;
/** Of whom it is shown whether they are here. */
const WATCHED = 20;

const newestFirst = (one: Conversation, other: Conversation) =>
  Date.parse(other.active_at) - Date.parse(one.active_at) || (one.id < other.id ? 1 : -1);

/** A row with what was heard of it. Whoever sends something has no draft there any more. */
function withChange(row: Conversation, news: ConversationChange, me: string): Conversation {
  // Two answers may cross: an older one changes nothing.
  if (news.revision < row.revision) return row;
  const { title, epoch, last_seq, revision, read_seq, active_at, last_message, unread, muted } =
    news;
  const sent = last_message?.author_id === me && last_message.seq > row.last_seq;
  return {
    ...row,
    draft: sent ? null : row.draft,
    ...{ title, epoch, last_seq, revision, read_seq, active_at, last_message, unread, muted },
  };
}

/** The rows after the first page was asked for again: what it leaves out of its span is gone. */
export function withFirstPage(
  rows: readonly Conversation[],
  { conversations, more }: Pick<ConversationPage, 'conversations' | 'more'>,
): Conversation[] {
  const ids = new Set(conversations.map(({ id }) => id));
  const end = conversations.at(-1);
  const below = rows.filter((row) => !ids.has(row.id) && more && end && newestFirst(end, row) < 0);
  return [...conversations, ...below].sort(newestFirst);
}

/** Makes the store of one page. Nothing happens before it is opened, in a browser. */
export function createConversationListStore(
  deps: ConversationListDeps,
  { page: initial, words: begun, found }: ListStart,
): ConversationListStore {
  // A page that searched brings no list of all: it is asked for when the words are taken away.
  const $all = atom<readonly Conversation[]>(begun === '' ? initial.conversations : []);
  const $list = atom<readonly Conversation[]>(initial.conversations);
  const $more = atom(initial.more);
  const $words = atom(begun);
  const $found = atom<FoundMessages | null>(found);
  const $present = atom<ReadonlySet<string>>(new Set());
  let moreOfAll = begun === '' && initial.more;
  const answer = createLatestAnswer(deps);
  const reportError = createErrorReporter(deps);
  let typing: ReturnType<typeof setTimeout> | undefined;
  let gathering: ReturnType<typeof setTimeout> | undefined;

  function showAll(rows: readonly Conversation[]) {
    $all.set(rows);
    if ($words.get() !== '') return;
    $list.set(rows);
    $more.set(moreOfAll);
  }

  const look = (words: string) =>
    answer.ask(async (db) => {
      const [page, messages] = await Promise.all([
        listConversations(db, words),
        words.length < SHORTEST ? [] : searchMessages(db, words),
      ]);
      return () => {
        $list.set(page.conversations);
        $more.set(page.more);
        $found.set({ messages, more: messages.length === SEARCH_PAGE });
      };
    });

  function search(typed: string) {
    const words = typed.trim();
    if (words === $words.get()) return;
    clearTimeout(typing);
    $words.set(words);
    if (words !== '') {
      answer.drop('loading');
      typing = setTimeout(() => void look(words), PAUSE);
      return;
    }
    answer.drop('ready');
    $found.set(null);
    showAll($all.get());
  }

  function more(): Promise<void> {
    const words = $words.get();
    const after = $list.get().at(-1) ?? null;
    return answer.ask(async (db) => {
      const page = await listConversations(db, words, after);
      return () => {
        const had = new Set($list.get().map(({ id }) => id));
        const rows = [...$list.get(), ...page.conversations.filter(({ id }) => !had.has(id))];
        if (words === '') {
          moreOfAll = page.more;
          showAll(rows);
        } else {
          $list.set(rows);
          $more.set(page.more);
        }
      };
    });
  }

  function moreFound(): Promise<void> {
    const words = $words.get();
    const before = $found.get()?.messages.at(-1)?.sent_at;
    if (!before) return Promise.resolve();
    return answer.ask(async (db) => {
      const next = await searchMessages(db, words, before);
      return () => {
        const messages = $found.get()?.messages ?? [];
        const had = new Set(messages.map((each) => each.message_id));
        $found.set({
          messages: [...messages, ...next.filter((each) => !had.has(each.message_id))],
          more: next.length === SEARCH_PAGE,
        });
      };
    });
  }

  /** Asks for the first page again, beside whatever the person does. */
  async function refresh(): Promise<void> {
    try {
      const page = await listConversations(await deps.db());
      if (!page.more || $all.get().length === 0) moreOfAll = page.more;
      showAll(withFirstPage($all.get(), page));
      setUnread(page.unread);
    } catch (thrown) {
      // What is on the page is not wrong, only older; the live connection asks again when it is back.
      reportError(thrown);
    }
  }

  function gather() {
    clearTimeout(gathering);
    gathering = setTimeout(() => void refresh(), PAUSE);
  }

  function onNews(event: string, payload: unknown) {
    const news = event === 'conversation' ? newsOf(payload) : null;
    if (!news) return;
    if (news.gone) {
      $list.set($list.get().filter(({ id }) => id !== news.id));
      showAll($all.get().filter(({ id }) => id !== news.id));
      return;
    }
    const heard = (rows: readonly Conversation[]) =>
      rows.map((row) => (row.id === news.id ? withChange(row, news, deps.me) : row));
    if ($words.get() !== '') $list.set(heard($list.get()));
    const known = $all.get().find(({ id }) => id === news.id);
    // Another channel: somebody joined or left, which shows in the row's name and pictures.
    if (!known || known.epoch !== news.epoch) gather();
    if (known) showAll(heard($all.get()).sort(newestFirst));
  }

  function open(): () => void {
    const live = deps.openLive();
    let stopWatching = () => {};
    let watched = '';
    const person = live.join(`person:${deps.me}`, { onMessage: onNews, onJoin: gather });
    const stopPresence = live.$present.subscribe((here) => $present.set(here));
    const stopList = $list.subscribe((rows) => {
      const direct = rows.filter(({ kind }) => kind === 'direct').slice(0, WATCHED);
      const people = direct.flatMap((row) => row.people.map(({ id }) => id)).sort();
      if (people.join() === watched) return;
      watched = people.join();
      const stop = live.watch(people);
      stopWatching();
      stopWatching = stop;
    });
    return () => {
      clearTimeout(typing);
      clearTimeout(gathering);
      stopList();
      stopPresence();
      stopWatching();
      person.leave();
      live.close();
    };
  }

  return {
    ...{ $list, $more, $state: answer.$state, $words, $found, $present },
    supportId: initial.support_id,
    ...{ open, search, more, moreFound },
    retry: answer.retry,
  };
}
