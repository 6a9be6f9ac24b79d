import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { SessionFacts } from '#data/session.ts';
import { titleWith } from '#lib/browser/unread-title.ts';
import { followBuild } from '#stores/build.ts';
import { keepOfflinePage } from '#stores/offline-page.ts';
import { beginSession, followSession, sessionEnded } from '#stores/session.ts';
import { $toasts, dismissToast } from '#stores/toasts.ts';
import { followUncaught } from '#stores/uncaught.ts';
import { $unread, beginUnread } from '#stores/unread.ts';
import { whenSignedIn } from '#stores/when-back.ts';
import { pageSync } from '#sync/page-sync.ts';
import { type BrokenProps, BrokenScreen, screen } from '#ui/ScreenBoundary.tsx';
import { Toaster } from '#ui/Toaster.tsx';
import { useReady } from '#ui/use-ready.ts';
import { AnswersPrompt } from './AnswersPrompt.tsx';
import { SignInAgain } from './SignInAgain.tsx';

/** Part of every signed-in page: follows the session and shows toasts and two dialogs. */
function ShellScreen({ initial }: { initial: SessionFacts }) {
  const ready = useReady();
  const toasts = useStore($toasts, { ssr: 'initial' });

  useEffect(() => {
    beginSession(initial);
    return followSession();
  }, [initial]);

  // Sends the changes that a closed tab left unsent.
  useEffect(() => followSync(initial.userId), [initial.userId]);

  useEffect(() => beginUnread(initial.userId, initial.unreadMessages), [initial]);

  // Loaded separately, so that no page waits for it.
  useEffect(() => {
    let end: (() => void) | null = null;
    let over = false;
    void import('#stores/follow-messages.ts').then(
      ({ followMessages }) => {
        if (!over) end = followMessages(initial.userId);
      },
      // Offline, the unread count from the server stays.
      () => {},
    );
    return () => {
      over = true;
      end?.();
    };
  }, [initial.userId]);

  useEffect(() => followBuild(), []);

  useEffect(() => followUncaught(), []);

  useEffect(keepOfflinePage, []);

  useTitle();

  // None of it works before hydration, and the CSP blocks Radix's inline styles in server HTML.
  if (!ready) return null;
  return (
    <>
      <Toaster toasts={toasts} onDismiss={dismissToast} />
      <SignInAgain />
      {initial.role === 'owner' && <AnswersPrompt businessId={initial.business?.id ?? null} />}
    </>
  );
}

/** Sends queued changes once the user signs in again, and asks for that when the sync needs it. */
function followSync(userId: string): () => void {
  const sync = pageSync(userId);
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

/** Shows the number of unread messages in the document title. */
function useTitle() {
  useEffect(
    () =>
      $unread.subscribe((unread) => {
        if (unread !== null) document.title = titleWith(unread, document.title);
      }),
    [],
  );
}

/** The fallback: the page works, but shows no toasts and doesn't notice an ended session. */
const Broken = (props: BrokenProps) => (
  <div className="fixed right-0 bottom-14 z-50 w-full max-w-md px-4 lg:bottom-0 print:hidden">
    <BrokenScreen {...props} />
  </div>
);

export default screen(ShellScreen, Broken);
