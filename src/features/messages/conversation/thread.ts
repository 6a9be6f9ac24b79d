/**
 * The messages of one conversation that this page knows. They arrive with the page, from paging,
 * over the live channel and in responses, in any order and more than once. The newest revision of
 * each wins, and the messages shown are a range of sequence numbers without a gap.
 */
import type { ConversationView } from '#data/conversations.ts';
import type { Message, MessageChanges } from '#data/messages.ts';

export interface Thread {
  /** All known messages by sequence number; only a range of them is shown. */
  readonly messages: ReadonlyMap<number, Message>;
  /** The sequence numbers shown, inclusive; none if `to` is below `from`. */
  readonly from: number;
  readonly to: number;
  /** The first sequence number that the user may read. */
  readonly first: number;
  /** The last sequence number known to exist. */
  readonly last: number;
  /** Every change up to this revision has been applied. */
  readonly known: number;
  /** The highest revision known to exist. */
  readonly latest: number;
  /** Revisions that arrived early: some between them and `known` are still missing. */
  readonly ahead: ReadonlySet<number>;
}

export function threadOf({ conversation, messages }: ConversationView): Thread {
  const { from_seq, last_seq, revision } = conversation;
  const first = Math.max(1, from_seq);
  const to = messages.at(-1)?.seq ?? Math.max(last_seq, first - 1);
  return {
    messages: new Map(messages.map((message) => [message.seq, message])),
    from: messages[0]?.seq ?? to + 1,
    to,
    first,
    last: Math.max(last_seq, to),
    known: revision,
    latest: revision,
    ahead: new Set(),
  };
}

/** Adds messages; an older revision of a known message is ignored. */
export function withMessages(thread: Thread, messages: readonly Message[]): Thread {
  const mine = messages.filter(({ seq }) => seq >= thread.first);
  const newer = mine.filter(
    ({ seq, revision }) => (thread.messages.get(seq)?.revision ?? -1) < revision,
  );
  const all = newer.length > 0 ? new Map(thread.messages) : thread.messages;
  if (all !== thread.messages) {
    for (const message of newer) (all as Map<number, Message>).set(message.seq, message);
  }
  return extend({
    ...thread,
    messages: all,
    last: Math.max(thread.last, ...mine.map(({ seq }) => seq)),
    latest: Math.max(thread.latest, ...messages.map(({ revision }) => revision)),
    ahead: new Set([...thread.ahead, ...messages.map(({ revision }) => revision)]),
  });
}

/** Extends `known` and the range shown over everything that has arrived without a gap. */
function extend(thread: Thread): Thread {
  let { known, to, from } = thread;
  while (thread.ahead.has(known + 1)) known += 1;
  while (thread.messages.has(to + 1)) to += 1;
  while (to >= from && from > thread.first && thread.messages.has(from - 1)) from -= 1;
  if (to < from && thread.messages.has(to)) from = to;
  const ahead = [...thread.ahead].filter((revision) => revision > known);
  return { ...thread, known, to, from, ahead: new Set(ahead) };
}

/** Applies the changes after `known`. */
export function withChanges(thread: Thread, changes: MessageChanges): Thread {
  const { messages, more } = changes;
  // The response is complete up to this revision.
  const until = more ? (messages.at(-1)?.revision ?? thread.known) : changes.revision;
  const next = withMessages(thread, messages);
  return extend({
    ...next,
    known: Math.max(next.known, until),
    latest: Math.max(next.latest, changes.revision),
  });
}

/** Records that a revision and a sequence number exist, without their messages. */
export function withNews(thread: Thread, news: { revision: number; last_seq: number }): Thread {
  if (news.revision <= thread.latest && news.last_seq <= thread.last) return thread;
  return {
    ...thread,
    latest: Math.max(thread.latest, news.revision),
    last: Math.max(thread.last, news.last_seq),
  };
}

/** Whether there are changes that haven't arrived. */
export const hasGap = (thread: Thread) => thread.known < thread.latest;
/** Whether there are messages before the first one shown. */
export const hasOlder = (thread: Thread) => thread.from > thread.first;
export const hasNewer = (thread: Thread) => thread.to < thread.last;

/** Shows another range: the one that contains these messages. */
export function movedTo(thread: Thread, messages: readonly Message[]): Thread {
  const [first, last] = [messages[0], messages.at(-1)];
  if (!first || !last) return thread;
  const next = withMessages({ ...thread, from: first.seq, to: first.seq - 1 }, messages);
  return extend({
    ...next,
    from: Math.min(next.from, first.seq),
    to: Math.max(next.to, last.seq),
  });
}

export function shownOf({ messages, from, to }: Thread): Message[] {
  const shown: Message[] = [];
  for (let seq = from; seq <= to; seq += 1) {
    const message = messages.get(seq);
    if (message) shown.push(message);
  }
  return shown;
}

const ids = new WeakMap<Thread['messages'], ReadonlySet<string>>();

export function idsOf({ messages }: Thread): ReadonlySet<string> {
  let known = ids.get(messages);
  if (!known) {
    known = new Set([...messages.values()].map(({ id }) => id));
    ids.set(messages, known);
  }
  return known;
}
