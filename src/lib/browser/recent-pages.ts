/** The signed-in pages a person opened last in this browser, for the command menu. */
import { readJson, writeStored } from './stored.ts';
import { titleWith } from './unread-title.ts';

/** Prefix of the storage keys, one for each person; signing out removes them. */
export const RECENT_PREFIX = 'trellis-recent';

export interface RecentPage {
  /** The path, with what chooses a tool; filters and places in a list are left out. */
  href: string;
  title: string;
}

/** The most pages that are kept. */
const KEPT = 8;

const isPage = (value: unknown): value is RecentPage =>
  typeof value === 'object' &&
  value !== null &&
  'href' in value &&
  'title' in value &&
  typeof value.title === 'string' &&
  typeof value.href === 'string' &&
  // One slash: a path of this site.
  /^\/[^/]/.test(value.href);

/** The pages, the latest first. Empty on the server, or if the browser denies storage. */
export function recentPages(userId: string): RecentPage[] {
  const kept = readJson(`${RECENT_PREFIX}:${userId}`);
  return Array.isArray(kept) ? kept.filter(isPage) : [];
}

/** The address that a page is remembered by. */
export function addressToKeep({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  const item = new URLSearchParams(search).get('item');
  return item === null ? pathname : `${pathname}?item=${encodeURIComponent(item)}`;
}

/**
 * Remembers a page as the latest one.
 * @param title the page's title, which may have the number of unread messages in front and the
 *   product's name at the end
 */
export function keepRecentPage(
  userId: string,
  location: Pick<Location, 'pathname' | 'search'>,
  title: string,
): void {
  const href = addressToKeep(location);
  const name = titleWith(0, title).replace(/ · [^·]*$/, '');
  const others = recentPages(userId).filter((page) => page.href !== href);
  writeStored(`${RECENT_PREFIX}:${userId}`, [{ href, title: name }, ...others].slice(0, KEPT));
}
