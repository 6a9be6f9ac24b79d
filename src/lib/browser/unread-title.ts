/** Unread counts in words: of messages in the page title, "(3) Projects", and of notifications. */

const MARK = /^\(\d+\+?\) /;

/** Caps the displayed count: "3", "99+". */
export const countText = (count: number) => (count > 99 ? '99+' : String(count));

/** Replaces the count in the title, or removes it if nothing is unread. */
export function titleWith(unread: number, title: string): string {
  const bare = title.replace(MARK, '');
  return unread > 0 ? `(${countText(unread)}) ${bare}` : bare;
}

/** The name of the bell: "Notifications, 3 unread". */
export const bellName = (unread: number) =>
  unread > 0 ? `Notifications, ${countText(unread)} unread` : 'Notifications';
