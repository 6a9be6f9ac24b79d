/** Messages as one reader sees them, and the types that the parts of a conversation share. */

import type { Reader } from '#data/conversations.ts';
import type { Message, Quote } from '#data/messages.ts';
import type { Attempt, AttemptDeps } from '#lib/attempt.ts';
import type { AppError } from '#lib/errors.ts';
import type { Live } from '#lib/live/live.ts';
import type { SaveStatus } from '#lib/save-status.ts';
import type { WrittenMessage } from '#sync/kinds/message.ts';
import type { PendingItem } from '#sync/pending-list.ts';
import type { Sync } from '#sync/sync.ts';
import type { ConversationData } from './conversation-data.ts';
import { shownOf, type Thread } from './thread.ts';

/** The delivery status of a message. */
export type Delivery =
  /** Someone else's message. */
  | { name: 'received' }
  /** Waiting in this browser for a connection or for sign-in. */
  | { name: 'queued' }
  | { name: 'sending' }
  | { name: 'sent' }
  /** Read by this many other people. */
  | { name: 'read'; by: number }
  /** Rejected by the server: `retry` or `discard` it. */
  | { name: 'failed'; why: string };

/** A message on the screen. Its `seq` is null until it's stored. */
export interface ShownMessage extends Omit<Message, 'seq' | 'revision'> {
  seq: number | null;
  mine: boolean;
  delivery: Delivery;
  /** An optimistic change that isn't saved yet. */
  changing: 'edit' | 'remove' | null;
}

/** Whether the user can write here, and if not, why. */
export type ThreadState =
  | { name: 'open' }
  | { name: 'closed'; why: string }
  /** The user is no longer in the conversation. */
  | { name: 'gone'; why: string };

/** The first or last end of the messages on the page. */
export type Edge =
  | { name: 'end' }
  | { name: 'more' }
  | { name: 'loading' }
  | { name: 'failed'; error: AppError };

export interface Draft {
  text: string;
  replyTo: Quote | null;
}

/** The `open…` functions are called in a browser only, when the store is opened. */
export interface ConversationDeps extends AttemptDeps {
  me: string;
  openLive: () => Live;
  openSync: () => Sync;
  /** Marks this conversation as the one the user is looking at; returns the cleanup function. */
  holdFront: (conversationId: string) => () => void;
  /** Sets the number of unread messages in all conversations. */
  setUnread: (total: number) => void;
}

/** Dependencies shared by the parts of a conversation's store. */
export interface ConversationContext extends ConversationDeps {
  data: ConversationData;
  attempt: Attempt;
  /** Converts anything thrown to an AppError, and reports an ended session. */
  reportError: (thrown: unknown) => AppError;
}

export interface Change {
  kind: 'edit' | 'remove';
  body: string | null;
}

/**
 * Creates a function that turns a thread into the messages that one reader sees. It returns the
 * same object for a message as long as nothing about it has changed.
 */
export function createMessageView(me: string) {
  let cache = new Map<string, { from: Message; key: string; shown: ShownMessage }>();

  return (
    thread: Thread,
    people: readonly Reader[],
    changes: ReadonlyMap<string, Change>,
  ): ShownMessage[] => {
    const others = people.filter((person) => person.id !== me && !person.left);
    const next: typeof cache = new Map();
    for (const from of shownOf(thread)) {
      const isMine = from.author_id === me;
      const readers = isMine ? others.filter((each) => each.read_seq >= from.seq).length : -1;
      const change = changes.get(from.id);
      const quoted = from.reply_to ? thread.messages.get(from.reply_to.seq) : undefined;
      const key = `${readers} ${quoted?.revision} ${change?.kind ?? ''} ${change?.body ?? ''}`;
      const before = cache.get(from.id);
      const isSame = before?.from === from && before.key === key;
      const shown = isSame ? before.shown : shownStored(from, readers, quoted, change);
      next.set(from.id, { from, key, shown });
    }
    cache = next;
    return [...next.values()].map(({ shown }) => shown);
  };
}

/** @param readers how many other people have read it; -1 for someone else's message */
function shownStored(
  from: Message,
  readers: number,
  quoted: Message | undefined,
  change: Change | undefined,
): ShownMessage {
  const { revision: _revision, ...message } = from;
  const now = new Date().toISOString();
  const shown: ShownMessage = {
    ...message,
    // A broadcast omits a quote that some recipients may not read; this reader has the message.
    reply_to: quoted && quoted.id === from.reply_to?.id ? quoteOf(quoted) : from.reply_to,
    mine: readers >= 0,
    delivery:
      readers > 0 ? { name: 'read', by: readers } : { name: readers === 0 ? 'sent' : 'received' },
    changing: change?.kind ?? null,
  };
  if (change?.kind === 'edit') return { ...shown, body: change.body, edited_at: now };
  return change ? { ...shown, body: null, files: [], removed_at: now } : shown;
}

export type PendingMessage = PendingItem<WrittenMessage>;

function deliveryOf(status: SaveStatus): Delivery {
  if (status.name === 'refused') return { name: 'failed', why: status.reason };
  return { name: status.name === 'saving' ? 'sending' : 'queued' };
}

/** Converts a message that isn't stored yet to what the screen shows. */
export function shownPending({ value, at, status }: PendingMessage, me: string): ShownMessage {
  return {
    id: value.id,
    conversation_id: value.conversationId,
    seq: null,
    author_id: me,
    body: value.body,
    reply_to: value.quote,
    files: value.brought,
    sent_at: new Date(at).toISOString(),
    edited_at: null,
    removed_at: null,
    mine: true,
    delivery: deliveryOf(status),
    changing: null,
  };
}

/** The quote shown in a reply to this message; its excerpt has at most 140 characters. */
export function quoteOf(message: Pick<Message, 'id' | 'seq' | 'author_id' | 'body'>): Quote {
  const line = (message.body ?? '').replace(/\s+/g, ' ').trim();
  return {
    id: message.id,
    seq: message.seq,
    author_id: message.author_id,
    excerpt: line.length > 140 ? `${line.slice(0, 139).trimEnd()}…` : line,
    removed: message.body === null,
  };
}
