/**
 * A recommendation that was chosen before there was a business: the address of the form for its
 * project, kept in this tab until the business is named.
 */
const STORAGE_KEY = 'trellis-chosen-work';

/** Keeps the address of the form. */
export function keepChosenWork(href: string): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, href);
  } catch {
    // Without storage, only the page itself leads there.
  }
}

/** The address that was kept, once; null if there's none. */
export function takeChosenWork(): string | null {
  try {
    const href = sessionStorage.getItem(STORAGE_KEY);
    sessionStorage.removeItem(STORAGE_KEY);
    return href;
  } catch {
    return null;
  }
}
