/** People whom one may write to, and those whom one does not want to hear from. */
import type { ConversationKind } from '#domain/message.ts';
import { dataOf, toAppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';
import type { Person } from './conversations.ts';

/** Somebody, or something, that a conversation can be begun with. */
export interface Correspondent {
  kind: ConversationKind;
  /** A person, an engagement, a project; null for one's own thread with support. */
  subject_id: string | null;
  name: string;
  /** "Your coach", "Member of Juniper Bakery". */
  words: string;
  avatar_path: string | null;
  role: Person['role'] | null;
  /** The conversation that is there already. */
  conversation_id: string | null;
}

/** How many correspondents come at once. */
const CORRESPONDENT_PAGE = 30;

/** Whom the person may write to: people first, then engagements, projects and support. */
export async function listCorrespondents(db: Db, search = ''): Promise<Correspondent[]> {
  return dataOf(
    await db.rpc('list_correspondents', {
      ...(search.trim() ? { p_search: search.trim() } : {}),
      p_limit: CORRESPONDENT_PAGE,
    }),
  ) as unknown as Correspondent[];
}

/** Lets nobody write in the direct conversation with a person, or lets them again. */
export async function setPersonBlocked(db: Db, personId: string, blocked: boolean): Promise<void> {
  const { error, status } = await db.rpc('set_person_blocked', {
    p_person_id: personId,
    p_blocked: blocked,
  });
  if (error) throw toAppError(error, status);
}

/** Whom the person has blocked. */
export async function listBlocked(db: Db): Promise<Person[]> {
  return dataOf(await db.rpc('list_blocked')) as unknown as Person[];
}
