/** The session, which every signed-in page follows. */
import { toAppError } from '#lib/errors.ts';
import type { AuthChangeEvent, BrowserDb, Session } from '#lib/supabase.ts';

export type { SessionFacts } from '#session/session-facts.ts';
export { readFacts as getSession } from '#session/session-facts.ts';

/** The id of the user signed in to this browser; null if nobody is. Throws `network`. */
export async function getUserId(db: BrowserDb): Promise<string | null> {
  const { data, error } = await db.auth.getSession();
  // If the session couldn't be refreshed for lack of a connection, it isn't over.
  if (error && toAppError(error).kind === 'network') throw toAppError(error);
  return data.session?.user?.id ?? null;
}

/** What happened to the session, in this tab or in another one. */
export type SessionChange = AuthChangeEvent;

/**
 * Subscribes to session changes in every tab. Returns the unsubscribe function.
 * The listener must not call `db` until it has returned.
 */
export function watchSession(
  db: BrowserDb,
  listener: (change: SessionChange, session: Session | null) => void,
): () => void {
  const { data } = db.auth.onAuthStateChange(listener);
  return () => data.subscription.unsubscribe();
}

/** Passes a refreshed token to the open socket, which otherwise closes when the old one expires. */
export async function handTokenToSocket(db: BrowserDb, accessToken: string): Promise<void> {
  await db.realtime.setAuth(accessToken);
}
