/** Where to go after signing in or adding a business: `?next=`, which anybody can write into a link. */
import { hrefFor, match } from './routes.ts';

/** A browser keeps about 2,000 characters of an address everywhere; a longer one is no page of ours. */
const LONGEST = 2000;
const SITE = 'http://site.invalid';
/** Pages that make no sense as a destination after signing in. */
const NEVER = new Set(['/logout', '/login', '/register', '/recover', '/confirm']);

/** Control characters and backslashes, which browsers silently drop or turn into slashes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const TRICKS = /[\u0000-\u0020\u007f-\u009f\u2028\u2029\\]/;

/**
 * Gives the path, query and fragment of `next` when it is a page of this site, else `fallback`.
 * It is parsed as a URL, must stay on this site and match a row of the route table.
 * @param origin of this site, where `next` may be written as a whole address, as hosted Auth does
 */
export function safeNext<F extends string | null>(
  given: string | null | undefined,
  fallback: F,
  origin?: string,
): string | F {
  const whole = origin !== undefined && given?.startsWith(`${origin}/`);
  const next = whole ? given?.slice(origin.length) : given;
  if (!next || next.length > LONGEST || TRICKS.test(next) || !next.startsWith('/')) return fallback;
  let url: URL;
  try {
    url = new URL(next, SITE);
  } catch {
    return fallback;
  }
  if (url.origin !== SITE || url.username !== '' || url.password !== '') return fallback;
  // "/./" and "%2e" are folded by the parser; what is left must be the page itself.
  if (url.pathname.startsWith('//') || /%2f|%5c/i.test(url.pathname)) return fallback;
  const found = match(url.pathname);
  if (!found || NEVER.has(found.route.path)) return fallback;
  return url.pathname + url.search + url.hash;
}

/** The address of the sign-in page that leads back to `next`. */
export function loginHref(next: string | null | undefined): string {
  return withNext('/login', safeNext(next, null));
}

/** The address where a person adds their first business and then comes back to `next`. */
export function addBusinessHref(next: string): string {
  return withNext(hrefFor('/dashboard/businesses/new'), next);
}

/** Adds `?next=` to the path of a page, unless it is null. */
export function withNext(path: string, next: string | null): string {
  return next === null ? path : `${path}?next=${encodeURIComponent(next)}`;
}
