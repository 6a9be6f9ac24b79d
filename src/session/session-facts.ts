/** What the product knows about the person who asks: one question to the database per request. */
import type { MemberRole } from '#domain/business.ts';
import type { Role } from '#domain/person.ts';
import { toAppError } from '../lib/errors.ts';
import type { Db } from '../lib/supabase.ts';

interface SessionBusiness {
  id: string;
  name: string;
  role: MemberRole;
}

/** `required`: a second factor is enrolled and this session has not shown it yet. */
type SecondFactor = 'none' | 'required' | 'verified';

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

interface ContextRow {
  user_id: string;
  email?: string | null;
  full_name?: string | null;
  avatar_path?: string | null;
  time_zone?: string | null;
  role?: Role | null;
  second_factor?: SecondFactor | null;
  businesses?: SessionBusiness[] | null;
  deletion_due_at?: string | null;
  unread_messages?: number | null;
  message_text?: boolean | null;
}

const isRow = (value: unknown): value is ContextRow =>
  typeof value === 'object' && value !== null && 'user_id' in value && Boolean(value.user_id);

/** Makes the facts of a row of `session_context()`; `chosen` is the id from the cookie. */
export function factsOf(row: ContextRow, chosen?: string | null): SessionFacts {
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
 * Asks the database who this is. Gives null when it knows no session.
 * Throws an AppError: `signed-out` when the token is no longer accepted, `network` when nobody answers.
 */
export async function readFacts(db: Db, chosen?: string | null): Promise<SessionFacts | null> {
  const { data, error, status } = await db.rpc('session_context');
  if (error) throw toAppError(error, status);
  return isRow(data) ? factsOf(data, chosen) : null;
}
