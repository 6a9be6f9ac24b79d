/**
 * When someone last opened their first page in this browser, in a cookie, so that the page can say
 * what's changed since. The server learns of nothing else, and stores nothing.
 */

export const VISIT_COOKIE = 'trellis-visit';
/** How long the cookie lasts after each visit. */
export const VISIT_SECONDS = 90 * 86_400;
/** Pages opened within this many seconds are one visit, so that a reload doesn't hide what's new. */
const ONE_VISIT = 30 * 60;

export interface Visit {
  /** The end of the visit before, in seconds since 1970; null if there was none. */
  since: number | null;
  /** The cookie to set. */
  cookie: string;
}

/**
 * Counts the opening of a page as a visit.
 * @param cookie what the browser sent: `<person>.<latest opening>.<end of the visit before>`
 * @param userId whose page it is; another person's cookie means nothing
 * @param now in seconds since 1970
 */
export function visitAt(cookie: string | undefined, userId: string, now: number): Visit {
  const [person, latestText = '', beforeText = ''] = (cookie ?? '').split('.');
  const latest = timeOf(latestText, now);
  const isTheirs = person === userId && latest !== null;
  const isSame = isTheirs && now - latest < ONE_VISIT;
  const since = !isTheirs ? null : isSame ? timeOf(beforeText, now) : latest;
  return { since, cookie: `${userId}.${now}.${since ?? ''}` };
}

/** A time that isn't in the future; null for anything else. */
function timeOf(text: string, now: number): number | null {
  const time = /^\d{1,10}$/.test(text) ? Number(text) : null;
  return time !== null && time <= now ? time : null;
}

/** What this needs of Astro's cookies. */
interface Cookies {
  get(name: string): { value: string } | undefined;
  set(name: string, value: string, options: object): void;
}

/**
 * Counts the opening of a page as a visit, in a cookie of its answer.
 * @param now in ISO 8601
 * @param secure whether the site's cookies are `Secure`
 * @returns the end of the visit before, in ISO 8601; null if this browser doesn't know
 */
export function countVisit(
  cookies: Cookies,
  userId: string,
  now: string,
  secure: boolean,
): string | null {
  const seconds = Math.floor(Date.parse(now) / 1_000);
  const { since, cookie } = visitAt(cookies.get(VISIT_COOKIE)?.value, userId, seconds);
  cookies.set(VISIT_COOKIE, cookie, {
    path: '/dashboard',
    maxAge: VISIT_SECONDS,
    httpOnly: true,
    sameSite: 'lax',
    secure,
  });
  return since === null ? null : new Date(since * 1_000).toISOString();
}
