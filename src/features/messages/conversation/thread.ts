/**
 * The messages of one conversation that this page knows. They arrive with the page, in further pages,
 * by the live channel and as answers, in any order and more than once. The newest revision of each
 * counts, and the messages that are shown are a run of places without a gap.
 */
import type { ConversationView } from '#data/conversations.ts';
import type { Message, MessageChanges } from '#data/messages.ts';

export interface Thread {
  /** All known messages by place; only a run of them is shown. */
  readonly messages: ReadonlyMap<number, Message>;
  /** The places that are shown, both ends included; nothing when `to` is below `from`. */
  readonly from: number;
  readonly to: number;
  /** The first place that the person may read. */
  readonly first: number;
  /** The last place that exists, as far as is known. */
  readonly last: number;
  /** Every change up to this revision is in. */
  readonly known: number;
  /** The highest revision that exists, as far as is known. */
  readonly latest: number;
  /** Revisions that arrived before the ones between them and `known`. */
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

/** Adds messages; older revisions of known ones change nothing. */
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

/** Extends `known` and the run that is shown over what has arrived. */
function extend(thread: Thread): Thread {
  let { known, to, from } = thread;
  while (thread.ahead.has(known + 1)) known += 1;
  while (thread.messages.has(to + 1)) to += 1;
  while (to >= from && from > thread.first && thread.messages.has(from - 1)) from -= 1;
  if (to < from && thread.messages.has(to)) from = to;
  const ahead = [...thread.ahead].filter((revision) => revision > known);
  return { ...thread, known, to, from, ahead: new Set(ahead) };
}

/** Adds what changed after `known`. */
export function withChanges(thread: Thread, changes: MessageChanges): Thread {
  const { messages, more } = changes;
  // The answer is complete up to this revision.
  const until = more ? (messages.at(-1)?.revision ?? thread.known) : changes.revision;
  const next = withMessages(thread, messages);
  return extend({
    ...next,
    known: Math.max(next.known, until),
    latest: Math.max(next.latest, changes.revision),
  });
}

/** Notes that this revision and this place exist, without their messages. */
export function withNews(thread: Thread, news: { revision: number; last_seq: number }): Thread {
  if (news.revision <= thread.latest && news.last_seq <= thread.last) return thread;
  return {
    ...thread,
    latest: Math.max(thread.latest, news.revision),
    last: Math.max(thread.last, news.last_seq),
  };
}

/** Whether something was written or changed that hasn't arrived. */
export const hasGap = (thread: Thread) => thread.known < thread.latest;
/** Whether there are messages before the first one shown. */
export const hasOlder = (thread: Thread) => thread.from > thread.first;
export const hasNewer = (thread: Thread) => thread.to < thread.last;

/** Shows another run: the one that contains these messages. */
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
