/** What we know about the person behind a request: one database call per request. */
import * as v from 'valibot';
import { BUSINESS_ROLES } from '#domain/business.ts';
import { type Language, languageFrom } from '#domain/language.ts';
import { ROLES, type Role } from '#domain/person.ts';
import { type Call, keepAnswers } from '../lib/batch.ts';
import { isUuid } from '../lib/routing/uuid.ts';
import { rpc } from '../lib/rpc.ts';
import type { Db } from '../lib/supabase.ts';

const sessionBusiness = v.object({
  id: v.string(),
  name: v.string(),
  role: v.picklist(BUSINESS_ROLES),
});
type SessionBusiness = v.InferOutput<typeof sessionBusiness>;

/** `required`: the person has a second factor, but hasn't entered it in this session. */
const SECOND_FACTOR = ['none', 'required', 'verified'] as const;
type SecondFactor = (typeof SECOND_FACTOR)[number];

/** The person behind a session. While a second factor is required, names and lists are empty. */
export interface SessionFacts {
  userId: string;
  email: string;
  fullName: string;
  avatarPath: string | null;
  /** An IANA name such as `America/Denver`. */
  timeZone: string;
  /** The language of the quiz's results. */
  language: Language;
  role: Role;
  secondFactor: SecondFactor;
  businesses: SessionBusiness[];
  /** The business the person is working on, from the cookie; by default their first one. */
  business: SessionBusiness | null;
  /** When the account will be deleted, if the person requested that; usually null. */
  deletionDueAt: string | null;
  /** Unread messages in all conversations; 100 means 100 or more. */
  unreadMessages: number;
  /** Unread notifications; 100 means 100 or more. */
  unreadNotifications: number;
  /** Whether emails and notifications may quote messages instead of only naming the sender. */
  messageText: boolean;
  /** Whether the person sponsors a program or has had a seat in one. */
  programs: boolean;
  /** The feature toggles that are on for the person; null while a second factor is required. */
  toggles: string[] | null;
}

/** This browser's current business. The cookie holds only its id. */
export const BUSINESS_COOKIE = 'trellis-business';

/** Columns are null while a second factor is required, or if there's no profile. */
const context = v.object({
  user_id: v.string(),
  email: v.nullable(v.string()),
  full_name: v.nullable(v.string()),
  avatar_path: v.nullable(v.string()),
  time_zone: v.nullable(v.string()),
  locale: v.nullable(v.string()),
  role: v.nullable(v.picklist(ROLES)),
  second_factor: v.nullable(v.picklist(SECOND_FACTOR)),
  businesses: v.nullable(v.array(sessionBusiness)),
  deletion_due_at: v.nullable(v.string()),
  unread_messages: v.nullable(v.number()),
  unread_notifications: v.nullable(v.number()),
  message_text: v.nullable(v.boolean()),
  programs: v.nullable(v.boolean()),
  toggles: v.nullable(v.array(v.string())),
});
type Context = v.InferOutput<typeof context>;

/** Converts a row of `session_context()`. `chosen` is the business id from the cookie. */
export function factsOf(
  row: Pick<Context, 'user_id'> & Partial<Context>,
  chosen?: string | null,
): SessionFacts {
  const businesses = row.businesses ?? [];
  return {
    userId: row.user_id,
    email: row.email ?? '',
    fullName: row.full_name ?? '',
    avatarPath: row.avatar_path ?? null,
    timeZone: row.time_zone ?? 'UTC',
    language: languageFrom(row.locale),
    role: row.role ?? 'owner',
    secondFactor: row.second_factor ?? 'none',
    businesses,
    business: businesses.find(({ id }) => id === chosen) ?? businesses[0] ?? null,
    deletionDueAt: row.deletion_due_at ?? null,
    unreadMessages: row.unread_messages ?? 0,
    unreadNotifications: row.unread_notifications ?? 0,
    messageText: row.message_text ?? false,
    programs: row.programs ?? false,
    toggles: row.toggles ?? null,
  };
}

/**
 * Loads the person behind a session; null if the database doesn't know it. Throws an AppError,
 * `signed-out` if the token is no longer accepted.
 */
export async function readFacts(db: Db, chosen?: string | null): Promise<SessionFacts | null> {
  const row = await rpc(db, 'session_context', v.nullable(context));
  return row && factsOf(row, chosen);
}

const opened = v.object({
  session: v.nullable(context),
  business_id: v.nullable(v.string()),
  answers: v.nullable(v.array(v.unknown())),
});

/**
 * Like `readFacts`, and in the same request makes the calls of a page, whose answers `rpc` then
 * returns. Throws an AppError, also if one of the calls fails.
 */
export async function openPage(
  db: Db,
  calls: readonly Call[],
  chosen: string | null,
): Promise<SessionFacts | null> {
  const { session, business_id, answers } = await rpc(db, 'open_page', opened, {
    p_calls: calls.map(({ name, args }) => ({ name, args })),
    ...(chosen && isUuid(chosen) && { p_business_id: chosen }),
  });
  if (answers) keepAnswers(db, calls, answers, business_id);
  return session && factsOf(session, business_id);
}
