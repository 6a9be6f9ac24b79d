/**
 * A recommendation that was chosen before there was a business: the address of the form for its
 * project, kept in this tab until the business is named.
 */
export const CHOSEN_PREFIX = 'trellis-chosen-work';
const keyOf = (userId: string) => `${CHOSEN_PREFIX}:${userId}`;

/** Keeps the address of the form for this person. */
export function keepChosenWork(userId: string, href: string): void {
  try {
    sessionStorage.setItem(keyOf(userId), href);
  } catch {
    // Without storage, only the page itself leads there.
  }
}

/** The address that was kept, once; null if there's none. */
export function takeChosenWork(userId: string): string | null {
  try {
    const href = sessionStorage.getItem(keyOf(userId));
    sessionStorage.removeItem(keyOf(userId));
    return href;
  } catch {
    return null;
  }
}
