/** Conversations: the list, one with everything its page shows, and live updates to the list. */
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

/** Someone in a conversation, and how far they've read. */
export const reader = v.object({
  ...person.entries,
  read_seq: v.number(),
  /** They've left; their messages stay. */
  left: v.boolean(),
});
export type Reader = v.InferOutput<typeof reader>;

/** The newest message, as the list shows it. */
export const lastMessage = v.object({
  id: v.string(),
  seq: v.number(),
  author_id: v.nullable(v.string()),
  /** At most 140 characters. */
  excerpt: v.string(),
  sent_at: v.string(),
  removed: v.boolean(),
  /** How many files are attached. */
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
  /** The other participants, at most five of them. */
  people: v.array(person),
  /** How many other participants there are. */
  others: v.number(),
  /** Part of the live channel's name; changes when someone joins or leaves. */
  epoch: v.number(),
  last_seq: v.number(),
  revision: v.number(),
  read_seq: v.number(),
  /** The first message that the user can read. */
  from_seq: v.number(),
  unread: v.number(),
  muted: v.boolean(),
  /** Whether the user can write here. */
  open: v.boolean(),
  /** Why not, as a sentence for the user. */
  closed_why: v.nullable(v.string()),
  last_message: v.nullable(lastMessage),
  /** Sort key of the list, newest first. */
  active_at: v.string(),
  created_at: v.string(),
  /** An excerpt of the user's draft. */
  draft: v.nullable(v.string()),
});
export type Conversation = v.InferOutput<typeof conversation>;

export const conversationPage = v.object({
  conversations: v.array(conversation),
  more: v.boolean(),
  /** Unread messages in all conversations; 100 means 100 or more. */
  unread: v.number(),
  /** The user's own thread with support; null until they start one. */
  support_id: v.nullable(v.string()),
});
export type ConversationPage = v.InferOutput<typeof conversationPage>;

export const conversationView = v.object({
  conversation: conversation,
  /** Current and former participants, including the user. */
  people: v.array(reader),
  /** By `seq`, oldest first. */
  messages: v.array(message),
  draft: v.nullable(v.object({ body: v.string(), reply_to: v.nullable(quote) })),
  /** Whether the user has blocked the other person. */
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
  /** The newest message's author; null if the account was deleted. */
  author_name: v.nullable(v.string()),
  unread: v.number(),
  unread_total: v.number(),
  muted: v.boolean(),
});
export type ConversationChange = v.InferOutput<typeof conversationChange>;

/** A broadcast on the user's own channel about any of their conversations, on any page. */
export const conversationNews = v.union([
  conversationChange,
  v.object({
    id: v.string(),
    gone: v.literal(true),
    unread_total: v.exactOptional(v.number()),
  }),
]);
export type ConversationNews = v.InferOutput<typeof conversationNews>;

/** Conversations per page. */
const CONVERSATION_PAGE = 30;

/** A cursor: the conversation that the next page starts after. */
export type ConversationPlace = Pick<Conversation, 'active_at' | 'id'>;

/** Only some of them: an admin's threads with people who wrote to support, as long as they're unread. */
export type ConversationShow = 'support' | null;

/** A page of the user's conversations, newest first. Throws an AppError. */
export const listConversations = (
  db: Db,
  search = '',
  after: ConversationPlace | null = null,
  show: ConversationShow = null,
) =>
  rpc(db, 'list_conversations', conversationPage, {
    ...(search.trim() ? { p_search: search.trim() } : {}),
    ...(show ? { p_unread_support: true } : {}),
    ...(after ? { p_before: after.active_at, p_before_id: after.id } : {}),
    p_limit: CONVERSATION_PAGE,
  });

/**
 * One conversation, with its newest messages (starting before the first unread one) or those around
 * a `seq`. Null if the user isn't in it. Throws an AppError.
 */
export const getConversation = (db: Db, id: string, around: number | null = null) =>
  rpc(db, 'get_conversation', v.nullable(conversationView), {
    p_id: id,
    p_limit: MESSAGE_PAGE,
    ...(around === null ? {} : { p_around: around }),
  });

/** What a conversation is about; the user's own thread with support has no subject. */
export interface ConversationSubject {
  kind: ConversationKind;
  subjectId: string | null;
}

/**
 * Finds or creates a conversation. Throws an AppError.
 * @param id for a new one, generated by the caller
 * @returns its id, which differs from `id` if the conversation already existed
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

/** Mutes or unmutes a conversation's sounds, notifications and emails. Throws an AppError. */
export const setConversationMuted = (db: Db, id: string, muted: boolean) =>
  rpc(db, 'set_conversation_muted', ignored, {
    p_conversation_id: id,
    p_muted: muted,
  });

/** Parses a payload from the user's channel; null if it isn't conversation news. */
export function newsOf(payload: unknown): ConversationNews | null {
  const read = v.safeParse(conversationNews, payload);
  return read.success ? read.output : null;
}
