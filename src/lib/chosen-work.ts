/**
 * What someone chose to work on before there was a business: the query of the form for its project.
 * The server keeps it in a cookie as soon as the form is asked for, so it's kept without scripts,
 * and for every tab. It lasts until the browser is closed, the project's form opens or they sign out.
 */
import { writeCookie } from './browser/write-cookie.ts';
import { hrefFor } from './routing/href.ts';

export const CHOSEN_COOKIE = 'trellis-chosen';
/** The longest query that's kept, in characters. */
const LONGEST = 1000;

/** What this needs of Astro's cookies. */
interface Cookies {
  set(name: string, value: string, options: object): void;
}

/**
 * Keeps what was chosen, in a cookie of the answer.
 * @param query of the form's address: `area=sales-marketing&action=…`
 * @param secure whether the site's cookies are `Secure`
 */
export function keepChosenWork(
  cookies: Cookies,
  userId: string,
  query: URLSearchParams,
  secure: boolean,
): void {
  const text = String(query);
  if (text.length > LONGEST) return;
  // Scripts read it once there's a business.
  cookies.set(CHOSEN_COOKIE, `${userId}.${text}`, { path: '/', sameSite: 'lax', secure });
}

/**
 * The address of the form with what was chosen, from the cookie of a person; null if they chose
 * nothing.
 * @param header the page's cookies: `a=1; b=2`
 */
export function chosenWorkIn(header: string, userId: string): string | null {
  const start = `${CHOSEN_COOKIE}=`;
  const held = header.split('; ').find((each) => each.startsWith(start));
  let text = '';
  try {
    text = decodeURIComponent(held?.slice(start.length) ?? '');
  } catch {
    return null;
  }
  const query = text.startsWith(`${userId}.`) ? text.slice(userId.length + 1) : '';
  return query ? `${hrefFor('/dashboard/projects/new')}?${new URLSearchParams(query)}` : null;
}

/** In a browser, the address of the form with what this person chose, once; null for nothing. */
export function takeChosenWork(userId: string): string | null {
  const href = chosenWorkIn(document.cookie, userId);
  if (href) writeCookie(`${CHOSEN_COOKIE}=; Path=/; Max-Age=0; SameSite=Lax`);
  return href;
}
