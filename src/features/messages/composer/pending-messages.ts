/** Own messages that are not among the stored ones, and what a message answers to. */
import type { Message, Quote } from '#data/messages.ts';
import type { SaveStatus } from '#lib/save-status.ts';
import type { WrittenMessage } from '#sync/kinds/message.ts';
import type { PendingItem } from '#sync/pending-list.ts';
import type { Delivery, ShownMessage } from '../thread/conversation.ts';

export type PendingMessage = PendingItem<WrittenMessage>;

function deliveryOf(status: SaveStatus): Delivery {
  if (status.name === 'refused') return { name: 'failed', why: status.reason };
  return { name: status.name === 'saving' ? 'sending' : 'queued' };
}

/** A message that is not stored yet, as it is shown. */
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

/** What a message answers to, as it is on the page. */
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
