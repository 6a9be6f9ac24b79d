import { useEffect, useState } from 'react';
import { hasVisitorAnswers } from '#lib/browser/has-visitor-answers.ts';
import { loadOnceOnline } from '#lib/browser/load-module.ts';
import { pendingClaim } from '#lib/browser/pending-claim.ts';
import { keepRecentPage } from '#lib/browser/recent-pages.ts';
import { showUnread } from '#lib/browser/unread-marks.ts';
import { followBuild } from '#stores/build.ts';
import { followUnread } from '#stores/follow-unread.ts';
import { keepOfflinePage } from '#stores/offline-page.ts';
import { followSession, sessionEnded } from '#stores/session.ts';
import { $unread, followOtherTabs } from '#stores/unread.ts';
import { whenSignedIn } from '#stores/when-back.ts';
import type { Sync } from '#sync/sync.ts';
import { useOpenedPart, usePart } from '#ui/use-part.ts';
import { Commands } from './Commands.tsx';
import { pageFacts } from './page-facts.ts';

/**
 * The rest of ShellScreen, loaded once the page is idle: follows everything that may change while
 * the page is open, opens the bell's list and the command menu, and asks owners about earlier quiz
 * answers.
 */
export function IdleParts() {
  const [facts] = useState(pageFacts);
  const userId = facts?.userId;
  useEffect(() => (userId === undefined ? undefined : followPage(userId)), [userId]);
  // The bell has one; icon buttons of screens load them too.
  useEffect(() => {
    loadOnceOnline(() => import('#ui/tooltips.ts')).then(
      ({ installTooltips }) => installTooltips(),
      () => {},
    );
  }, []);
  return (
    facts && (
      <>
        <Bell timeZone={facts.timeZone} />
        <Commands session={facts} />
        {facts.role === 'owner' && <AnswersPrompt businessId={facts.business?.id ?? null} />}
      </>
    )
  );
}

/** Follows what may change. Returns the cleanup. */
function followPage(userId: string): () => void {
  const stops = [
    followSession(),
    followBuild(),
    $unread.subscribe(showUnread),
    followOtherTabs(userId),
    followUnread(userId),
  ];
  let isOver = false;
  keepOfflinePage();
  keepRecentPage(userId, location, document.title);
  // Sends the changes that a closed tab left unsent. If it can't be loaded, a later page does.
  void loadOnceOnline(() => import('#sync/page-sync.ts')).then(
    ({ pageSync }) => !isOver && stops.push(followSync(pageSync(userId))),
    () => {},
  );
  return () => {
    isOver = true;
    for (const stop of stops) stop();
  };
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

const loadNotifications = () => import('./notifications/NotificationsPopover.tsx');

/** Opens the newest notifications in place of the page that the bells (BellLink.tsx) lead to. */
function Bell({ timeZone }: { timeZone: string }) {
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const close = () => setOpener(null);
  useEffect(() => {
    for (const bell of document.querySelectorAll<HTMLElement>('[data-bell]')) {
      bell.onclick = (event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        setOpener((now) => (now ? null : bell));
      };
    }
  }, []);
  const part = useOpenedPart(loadNotifications, opener !== null, close);
  return (
    opener &&
    part && <part.NotificationsPopover opener={opener} timeZone={timeZone} onClose={close} />
  );
}

const loadPrompt = () => import('./AnswersPrompt.tsx');

/** Earlier quiz answers are rare, so the question about them loads only if there are some. */
function AnswersPrompt({ businessId }: { businessId: string | null }) {
  const [claim] = useState(pendingClaim);
  const [isNeeded] = useState(() => claim !== null || hasVisitorAnswers());
  const part = usePart(loadPrompt, isNeeded);
  return part && <part.AnswersPrompt claim={claim} businessId={businessId} />;
}
