import { createElement } from 'react';
import { hydrateRoot, type Root } from 'react-dom/client';
import type { SessionFacts } from '#data/session.ts';
import { whenIdle } from '#lib/browser/when-idle.ts';
import { $endedEmail, beginSession } from '#stores/session.ts';
import { $toasts } from '#stores/toasts.ts';
import { followUncaught } from '#stores/uncaught.ts';
import { beginUnread } from '#stores/unread.ts';
import AccountScreen from './AccountScreen.tsx';
import ShellScreen from './ShellScreen.tsx';

const placeOf = (part: 'account' | 'shell') =>
  document.querySelector<HTMLElement>(`[data-part="${part}"]`);

/**
 * Begins what every signed-in page does, which the layouts draw (layouts/ShellPart.astro): follows the
 * session and errors at once, and hydrates the parts of the frame once the page's islands work and the
 * browser is idle. Nothing in them needs it before, apart from the first toast or the end of the session.
 */
export function beginShell(): void {
  const place = placeOf('shell');
  if (!place) return;
  const initial: SessionFacts = JSON.parse(place.dataset.initial ?? '');
  const { userId, unreadMessages, unreadNotifications } = initial;
  beginSession(initial);
  beginUnread(userId, { messages: unreadMessages, notifications: unreadNotifications });
  followUncaught();

  let root: Root | null = null;
  const show = (isIdle: boolean) => {
    const shell = createElement(ShellScreen, { initial, isIdle });
    if (root) root.render(shell);
    else root = hydrateRoot(place, shell);
  };
  const showNow = () => {
    if (!root) show(false);
  };
  $toasts.listen(showNow);
  $endedEmail.listen(showNow);
  whenIdle(() => {
    show(true);
    const account = placeOf('account');
    if (account) hydrateRoot(account, createElement(AccountScreen, { initial }));
  });
}
