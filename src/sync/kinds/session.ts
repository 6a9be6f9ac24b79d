import * as v from 'valibot';
import type { SaveStatus } from '#lib/save-status.ts';
import { sessionForm } from '#lib/session-form.ts';
import { defineKind, sendWith } from '../kind.ts';

const schema = v.object({
  id: v.string(),
  engagementId: v.string(),
  /** Only to name it: the business. */
  business: v.string(),
  /** The coach's IANA zone, in which the times were typed. */
  timeZone: v.string(),
  form: sessionForm,
});

/** Enough of a session to send it, and to go on with its form after a reload. */
export type WrittenSession = v.InferOutput<typeof schema>;

/** Why a session that's still being written down is held back. */
export const SESSION_DRAFT = 'You haven’t saved this yet.';

/** Whether it's still being written down. */
export const isSessionDraft = (status: SaveStatus): boolean =>
  status.name === 'refused' && status.reason === SESSION_DRAFT;

/** A session that its coach closes; its key is the session's id. It contains private notes. */
export const sessionKind = defineKind({
  name: 'session',
  schema,
  send: ({ id, engagementId, timeZone, form }) =>
    sendWith(
      () => Promise.all([import('#data/coaching-sessions.ts'), import('#lib/closed-session.ts')]),
      ([{ closeSession }, { closedSessionOf }], client) =>
        closeSession(client, id, engagementId, closedSessionOf(form, timeZone)),
    ),
  summarize: ({ business }) => `A session with ${business}`,
});
