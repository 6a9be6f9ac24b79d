import { hideBrokenPictures } from '#lib/browser/hide-broken-pictures.ts';
import { beginSession } from '#stores/session.ts';
import { followUncaught } from '#stores/uncaught.ts';
import { beginUnread } from '#stores/unread.ts';
import { pageFacts } from './page-facts.ts';

/**
 * Follows the session, uncaught errors and broken pictures on a signed-in page.
 * Without React, so that it needn't wait for the frame to hydrate, which comes last.
 */
export function beginShell(): void {
  const facts = pageFacts();
  if (!facts) return;
  const { userId, unreadMessages, unreadNotifications } = facts;
  beginSession(facts);
  beginUnread(userId, { messages: unreadMessages, notifications: unreadNotifications });
  followUncaught();
  hideBrokenPictures();
}
