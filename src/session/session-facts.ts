/** What the product knows about the person who asks: one question to the database per request. */
import * as v from 'valibot';
import { BUSINESS_ROLES } from '#domain/business.ts';
import { ROLES, type Role } from '#domain/person.ts';
import { rpc } from '../lib/rpc.ts';
import type { Db } from '../lib/supabase.ts';

const sessionBusiness = v.object({
  id: v.string(),
  name: v.string(),
  role: v.picklist(BUSINESS_ROLES),
});
type SessionBusiness = v.InferOutput<typeof sessionBusiness>;

/** `required`: a second factor is enrolled and this session has not shown it yet. */
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
  role: Role;
  secondFactor: SecondFactor;
  businesses: SessionBusiness[];
  /** The business that the person is working on, from the cookie; their first one otherwise. */
  business: SessionBusiness | null;
  /** When the account will be deleted, because the person asked for it; null as a rule. */
  deletionDueAt: string | null;
  /** Unread messages in all conversations; 100 means 100 or more. */
  unreadMessages: number;
  /** Whether mails and notifications may say what messages say, and not only who wrote. */
  messageText: boolean;
}

/** Remembers on this browser which business is the current one. Holds an id and nothing else. */
export const BUSINESS_COOKIE = 'trellis-business';

/** While a second factor is required, or without a profile, parts of it are null. */
const context = v.object({
  user_id: v.string(),
  email: v.nullable(v.string()),
  full_name: v.nullable(v.string()),
  avatar_path: v.nullable(v.string()),
  time_zone: v.nullable(v.string()),
  role: v.nullable(v.picklist(ROLES)),
  second_factor: v.nullable(v.picklist(SECOND_FACTOR)),
  businesses: v.nullable(v.array(sessionBusiness)),
  deletion_due_at: v.nullable(v.string()),
  unread_messages: v.nullable(v.number()),
  message_text: v.nullable(v.boolean()),
});
type Context = v.InferOutput<typeof context>;

/** Makes the facts of a row of `session_context()`; `chosen` is the id from the cookie. */
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
    role: row.role ?? 'owner',
    secondFactor: row.second_factor ?? 'none',
    businesses,
    business: businesses.find(({ id }) => id === chosen) ?? businesses[0] ?? null,
    deletionDueAt: row.deletion_due_at ?? null,
    unreadMessages: row.unread_messages ?? 0,
    messageText: row.message_text ?? false,
  };
}

/**
 * Asks the database who this is; null when it knows no session. Throws an AppError, `signed-out`
 * when the token is no longer accepted.
 */
export async function readFacts(db: Db, chosen?: string | null): Promise<SessionFacts | null> {
  const row = await rpc(db, 'session_context', v.nullable(context));
  return row && factsOf(row, chosen);
}
