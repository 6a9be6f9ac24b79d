/**
 * The session as the islands of a page see it. The server puts in who asked for the page; from then
 * on this store follows what happens to the session, in this tab and in all others.
 */
import { atom } from 'nanostores';
import {
  getSession,
  handTokenToSocket,
  type SessionChange,
  type SessionFacts,
  watchSession,
} from '#data/session.ts';
import { $unsaved } from '#lib/browser/unsaved.ts';
import { createErrorReporter } from '#lib/classify-error.ts';
import { db } from '#lib/db.ts';
import { ACCOUNT_CHANNEL, hasSessionCookie } from '#lib/session-cookie.ts';
import { addToast } from './toasts.ts';

export type SessionState =
  | { state: 'visitor' }
  | { state: 'signed-in'; facts: SessionFacts }
  /** It ended while the page was open: the person signs in again in place and loses nothing. */
  | { state: 'ended'; facts: SessionFacts }
  /** Signed out on purpose, here or in another tab: this page must not stay. */
  | { state: 'left' }
  /** A link for a new password was opened: only the page for it may be used. */
  | { state: 'recovery'; userId: string };

export const $session = atom<SessionState>({ state: 'visitor' });

/** What the store does to the page around it; tests bring their own. */
export interface SessionEffects {
  go(path: string): void;
  reload(): void;
  /** Asks who is signed in now; null for a visitor. */
  facts(): Promise<SessionFacts | null>;
  socket(accessToken: string): void;
}

interface SessionLike {
  access_token: string;
  user: { id: string; factors?: { status: string }[] };
}

/** Whether this session still needs the code of an authenticator app before it counts. */
function needsSecondFactor({ access_token: token, user }: SessionLike): boolean {
  if (!user.factors?.some(({ status }) => status === 'verified')) return false;
  try {
    const claims = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
    const { aal }: { aal?: unknown } = JSON.parse(atob(claims));
    return aal !== 'aal2';
  } catch {
    return false;
  }
}

type AccountEvent = 'left' | 'changed';

/** Sets who the page was rendered for. Called once, by the island that is on every page. */
export function beginSession(facts: SessionFacts | null): void {
  $session.set(facts ? { state: 'signed-in', facts } : { state: 'visitor' });
}

const currentFacts = (): SessionFacts | null => {
  const now = $session.get();
  return now.state === 'signed-in' || now.state === 'ended' ? now.facts : null;
};

/** Whether a notification may say what a message says, where others may see it too. */
export const mayShowWords = (): boolean => currentFacts()?.messageText ?? false;

/** The session ended without signing out: the person is asked to sign in again in place. */
export function sessionEnded(): void {
  const now = $session.get();
  if (now.state === 'signed-in') $session.set({ state: 'ended', facts: now.facts });
}

/** Gives the AppError of what was thrown; when the session is over, asks the person to sign in again in place. */
export const reportError = createErrorReporter({ signedOut: sessionEnded });

/** The person signed out on purpose: private pages are left. */
export function sessionLeft(effects: Pick<SessionEffects, 'go'>): void {
  const was = $session.get().state;
  $session.set({ state: 'left' });
  if (was !== 'visitor') effects.go('/login');
}

/**
 * The session of the person this page was rendered for is gone. The page is left, as if they had signed out while
 * it was on its way; where something is typed already they are asked to sign in again in place.
 */
export function sessionMissing(effects: Pick<SessionEffects, 'go'>): void {
  if ($unsaved.get()) sessionEnded();
  else sessionLeft(effects);
}

async function refreshFacts(effects: Pick<SessionEffects, 'facts'>): Promise<void> {
  const facts = await effects.facts().catch(() => null);
  if (facts && facts.userId === currentFacts()?.userId) {
    $session.set({ state: 'signed-in', facts: { ...facts, business: currentBusiness(facts) } });
  }
}

/** Keeps the business that this page shows as the current one, if the person still has it. */
const currentBusiness = (facts: SessionFacts) =>
  facts.businesses.find(({ id }) => id === currentFacts()?.business?.id) ?? facts.business;

