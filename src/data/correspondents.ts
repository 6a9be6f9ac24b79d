/** Who the user can write to, and who they've blocked. */
import * as v from 'valibot';
import { CONVERSATION_KINDS } from '#domain/message.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { person } from './conversations.ts';

/** A person or a subject that the user can start a conversation with or about. */
export const correspondent = v.object({
  kind: v.picklist(CONVERSATION_KINDS),
  /** The id of a person, engagement or project; null for the user's own thread with support. */
  subject_id: v.nullable(v.string()),
  name: v.string(),
  /** "Your coach", "Member of Juniper Bakery". */
  words: v.string(),
  avatar_path: v.nullable(v.string()),
  role: v.nullable(person.entries.role),
  /** The existing conversation, if any. */
  conversation_id: v.nullable(v.string()),
});
export type Correspondent = v.InferOutput<typeof correspondent>;

/** Correspondents per response. */
const CORRESPONDENT_PAGE = 30;

/** Who the user can write to: people first, then engagements, projects and support. */
export const listCorrespondents = (db: Db, search = '') =>
  rpc(db, 'list_correspondents', v.array(correspondent), {
    ...(search.trim() ? { p_search: search.trim() } : {}),
    p_limit: CORRESPONDENT_PAGE,
  });

/** Blocks or unblocks a person: neither can write in the direct conversation while it's blocked. */
export const setPersonBlocked = (db: Db, personId: string, blocked: boolean) =>
  rpc(db, 'set_person_blocked', ignored, {
    p_person_id: personId,
    p_blocked: blocked,
  });

/** The people the user has blocked. */
export const listBlocked = (db: Db) =>
  rpc(db, 'list_blocked', v.array(v.object({ ...person.entries, blocked_at: v.string() })));
