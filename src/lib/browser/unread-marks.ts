import { bellName, countText, titleWith } from './unread-title.ts';

/**
 * Shows the unread counts in the document title and in the marks of the navigation and the bell
 * (features/shell/UnreadMark.tsx). Null does nothing: the page shows what the server rendered.
 */
export function showUnread(counts: { messages: number; notifications: number } | null): void {
  if (!counts) return;
  document.title = titleWith(counts.messages, document.title);
  for (const mark of document.querySelectorAll<HTMLElement>('[data-unread]')) {
    const bell = mark.closest('[data-bell]');
    const count = counts[bell ? 'notifications' : 'messages'];
    mark.hidden = count === 0;
    if (mark.firstElementChild) mark.firstElementChild.textContent = countText(count);
    bell?.setAttribute('aria-label', bellName(count));
  }
}
