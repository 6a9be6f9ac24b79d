/**
 * The messages of one conversation as this page knows them. They arrive from anywhere, in any order
 * and more than once: with the page, in pages, by the live channel, as answers to what was sent. The
 * newest revision of each stands, and what is shown is a run of places without a gap.
 */
import type { ConversationView } from '#data/conversations.ts';
import type { Message, MessageChanges } from '#data/messages.ts';

export interface Thread {
  /** All that was heard of, by place; only a run of it is shown. */
  readonly messages: ReadonlyMap<number, Message>;
  /** The places that are shown, both ends included; nothing when `to` is below `from`. */
  readonly from: number;
  readonly to: number;
  /** The first place that the person may read. */
  readonly first: number;
  /** The last place that was heard of. */
  readonly last: number;
  /** Every change up to this revision is in. */
  readonly known: number;
  /** The highest revision that was heard of. */
  readonly heard: number;
  /** Revisions that came before those that stand between them and `known`. */
  readonly ahead: ReadonlySet<number>;
}

/** Begins with what the page brought. */
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
    heard: revision,
    ahead: new Set(),
  };
}

/** Adds messages, wherever they come from. What is older than what is there changes nothing. */
export function withMessages(thread: Thread, messages: readonly Message[]): Thread {
  const mine = messages.filter(({ seq }) => seq >= thread.first);
  const newer = mine.filter(
    ({ seq, revision }) => (thread.messages.get(seq)?.revision ?? -1) < revision,
  );
  const all = newer.length > 0 ? new Map(thread.messages) : thread.messages;
  if (all !== thread.messages) {
    for (const message of newer) (all as Map<number, Message>).set(message.seq, message);
  }
  return settled({
    ...thread,
    messages: all,
    last: Math.max(thread.last, ...mine.map(({ seq }) => seq)),
    heard: Math.max(thread.heard, ...messages.map(({ revision }) => revision)),
    ahead: new Set([...thread.ahead, ...messages.map(({ revision }) => revision)]),
  });
}

/** Moves `known` over what has come, and the end of what is shown over what follows it. */
function settled(thread: Thread): Thread {
  let { known, to, from } = thread;
  while (thread.ahead.has(known + 1)) known += 1;
  while (thread.messages.has(to + 1)) to += 1;
  while (to >= from && from > thread.first && thread.messages.has(from - 1)) from -= 1;
  if (to < from && thread.messages.has(to)) from = to;
  const ahead = [...thread.ahead].filter((revision) => revision > known);
  return { ...thread, known, to, from, ahead: new Set(ahead) };
}

/** Adds the answer to what changed after `known`. */
export function withChanges(thread: Thread, changes: MessageChanges): Thread {
  const { messages, more } = changes;
  // All that changed until then is in the answer: the last one's, where more follow.
  const until = more ? (messages.at(-1)?.revision ?? thread.known) : changes.revision;
  const next = withMessages(thread, messages);
  return settled({
    ...next,
    known: Math.max(next.known, until),
    heard: Math.max(next.heard, changes.revision),
  });
}

/** There is news of this revision and this place; the messages themselves may be missing. */
export function withNews(thread: Thread, news: { revision: number; last_seq: number }): Thread {
  if (news.revision <= thread.heard && news.last_seq <= thread.last) return thread;
  return {
    ...thread,
    heard: Math.max(thread.heard, news.revision),
    last: Math.max(thread.last, news.last_seq),
  };
}

/** Something was said or changed that has not come. */
export const hasGap = (thread: Thread) => thread.known < thread.heard;
/** Earlier messages than those that are shown exist. */
export const hasOlder = (thread: Thread) => thread.from > thread.first;
export const hasNewer = (thread: Thread) => thread.to < thread.last;

/** Shows another run: the one that this page of messages is in. */
export function movedTo(thread: Thread, messages: readonly Message[]): Thread {
  const [first, last] = [messages[0], messages.at(-1)];
  if (!first || !last) return thread;
  const next = withMessages({ ...thread, from: first.seq, to: first.seq - 1 }, messages);
  return settled({
    ...next,
    from: Math.min(next.from, first.seq),
    to: Math.max(next.to, last.seq),
  });
}

/** What is shown, in order. */
export function shownOf({ messages, from, to }: Thread): Message[] {
  const shown: Message[] = [];
  for (let seq = from; seq <= to; seq += 1) {
    const message = messages.get(seq);
    if (message) shown.push(message);
  }
  return shown;
}

const ids = new WeakMap<Thread['messages'], ReadonlySet<string>>();

/** The ids of all messages that are stored, as far as this page knows. */
export function idsOf({ messages }: Thread): ReadonlySet<string> {
  let known = ids.get(messages);
  if (!known) {
    known = new Set([...messages.values()].map(({ id }) => id));
    ids.set(messages, known);
  }
  return known;
}
