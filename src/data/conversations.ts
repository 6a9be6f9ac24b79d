/** Conversations: the list, one with what its page shows, and what people choose about them. */
import type { ConversationKind } from '#domain/message.ts';
import type { Role } from '#domain/person.ts';
import { dataOf, toAppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';
import { MESSAGE_PAGE, type Message, type Quote } from './messages.ts';

export interface Person {
  id: string;
  name: string;
  /** Path in the bucket `avatars`. */
  avatar_path: string | null;
  role: Role;
}

/** Somebody in a conversation, and how far they have read. */
export interface Reader extends Person {
  read_seq: number;
  /** They take part no more; what they wrote stays. */
  left: boolean;
}

/** The newest message, as the list shows it. */
export interface LastMessage {
  id: string;
  seq: number;
  author_id: string | null;
  /** At most 140 letters. */
  excerpt: string;
  sent_at: string;
  removed: boolean;
  /** How many files it brings. */
  files: number;
}

export interface Conversation {
  id: string;
  kind: ConversationKind;
  /** For display: the other's name, the project's title, "Support". */
  title: string;
  subject: { kind: 'engagement' | 'project' | 'person'; id: string; name: string } | null;
  /** The others, at most five of them. */
  people: Person[];
  /** How many others there are. */
  others: number;
  /** Part of the live channel's name; changes when somebody joins or leaves. */
  epoch: number;
  last_seq: number;
  revision: number;
  read_seq: number;
  /** The first message that the person may read. */
  from_seq: number;
  unread: number;
  muted: boolean;
  /** Whether the person may write here. */
  open: boolean;
  /** Why not, in words. */
  closed_why: string | null;
  last_message: LastMessage | null;
  /** Its place in the list: the newest first. */
  active_at: string;
  created_at: string;
  /** The beginning of what the person was writing. */
  draft: string | null;
}

export interface ConversationPage {
  conversations: Conversation[];
  more: boolean;
  /** Unread messages of all conversations; 100 means 100 or more. */
  unread: number;
  /** The person's own thread with support; null before they began one. */
  support_id: string | null;
}

export interface ConversationView {
  conversation: Conversation;
  /** Everybody who takes part or did, oneself too. */
  people: Reader[];
  /** By place, the oldest first. */
  messages: Message[];
  draft: { body: string; reply_to: Quote | null } | null;
  /** Whether the person blocked the other one. */
  blocked: boolean;
}

/** What a person hears of one of their conversations, wherever they are. */
export type ConversationNews =
  | ConversationChange
  | { id: string; gone: true; unread_total?: number };

export interface ConversationChange {
  id: string;
  gone?: false;
  title: string;
  epoch: number;
  last_seq: number;
  revision: number;
  read_seq: number;
  active_at: string;
  last_message: LastMessage | null;
  /** Whose name stands on the newest message; null when the account is gone. */
  author_name: string | null;
  unread: number;
  unread_total: number;
  muted: boolean;
}

/** How many conversations come at once. */
const CONVERSATION_PAGE = 30;

/** A place in the list: what the next page follows. */
export type ConversationPlace = Pick<Conversation, 'active_at' | 'id'>;

/** A page of the person's conversations, the newest first. Throws an AppError. */
export async function listConversations(
  db: Db,
  search = '',
  after: ConversationPlace | null = null,
): Promise<ConversationPage> {
  return dataOf(
    await db.rpc('list_conversations', {
      ...(search.trim() ? { p_search: search.trim() } : {}),
      ...(after ? { p_before: after.active_at, p_before_id: after.id } : {}),
      p_limit: CONVERSATION_PAGE,
    }),
  ) as unknown as ConversationPage;
}

/**
 * One conversation with its newest messages, from before the first unread one on, or those around a
 * place. Null where the person takes no part in it. Throws an AppError.
 */
export async function getConversation(
  db: Db,
  id: string,
  around: number | null = null,
): Promise<ConversationView | null> {
  const { data, error, status } = await db.rpc('get_conversation', {
    p_id: id,
    p_limit: MESSAGE_PAGE,
    ...(around === null ? {} : { p_around: around }),
  });
  if (error) throw toAppError(error, status);
  return data as unknown as ConversationView | null;
}

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
  const answer = dataOf(
    await db.rpc('open_conversation', {
      p_id: id,
      p_kind: subject.kind,
      ...(subject.subjectId ? { p_subject: subject.subjectId } : {}),
    }),
  ) as unknown as { id: string };
  return answer.id;
}

/** No sounds, notifications or mails of a conversation, or them again. Throws an AppError. */
export async function setConversationMuted(db: Db, id: string, muted: boolean): Promise<void> {
  const { error, status } = await db.rpc('set_conversation_muted', {
    p_conversation_id: id,
    p_muted: muted,
  });
  if (error) throw toAppError(error, status);
}

/** Unread messages of all conversations; 100 means 100 or more. Throws an AppError. */
export async function getUnread(db: Db): Promise<number> {
  const page = dataOf(
    await db.rpc('list_conversations', { p_limit: 1 }),
  ) as unknown as ConversationPage;
  return page.unread;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Reads what came on a person's channel; null for what is none of it. */
export function newsOf(payload: unknown): ConversationNews | null {
  if (!isRecord(payload) || typeof payload.id !== 'string') return null;
  if (payload.gone === true) return payload as unknown as ConversationNews;
  return typeof payload.revision === 'number' ? (payload as unknown as ConversationChange) : null;
}