function resumeSession(session: SessionLike, effects: SessionEffects): void {
  const now = $session.get();
  if (now.state !== 'ended' && now.state !== 'signed-in') return;
  // Another account in another tab: this page still shows the previous one's data.
  if (now.facts.userId !== session.user.id) {
    effects.reload();
  } else if (now.state === 'ended' && !needsSecondFactor(session)) {
    $session.set({ state: 'signed-in', facts: now.facts });
    addToast({ tone: 'good', title: 'You’re signed in again.' });
  }
}

/** What each event of the session does. */
export function sessionChanged(
  change: SessionChange,
  session: SessionLike | null,
  effects: SessionEffects,
): void {
  if (change === 'SIGNED_OUT') sessionEnded();
  if (!session) return;
  switch (change) {
    case 'SIGNED_IN':
      resumeSession(session, effects);
      break;
    case 'TOKEN_REFRESHED':
      resumeSession(session, effects);
      effects.socket(session.access_token);
      break;
    case 'USER_UPDATED':
    case 'MFA_CHALLENGE_VERIFIED':
      resumeSession(session, effects);
      void refreshFacts(effects);
      break;
    case 'PASSWORD_RECOVERY':
      // Only the page for the new password reacts; elsewhere it is an ordinary session.
      if ($session.get().state === 'visitor') {
        $session.set({ state: 'recovery', userId: session.user.id });
      }
  }
}

/** Notifies the other tabs, where the browser has channels. */
export function notifyTabs(news: AccountEvent): void {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(ACCOUNT_CHANNEL);
  channel.postMessage(news);
  channel.close();
}

/** What a session says of the person changed, such as the name: every tab shows it. */
export async function accountChanged(): Promise<void> {
  notifyTabs('changed');
  await refreshFacts(pageEffects);
}

const pageEffects: SessionEffects = {
  go: (path) => location.assign(path),
  reload: () => location.reload(),
  facts: async () => getSession(await db()),
  socket: (token) => void db().then((client) => handTokenToSocket(client, token)),
};

/** How long a page that has no session any more may take to go to where it is already going. */
const LEAVE_AFTER_MS = 1_000;

/**
 * Follows the session until the function it gives is called. supabase-js is loaded for it when the
 * browser has time; signing out elsewhere is noticed even before.
 * `onSignedIn` is for pages of visitors: the person signed in in another tab.
 */
export function followSession(onSignedIn?: () => void): () => void {
  const over = new AbortController();
  const onStop = (stop: () => void) => over.signal.addEventListener('abort', stop);
  // supabase-js reports a session from before the page as a new sign-in.
  const held = hasSessionCookie(document.cookie);
  // Signed out while this page was on its way: elsewhere, or by a button of this page that was
  // pressed before its scripts were there. The second is about to leave on its own.
  if (!held && $session.get().state === 'signed-in') {
    const timer = setTimeout(() => sessionMissing(pageEffects), LEAVE_AFTER_MS);
    onStop(() => clearTimeout(timer));
  }

  const channel =
    typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(ACCOUNT_CHANNEL);
  channel?.addEventListener('message', ({ data }) => {
    if (data === 'left') sessionLeft(pageEffects);
    if (data === 'changed') void refreshFacts(pageEffects);
  });
  onStop(() => channel?.close());

  // There is no event when another tab or the server deletes cookies.
  const check = () => {
    if (document.visibilityState === 'visible' && !hasSessionCookie(document.cookie)) {
      sessionEnded();
    }
  };
  document.addEventListener('visibilitychange', check, over);
  window.addEventListener('pageshow', check, over);

  void db().then(
    (client) => {
      if (over.signal.aborted) return;
      const stop = watchSession(client, (change, session) => {
        sessionChanged(change, session, pageEffects);
        const entered = change === 'MFA_CHALLENGE_VERIFIED' || (change === 'SIGNED_IN' && !held);
        if (session && entered && $session.get().state === 'visitor') onSignedIn?.();
      });
      onStop(stop);
    },
    // Offline: the next action asks for the client again.
    () => {},
  );
  return () => over.abort();
}
