import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { SessionFacts } from '#data/session.ts';
import { hasVisitorAnswers } from '#lib/browser/has-visitor-answers.ts';
import { loadOnceOnline } from '#lib/browser/load-module.ts';
import { pendingClaim } from '#lib/browser/pending-claim.ts';
import { showUnread } from '#lib/browser/unread-marks.ts';
import { whenIdle } from '#lib/browser/when-idle.ts';
import { followBuild } from '#stores/build.ts';
import { keepOfflinePage } from '#stores/offline-page.ts';
import { $session, beginSession, followSession, sessionEnded } from '#stores/session.ts';
import { $toasts, addToast, dismissToast } from '#stores/toasts.ts';
import { followUncaught } from '#stores/uncaught.ts';
import { $unread, beginUnread } from '#stores/unread.ts';
import { whenSignedIn } from '#stores/when-back.ts';
import type { Sync } from '#sync/sync.ts';
import { PlainToasts } from '#ui/PlainToasts.tsx';
import { type BrokenProps, BrokenScreen, screen } from '#ui/ScreenBoundary.tsx';
import { usePart } from '#ui/use-part.ts';

/**
 * Part of every signed-in page: follows the session and shows toasts and two dialogs. What follows
 * something starts once the browser is idle, so that the page can be used before that.
 */
function ShellScreen({ initial }: { initial: SessionFacts }) {
  const [isIdle, setIdle] = useState(false);

  useEffect(() => beginSession(initial), [initial]);
  useEffect(() => followUncaught(), []);
  useEffect(() => beginUnread(initial.userId, initial.unreadMessages), [initial]);
  useEffect(() => $unread.listen(showUnread), []);

  useEffect(() => {
    const over = new AbortController();
    const cancel = whenIdle(() => {
      followPage(initial, over.signal);
      setIdle(true);
    });
    return () => {
      cancel();
      over.abort();
    };
  }, [initial]);

  return (
    <>
      <Toasts isIdle={isIdle} />
      <SignInAgain />
      {isIdle && initial.role === 'owner' && (
        <AnswersPrompt businessId={initial.business?.id ?? null} />
      )}
    </>
  );
}

/** Follows everything that may change while the page is open, until the signal. */
function followPage({ userId }: SessionFacts, over: AbortSignal): void {
  const untilOver = (stop: () => void) => over.addEventListener('abort', stop);
  untilOver(followSession());
  untilOver(followBuild());
  keepOfflinePage();
  // Sends the changes that a closed tab left unsent. If it can't be loaded, a later page does.
  void loadOnceOnline(() => import('#sync/page-sync.ts')).then(
    ({ pageSync }) => !over.aborted && untilOver(followSync(pageSync(userId))),
    () => {},
  );
  void import('#stores/follow-messages.ts').then(
    ({ followMessages }) => !over.aborted && untilOver(followMessages(userId)),
    // Offline, the unread count from the server stays.
    () => {},
  );
}

const loadToaster = () => import('#ui/Toaster.tsx');

/** The Toaster is larger than some pages, so it loads once the page works. */
function Toasts({ isIdle }: { isIdle: boolean }) {
  const toasts = useStore($toasts, { ssr: 'initial' });
  const part = usePart(loadToaster, isIdle || toasts.length > 0);
  if (part) return <part.Toaster toasts={toasts} onDismiss={dismissToast} />;
  return <PlainToasts toasts={toasts} onDismiss={dismissToast} className="bottom-14 lg:bottom-0" />;
}

const loadSignIn = () => import('./SignInAgain.tsx');

/** If the session ends while a page is open, users sign in again in a dialog and lose nothing. */
function SignInAgain() {
  const session = useStore($session, { ssr: 'initial' });
  const isEnded = session.state === 'ended';
  const part = usePart(loadSignIn, isEnded, () =>
    addToast({
      tone: 'bad',
      title: 'You’ve been signed out',
      text: 'Sign in in a new tab. This page will catch up on its own.',
      action: { label: 'Sign in', onPress: () => window.open('/login', '_blank', 'noopener') },
      lasting: true,
    }),
  );
  return isEnded && part && <part.SignInAgain email={session.facts.email} />;
}

const loadPrompt = () => import('./AnswersPrompt.tsx');

/** Earlier quiz answers are rare, so the question about them loads only if there are some. */
function AnswersPrompt({ businessId }: { businessId: string | null }) {
  const [claim] = useState(pendingClaim);
  const [isNeeded] = useState(() => claim !== null || hasVisitorAnswers());
  const part = usePart(loadPrompt, isNeeded);
  return part && <part.AnswersPrompt claim={claim} businessId={businessId} />;
}

/** Sends queued changes once the user signs in again, and asks for that when the sync needs it. */
function followSync(sync: Sync): () => void {
  const stops = [
    whenSignedIn(() => sync.flush()),
    sync.$isSignedOut.subscribe((isSignedOut) => {
      if (isSignedOut) sessionEnded();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** The fallback: the page works, but shows no toasts and doesn't notice an ended session. */
const Broken = (props: BrokenProps) => (
  <div className="fixed right-0 bottom-14 z-50 w-full max-w-md px-4 lg:bottom-0 print:hidden">
    <BrokenScreen {...props} />
  </div>
);

export default screen(ShellScreen, Broken);
