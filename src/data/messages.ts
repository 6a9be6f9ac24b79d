/** Messages of a conversation: read page by page, sent, changed, searched and reported. */
import type { ReportReason } from '#domain/message.ts';
import { dataOf, toAppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';

/** A file of a message. */
export interface MessageFile {
  id: string;
  name: string;
  type: string;
  /** Bytes. */
  size: number;
  /** Pixels, where it is a picture. */
  width: number | null;
  height: number | null;
  path: string;
}

/** What a message answers to. */
export interface Quote {
  id: string;
  seq: number;
  /** Null when the account is gone. */
  author_id: string | null;
  /** Null where not everybody who is told may read it; who may has the message itself. */
  excerpt: string | null;
  removed: boolean;
}

export interface Message {
  id: string;
  conversation_id: string;
  /** Its place: numbers without a gap. */
  seq: number;
  /** The change of the conversation that made it as it is. */
  revision: number;
  author_id: string | null;
  /** Null once it is removed. */
  body: string | null;
  reply_to: Quote | null;
  files: MessageFile[];
  sent_at: string;
  edited_at: string | null;
  removed_at: string | null;
}

export interface MessagePage {
  /** By their place, the oldest first. */
  messages: Message[];
  /** Whether there are more beyond, in the direction that was asked for. */
  more: boolean;
}

/** What changed in a conversation after a revision. */
export interface MessageChanges {
  /** As they are now, by revision. */
  messages: Message[];
  /** The revision of the conversation. */
  revision: number;
  /** Whether more changes follow the last one given. */
  more: boolean;
  epoch: number;
  last_seq: number;
  /** Unread messages of the conversation. */
  unread: number;
  people: { id: string; read_seq: number }[];
}

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

export interface FoundMessage {
  message_id: string;
  conversation_id: string;
  title: string;
  seq: number;
  author_id: string | null;
  author_name: string | null;
  excerpt: string;
  sent_at: string;
}

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
export async function listMessages(
  db: Db,
  conversationId: string,
  place: { before: number } | { after: number },
): Promise<MessagePage> {
  return dataOf(
    await db.rpc('list_messages', {
      p_conversation_id: conversationId,
      ...('before' in place ? { p_before: place.before } : { p_after: place.after }),
      p_limit: MESSAGE_PAGE,
    }),
  ) as unknown as MessagePage;
}

/** What happened after a revision: new messages, edits and removals. Throws an AppError. */
export async function listMessageChanges(
  db: Db,
  conversationId: string,
  after: number,
): Promise<MessageChanges> {
  return dataOf(
    await db.rpc('list_message_changes', {
      p_conversation_id: conversationId,
      p_after_revision: after,
      p_limit: CHANGES_PAGE,
    }),
  ) as unknown as MessageChanges;
}

/**
 * Stores a message; sent again with its id it gives the stored one. Throws an AppError:
 * `rate-limited` when the sender wrote too much in a short time, `conflict` (55000) where nobody may
 * write any more.
 */
export async function createMessage(db: Db, message: NewMessage): Promise<Message> {
  return dataOf(
    await db.rpc('send_message', {
      p_id: message.id,
      p_conversation_id: message.conversationId,
      p_body: storable(message.body),
      ...(message.replyTo ? { p_reply_to: message.replyTo } : {}),
      p_files: [...message.files],
    }),
  ) as unknown as Message;
}

/** Changes the words of one's own message. Throws an AppError. */
export async function saveMessage(db: Db, id: string, body: string): Promise<Message> {
  return dataOf(
    await db.rpc('edit_message', { p_id: id, p_body: storable(body) }),
  ) as unknown as Message;
}

/** Takes one's own message away; a mark of it stays. Throws an AppError. */
export async function removeMessage(db: Db, id: string): Promise<Message> {
  return dataOf(await db.rpc('remove_message', { p_id: id })) as unknown as Message;
}

/** Says how far the person has read; only ever forward. */
export async function readMessages(
  db: Db,
  conversationId: string,
  seq: number,
): Promise<{ unread: number; unread_total: number }> {
  return dataOf(
    await db.rpc('read_messages', { p_conversation_id: conversationId, p_seq: seq }),
  ) as unknown as { unread: number; unread_total: number };
}

/** Keeps what is being written, for other devices; nothing written takes it away. */
export async function saveMessageDraft(db: Db, draft: MessageDraft): Promise<void> {
  const { error, status } = await db.rpc('save_message_draft', {
    p_conversation_id: draft.conversationId,
    p_body: storable(draft.body),
    ...(draft.replyTo ? { p_reply_to: draft.replyTo } : {}),
  });
  if (error) throw toAppError(error, status);
}

/** How many hits come at once. */
export const SEARCH_PAGE = 20;

/** Messages with these words, newest first, in conversations that the person may read. */
export async function searchMessages(
  db: Db,
  words: string,
  before: string | null = null,
): Promise<FoundMessage[]> {
  return dataOf(
    await db.rpc('search_messages', {
      p_query: storable(words),
      ...(before ? { p_before: before } : {}),
      p_limit: SEARCH_PAGE,
    }),
  ) as unknown as FoundMessage[];
}

/** Tells the admins of a message. Told again with the same id it is one report. */
export async function createMessageReport(
  db: Db,
  report: { id: string; messageId: string; reason: ReportReason; note: string },
): Promise<void> {
  const { error, status } = await db.rpc('report_message', {
    p_id: report.id,
    p_message_id: report.messageId,
    p_reason: report.reason,
    p_note: report.note,
  });
  if (error) throw toAppError(error, status);
}
