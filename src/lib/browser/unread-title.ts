/** How many messages are unread, in the title of a page: "(3) Projects". */

const MARK = /^\(\d+\+?\) /;

/** A count that stays short: "3", "99+". */
export const countText = (count: number) => (count > 99 ? '99+' : String(count));

/** The title with this count in place of the one that it may have; without one where nothing is unread. */
export function titleWith(unread: number, title: string): string {
  const bare = title.replace(MARK, '');
  return unread > 0 ? `(${countText(unread)}) ${bare}` : bare;
}
