/** People that a person can write to, and those they've blocked. */
import * as v from 'valibot';
import { CONVERSATION_KINDS } from '#domain/message.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { person } from './conversations.ts';

/** A person or a subject that a conversation can start with. */
export const correspondent = v.object({
  kind: v.picklist(CONVERSATION_KINDS),
  /** A person, an engagement, a project; null for the person's own thread with support. */
  subject_id: v.nullable(v.string()),
  name: v.string(),
  /** "Your coach", "Member of Juniper Bakery". */
  words: v.string(),
  avatar_path: v.nullable(v.string()),
  role: v.nullable(person.entries.role),
  /** The conversation that is there already. */
  conversation_id: v.nullable(v.string()),
});
export type Correspondent = v.InferOutput<typeof correspondent>;

/** How many correspondents come at once. */
const CORRESPONDENT_PAGE = 30;

/** Who the person can write to: people first, then engagements, projects and support. */
export const listCorrespondents = (db: Db, search = '') =>
  rpc(db, 'list_correspondents', v.array(correspondent), {
    ...(search.trim() ? { p_search: search.trim() } : {}),
    p_limit: CORRESPONDENT_PAGE,
  });

/** Closes the direct conversation with a person to both, or opens it again. */
export const setPersonBlocked = (db: Db, personId: string, blocked: boolean) =>
  rpc(db, 'set_person_blocked', ignored, {
    p_person_id: personId,
    p_blocked: blocked,
  });

/** Who the person has blocked. */
export const listBlocked = (db: Db) =>
  rpc(db, 'list_blocked', v.array(v.object({ ...person.entries, blocked_at: v.string() })));
