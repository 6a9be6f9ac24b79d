/**
 * Own messages that are not among the stored ones: those in the outbox, and those that left it in
 * another tab and have not been heard of.
 */
import type { Message, MessageFile, NewMessage, Quote } from '#data/messages.ts';
import type { OutboxState } from '#sync/outbox.ts';
import type { OutboxEntry } from '#sync/outbox-shelf.ts';
import type { Delivery, ShownMessage } from '../thread/conversation.ts';

export const MESSAGE = 'message';
export const DRAFT = 'draft';

/** What the outbox keeps of a message: enough to send it, and to show it after a reload. */
export interface Written extends NewMessage {
  quote: Quote | null;
  brought: MessageFile[];
}

export interface Waiting {
  written: Written;
  /** When it was written, in milliseconds since 1970. */
  at: number;
  refused: string | undefined;
  /** It left the outbox when so many questions had been asked; null while it is there. */
  leftAt: number | null;
}

/** The messages of a conversation in the outbox, oldest first. */
export function waitingIn(entries: readonly OutboxEntry[], conversationId: string): Waiting[] {
  return entries.flatMap(({ kind, body, at, refused }) => {
    const written = body as Written;
    if (kind !== MESSAGE || written.conversationId !== conversationId) return [];
    return [{ written, at, refused, leftAt: null }];
  });
}

/**
 * What waits now, after the outbox has changed: what went out of it unheard of stays in its place.
 * @param asked how many questions had been asked by then
 */
export function followed(
  before: readonly Waiting[],
  now: readonly Waiting[],
  stored: (id: string) => boolean,
  asked: number,
): Waiting[] {
  const here = new Set(now.map(({ written }) => written.id));
  const left = before
    .filter(({ written, refused }) => !here.has(written.id) && refused === undefined)
    .map((each) => ({ ...each, leftAt: each.leftAt ?? asked }));
  return [...left, ...now].filter(({ written }) => !stored(written.id));
}

function deliveryOf({ refused, leftAt }: Waiting, state: OutboxState['name']): Delivery {
  if (refused !== undefined) return { name: 'failed', why: refused };
  if (leftAt !== null || state === 'sending') return { name: 'sending' };
  return { name: 'queued' };
}

/** A message that waits, as it is shown. */
export function shownWaiting(each: Waiting, me: string, state: OutboxState['name']): ShownMessage {
  const { written, at } = each;
  return {
    id: written.id,
    conversation_id: written.conversationId,
    seq: null,
    author_id: me,
    body: written.body,
    reply_to: written.quote,
    files: written.brought,
    sent_at: new Date(at).toISOString(),
    edited_at: null,
    removed_at: null,
    mine: true,
    delivery: deliveryOf(each, state),
    changing: null,
  };
}

/** What a message answers to, in the words that stand on the page. */
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
