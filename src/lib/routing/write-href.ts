/** URLs that open a conversation, or start it if it doesn't exist yet. */
import { CONVERSATION_KINDS, type ConversationKind } from '#domain/message.ts';
import { hrefFor } from './href.ts';
import { isUuid } from './uuid.ts';

/** The conversation that a link asks for. */
export interface Wanted {
  kind: ConversationKind;
  /** A person, an engagement or a project; null for the person's own support conversation. */
  subjectId: string | null;
}

/** The URL for writing about this: `/dashboard/messages?to=direct:0198…`. */
export function writeHref(kind: ConversationKind, subjectId: string | null): string {
  const to = subjectId === null ? kind : `${kind}:${subjectId}`;
  return `${hrefFor('/dashboard/messages')}?to=${to}`;
}

/** Parses the `to` parameter; null if it's invalid. */
export function wantedOf(to: string | null): Wanted | null {
  const [name = '', id] = (to ?? '').split(':');
  const kind = CONVERSATION_KINDS.find((each) => each === name);
  if (!kind) return null;
  if (kind === 'support' && id === undefined) return { kind, subjectId: null };
  return id !== undefined && isUuid(id) ? { kind, subjectId: id } : null;
}
