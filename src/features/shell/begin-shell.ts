import type { SessionFacts } from '#data/session.ts';
import { hideBrokenPictures } from '#lib/browser/hide-broken-pictures.ts';
import { beginSession } from '#stores/session.ts';
import { followUncaught } from '#stores/uncaught.ts';
import { beginUnread } from '#stores/unread.ts';

/**
 * Follows the session, uncaught errors and broken pictures on a signed-in page, from what layouts/Shell.astro wrote into it.
 * Without React, so that it needn't wait for the frame to hydrate, which comes last.
 */
export function beginShell(): void {
  const text = document.getElementById('session-facts')?.dataset.facts;
  if (!text) return;
  const facts = JSON.parse(text) as SessionFacts;
  const { userId, unreadMessages, unreadNotifications } = facts;
  beginSession(facts);
  beginUnread(userId, { messages: unreadMessages, notifications: unreadNotifications });
  followUncaught();
  hideBrokenPictures();
}
