/** Addresses that open a conversation, and begin it where there is none yet. */
import { CONVERSATION_KINDS, type ConversationKind } from '#domain/message.ts';
import { hrefFor, isUuid } from './routes.ts';

/** What a conversation is wanted about. */
export interface Wanted {
  kind: ConversationKind;
  /** A person, an engagement, a project; null for the person's own thread with support. */
  subjectId: string | null;
}

/** The address for writing about this: `/dashboard/messages?to=direct:0198…`. */
export function writeHref(kind: ConversationKind, subjectId: string | null): string {
  const to = subjectId === null ? kind : `${kind}:${subjectId}`;
  return `${hrefFor('/dashboard/messages')}?to=${to}`;
}

/** Reads `to`; null where it is none of ours. */
export function wantedOf(to: string | null): Wanted | null {
  const [name = '', id] = (to ?? '').split(':');
  const kind = CONVERSATION_KINDS.find((each) => each === name);
  if (!kind) return null;
  if (kind === 'support' && id === undefined) return { kind, subjectId: null };
  return id !== undefined && isUuid(id) ? { kind, subjectId: id } : null;
}
