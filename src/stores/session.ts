/**
 * The session, as a page's islands see it. The server passes in the person it rendered the page
 * for; after that, the store follows changes to the session in this tab and all others.
 */
import { atom, computed, keepMount } from 'nanostores';
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
  /** It ended while the page was open. The person signs in again in place and loses nothing. */
  | { state: 'ended'; facts: SessionFacts }
  /** The person signed out on purpose, here or in another tab, so we must leave this page. */
  | { state: 'left' }
  /** The person opened a password reset link: only the page for the new password may be used. */
  | { state: 'recovery'; userId: string };

export const $session = atom<SessionState>({ state: 'visitor' });

/** The store's side effects on the page; tests pass fakes. */
export interface SessionEffects {
  go(path: string): void;
  reload(): void;
  /** Fetches who is signed in now; null for a visitor. */
  facts(): Promise<SessionFacts | null>;
  socket(accessToken: string): void;
}

interface SessionLike {
  access_token: string;
  user: { id: string; factors?: { status: string }[] };
}

/** Whether this session still needs a code from an authenticator app. */
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

let begun: SessionFacts | null = null;

/** The email of the person whose session ended while the page was open; otherwise null. */
export const $endedEmail = computed($session, (now) =>
  now.state === 'ended' ? now.facts.email : null,
);

/**
 * The facts about the person, once they're others than the page was rendered with; null before.
 * Islands that show facts follow this, so that they don't render again just for the session to begin.
 */
export const $newFacts = computed($session, (now) =>
  now.state === 'signed-in' && now.facts !== begun ? now.facts : null,
);

// Otherwise each page that the server renders would mount them, and set a timer to unmount them.
keepMount($endedEmail);
keepMount($newFacts);

/** Sets who the page was rendered for. Called once, by the island that every page has. */
export function beginSession(facts: SessionFacts | null): void {
  begun = facts;
  $session.set(facts ? { state: 'signed-in', facts } : { state: 'visitor' });
}

const currentFacts = (): SessionFacts | null => {
  const now = $session.get();
  return now.state === 'signed-in' || now.state === 'ended' ? now.facts : null;
};

/** Whether a notification may quote a message, although others may see the screen. */
export const mayShowWords = (): boolean => currentFacts()?.messageText ?? false;

/** The session ended, but not by signing out: the person can sign in again in place. */
export function sessionEnded(): void {
  const now = $session.get();
  if (now.state === 'signed-in') $session.set({ state: 'ended', facts: now.facts });
}

/** Converts a thrown value to an AppError, and reports a session that's over. */
export const reportError = createErrorReporter({ signedOut: sessionEnded });

/** The person signed out on purpose, so leave private pages. */
export function sessionLeft(effects: Pick<SessionEffects, 'go'>): void {
  const was = $session.get().state;
  $session.set({ state: 'left' });
  if (was !== 'visitor') effects.go('/login');
}

/**
 * The session that the page was rendered for is gone, as if they had signed out while it was
 * loading. We leave the page, unless they've typed something: then they can sign in again in place.
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

/** Keeps the business that this page shows, if the person still has access to it. */
const currentBusiness = (facts: SessionFacts) =>
  facts.businesses.find(({ id }) => id === currentFacts()?.business?.id) ?? facts.business;

function resumeSession(session: SessionLike, effects: SessionEffects): void {
  const now = $session.get();
  if (now.state !== 'ended' && now.state !== 'signed-in') return;
  // Another tab signed in to a different account, so this page shows the wrong person's data.
  if (now.facts.userId !== session.user.id) {
    effects.reload();
  } else if (now.state === 'ended' && !needsSecondFactor(session)) {
    $session.set({ state: 'signed-in', facts: now.facts });
    addToast({ tone: 'good', title: 'You’re signed in again.' });
  }
}

/** Handles each session event. */
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
      // Only the page for a new password reacts; on other pages, it's an ordinary session.
      if ($session.get().state === 'visitor') {
        $session.set({ state: 'recovery', userId: session.user.id });
      }
  }
}

/** Notifies the other tabs, if the browser supports BroadcastChannel. */
export function notifyTabs(news: AccountEvent): void {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(ACCOUNT_CHANNEL);
  channel.postMessage(news);
  channel.close();
}

/** Updates every tab after a change to session data, such as the person's name. */
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

/** How long a page without a session may take to navigate away on its own. */
const LEAVE_AFTER_MS = 1_000;

/**
 * Follows the session until the returned function is called. It loads supabase-js for that, but
 * notices a sign-out elsewhere even before it has loaded.
 * `onSignedIn` is for visitors' pages: it's called when the person signs in, in any tab.
 */
export function followSession(onSignedIn?: () => void): () => void {
  const over = new AbortController();
  const onStop = (stop: () => void) => over.signal.addEventListener('abort', stop);
  // supabase-js also reports a session that existed before the page as a new sign-in.
  const held = hasSessionCookie(document.cookie);
  // Signed out while this page was loading: in another tab, or by this page's own button before its
  // scripts ran. In the second case, the page is about to navigate anyway.
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

  // No event fires when another tab or the server deletes cookies.
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
    // Offline: the next action loads the client again.
    () => {},
  );
  return () => over.abort();
}
