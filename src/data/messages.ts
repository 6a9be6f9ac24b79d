/** Messages of a conversation: read page by page, sent, changed, searched and reported. */
import * as v from 'valibot';
import type { ReportReason } from '#domain/message.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';

/** A file of a message. */
export const messageFile = v.object({
  id: v.string(),
  name: v.string(),
  type: v.string(),
  /** Bytes. */
  size: v.number(),
  /** Pixels, where it is a picture. */
  width: v.nullable(v.number()),
  height: v.nullable(v.number()),
  path: v.string(),
});
export type MessageFile = v.InferOutput<typeof messageFile>;

/** What a message answers to. */
export const quote = v.object({
  id: v.string(),
  seq: v.number(),
  /** Null when the account is gone. */
  author_id: v.nullable(v.string()),
  /** Null where not everybody who is told may read it; who may has the message itself. */
  excerpt: v.nullable(v.string()),
  removed: v.boolean(),
});
export type Quote = v.InferOutput<typeof quote>;

export const message = v.object({
  id: v.string(),
  conversation_id: v.string(),
  /** Its place: numbers without a gap. */
  seq: v.number(),
  /** The change of the conversation that made it as it is. */
  revision: v.number(),
  author_id: v.nullable(v.string()),
  /** Null once it is removed. */
  body: v.nullable(v.string()),
  reply_to: v.nullable(quote),
  files: v.array(messageFile),
  sent_at: v.string(),
  edited_at: v.nullable(v.string()),
  removed_at: v.nullable(v.string()),
});
export type Message = v.InferOutput<typeof message>;

export const messagePage = v.object({
  /** By their place, the oldest first. */
  messages: v.array(message),
  /** Whether there are more beyond, in the direction that was asked for. */
  more: v.boolean(),
});
export type MessagePage = v.InferOutput<typeof messagePage>;

/** What changed in a conversation after a revision. */
export const messageChanges = v.object({
  /** As they are now, by revision. */
  messages: v.array(message),
  /** The revision of the conversation. */
  revision: v.number(),
  /** Whether more changes follow the last one given. */
  more: v.boolean(),
  epoch: v.number(),
  last_seq: v.number(),
  /** Unread messages of the conversation. */
  unread: v.number(),
  people: v.array(v.object({ id: v.string(), read_seq: v.number() })),
});
export type MessageChanges = v.InferOutput<typeof messageChanges>;

export interface NewMessage {
  /** Made by the sender: sent twice it is stored once. */
  id: string;
  conversationId: string;
  body: string;
  replyTo: string | null;
  /** Ids of files that are stored already. */
  files: readonly string[];
}

export interface MessageDraft {
  conversationId: string;
  body: string;
  replyTo: string | null;
}

export const foundMessage = v.object({
  message_id: v.string(),
  conversation_id: v.string(),
  title: v.string(),
  seq: v.number(),
  author_id: v.nullable(v.string()),
  author_name: v.nullable(v.string()),
  excerpt: v.string(),
  sent_at: v.string(),
});
export type FoundMessage = v.InferOutput<typeof foundMessage>;

/** Letters that a message may have; the database holds to the same. */
export const MESSAGE_LENGTH = 5_000;

/** How long a message is, as the database counts: by code points, without blanks around it. */
export const lettersOf = (text: string): number => [...text.trim()].length;

/**
 * The text without what no database stores: half an emoji, left by a slip of a keyboard, and the
 * character zero.
 */
const storable = (text: string) => text.replace(/\p{Cs}/gu, '').replaceAll('\0', '');

/** How many messages come at once. */
export const MESSAGE_PAGE = 50;
/** How many changes come at once. */
const CHANGES_PAGE = 200;

/** The page before or after a place. Throws an AppError, `not-found` for who takes no part. */
export const listMessages = (
  db: Db,
  conversationId: string,
  place: { before: number } | { after: number },
) =>
  rpc(db, 'list_messages', messagePage, {
    p_conversation_id: conversationId,
    ...('before' in place ? { p_before: place.before } : { p_after: place.after }),
    p_limit: MESSAGE_PAGE,
  });

/** What happened after a revision: new messages, edits and removals. Throws an AppError. */
export const listMessageChanges = (db: Db, conversationId: string, after: number) =>
  rpc(db, 'list_message_changes', messageChanges, {
    p_conversation_id: conversationId,
    p_after_revision: after,
    p_limit: CHANGES_PAGE,
  });

/**
 * Stores a message; sent again with its id it gives the stored one. Throws an AppError:
 * `rate-limited` when the sender wrote too much in a short time, `conflict` (55000) where nobody may
 * write any more.
 */
export const createMessage = (db: Db, sent: NewMessage) =>
  rpc(db, 'send_message', message, {
    p_id: sent.id,
    p_conversation_id: sent.conversationId,
    p_body: storable(sent.body),
    ...(sent.replyTo ? { p_reply_to: sent.replyTo } : {}),
    p_files: [...sent.files],
  });

/** Changes the words of one's own message. Throws an AppError. */
export const saveMessage = (db: Db, id: string, body: string) =>
  rpc(db, 'edit_message', message, { p_id: id, p_body: storable(body) });

/** Takes one's own message away; a mark of it stays. Throws an AppError. */
export const removeMessage = (db: Db, id: string) =>
  rpc(db, 'remove_message', message, { p_id: id });

/** Says how far the person has read; only ever forward. */
export const readMessages = (db: Db, conversationId: string, seq: number) =>
  rpc(db, 'read_messages', v.object({ unread: v.number(), unread_total: v.number() }), {
    p_conversation_id: conversationId,
    p_seq: seq,
  });

/** Keeps what is being written, for other devices; nothing written takes it away. */
export const saveMessageDraft = (db: Db, draft: MessageDraft) =>
  rpc(db, 'save_message_draft', ignored, {
    p_conversation_id: draft.conversationId,
    p_body: storable(draft.body),
    ...(draft.replyTo ? { p_reply_to: draft.replyTo } : {}),
  });

/** How many hits come at once. */
export const SEARCH_PAGE = 20;

/** Messages with these words, newest first, in conversations that the person may read. */
export const searchMessages = (db: Db, words: string, before: string | null = null) =>
  rpc(db, 'search_messages', v.array(foundMessage), {
    p_query: storable(words),
    ...(before ? { p_before: before } : {}),
    p_limit: SEARCH_PAGE,
  });

/** Tells the admins of a message. Told again with the same id it is one report. */
export const createMessageReport = (
  db: Db,
  report: { id: string; messageId: string; reason: ReportReason; note: string },
) =>
  rpc(db, 'report_message', ignored, {
    p_id: report.id,
    p_message_id: report.messageId,
    p_reason: report.reason,
    p_note: report.note,
  });
