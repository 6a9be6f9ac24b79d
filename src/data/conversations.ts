/** Conversations: the list, one with what its page shows, and what people choose about them. */
import * as v from 'valibot';
import { CONVERSATION_KINDS, type ConversationKind } from '#domain/message.ts';
import { ROLES } from '#domain/person.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { MESSAGE_PAGE, message, quote } from './messages.ts';

export const person = v.object({
  id: v.string(),
  name: v.string(),
  /** Path in the bucket `avatars`. */
  avatar_path: v.nullable(v.string()),
  role: v.picklist(ROLES),
});
export type Person = v.InferOutput<typeof person>;

/** Someone in a conversation, and how far they have read. */
export const reader = v.object({
  ...person.entries,
  read_seq: v.number(),
  /** They take part no more; what they wrote stays. */
  left: v.boolean(),
});
export type Reader = v.InferOutput<typeof reader>;

/** The newest message, as the list shows it. */
export const lastMessage = v.object({
  id: v.string(),
  seq: v.number(),
  author_id: v.nullable(v.string()),
  /** At most 140 letters. */
  excerpt: v.string(),
  sent_at: v.string(),
  removed: v.boolean(),
  /** How many files it brings. */
  files: v.number(),
});

export const conversation = v.object({
  id: v.string(),
  kind: v.picklist(CONVERSATION_KINDS),
  /** For display: the other's name, the project's title, "Support". */
  title: v.string(),
  subject: v.nullable(
    v.object({
      kind: v.picklist(['engagement', 'project', 'person']),
      id: v.string(),
      name: v.string(),
    }),
  ),
  /** The others, at most five of them. */
  people: v.array(person),
  /** How many others there are. */
  others: v.number(),
  /** Part of the live channel's name; changes when someone joins or leaves. */
  epoch: v.number(),
  last_seq: v.number(),
  revision: v.number(),
  read_seq: v.number(),
  /** The first message that the person may read. */
  from_seq: v.number(),
  unread: v.number(),
  muted: v.boolean(),
  /** Whether the person may write here. */
  open: v.boolean(),
  /** Why not, in words. */
  closed_why: v.nullable(v.string()),
  last_message: v.nullable(lastMessage),
  /** Its place in the list: the newest first. */
  active_at: v.string(),
  created_at: v.string(),
  /** The beginning of what the person was writing. */
  draft: v.nullable(v.string()),
});
export type Conversation = v.InferOutput<typeof conversation>;

export const conversationPage = v.object({
  conversations: v.array(conversation),
  more: v.boolean(),
  /** Unread messages of all conversations; 100 means 100 or more. */
  unread: v.number(),
  /** The person's own thread with support; null before they began one. */
  support_id: v.nullable(v.string()),
});
export type ConversationPage = v.InferOutput<typeof conversationPage>;

export const conversationView = v.object({
  conversation: conversation,
  /** Everybody who takes part or did, oneself too. */
  people: v.array(reader),
  /** By place, the oldest first. */
  messages: v.array(message),
  draft: v.nullable(v.object({ body: v.string(), reply_to: v.nullable(quote) })),
  /** Whether the person blocked the other one. */
  blocked: v.boolean(),
});
export type ConversationView = v.InferOutput<typeof conversationView>;

export const conversationChange = v.object({
  id: v.string(),
  gone: v.exactOptional(v.literal(false)),
  title: v.string(),
  epoch: v.number(),
  last_seq: v.number(),
  revision: v.number(),
  read_seq: v.number(),
  active_at: v.string(),
  last_message: v.nullable(lastMessage),
  /** Who wrote the newest message; null when the account is gone. */
  author_name: v.nullable(v.string()),
  unread: v.number(),
  unread_total: v.number(),
  muted: v.boolean(),
});
export type ConversationChange = v.InferOutput<typeof conversationChange>;

/** What a person hears of one of their conversations, wherever they are. */
export const conversationNews = v.union([
  conversationChange,
  v.object({
    id: v.string(),
    gone: v.literal(true),
    unread_total: v.exactOptional(v.number()),
  }),
]);
export type ConversationNews = v.InferOutput<typeof conversationNews>;

/** How many conversations come at once. */
const CONVERSATION_PAGE = 30;

/** A place in the list: what the next page follows. */
export type ConversationPlace = Pick<Conversation, 'active_at' | 'id'>;

/** A page of the person's conversations, the newest first. Throws an AppError. */
export const listConversations = (db: Db, search = '', after: ConversationPlace | null = null) =>
  rpc(db, 'list_conversations', conversationPage, {
    ...(search.trim() ? { p_search: search.trim() } : {}),
    ...(after ? { p_before: after.active_at, p_before_id: after.id } : {}),
    p_limit: CONVERSATION_PAGE,
  });

/**
 * One conversation with its newest messages, from before the first unread one on, or those around a
 * place. Null where the person takes no part in it. Throws an AppError.
 */
export const getConversation = (db: Db, id: string, around: number | null = null) =>
  rpc(db, 'get_conversation', v.nullable(conversationView), {
    p_id: id,
    p_limit: MESSAGE_PAGE,
    ...(around === null ? {} : { p_around: around }),
  });

/** What a conversation is opened about; a person's own thread with support has no subject. */
export interface ConversationSubject {
  kind: ConversationKind;
  subjectId: string | null;
}

/**
 * Finds or makes a conversation.
 * @param id for a new one, made by whoever begins it
 * @returns its id, which is another one where it was there already. Throws an AppError.
 */
export async function createConversation(
  db: Db,
  id: string,
  subject: ConversationSubject,
): Promise<string> {
  const answer = await rpc(db, 'open_conversation', v.object({ id: v.string() }), {
    p_id: id,
    p_kind: subject.kind,
    ...(subject.subjectId ? { p_subject: subject.subjectId } : {}),
  });
  return answer.id;
}

/** Turns a conversation's sounds, notifications and emails off, or on again. Throws an AppError. */
export const setConversationMuted = (db: Db, id: string, muted: boolean) =>
  rpc(db, 'set_conversation_muted', ignored, {
    p_conversation_id: id,
    p_muted: muted,
  });

/** Unread messages of all conversations; 100 means 100 or more. Throws an AppError. */
export async function getUnread(db: Db): Promise<number> {
  return (await rpc(db, 'list_conversations', conversationPage, { p_limit: 1 })).unread;
}

/** Reads what came on a person's channel; null for what is none of it. */
export function newsOf(payload: unknown): ConversationNews | null {
  const read = v.safeParse(conversationNews, payload);
  return read.success ? read.output : null;
}
