import { countText, titleWith } from './unread-title.ts';

/**
 * Shows the number of unread messages in the document title and in the navigation's marks
 * (layouts/UnreadMark.astro). Null does nothing: the page shows what the server rendered.
 */
export function showUnread(unread: number | null): void {
  if (unread === null) return;
  document.title = titleWith(unread, document.title);
  for (const mark of document.querySelectorAll<HTMLElement>('[data-unread]')) {
    mark.hidden = unread === 0;
    const count = mark.firstElementChild;
    if (count) count.textContent = countText(unread);
  }
}
