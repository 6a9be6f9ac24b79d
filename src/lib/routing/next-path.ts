/** Where to go after signing in or adding a business: `?next=`, which any link can set. */
import { withNext } from './href.ts';
import { match } from './routes.ts';

/** All browsers support URLs of about 2,000 characters; a longer one isn't one of our pages. */
const LONGEST = 2000;
const SITE = 'http://site.invalid';
/** Pages that make no sense as a destination after signing in. */
const NEVER = new Set(['/logout', '/login', '/register', '/recover', '/confirm']);

/** Control characters and backslashes, which browsers silently drop or turn into slashes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const TRICKS = /[\u0000-\u0020\u007f-\u009f\u2028\u2029\\]/;

/**
 * Returns the path, query and fragment of `next` if it's a page of this site, else `fallback`. It's
 * parsed as a URL, must stay on this site, and must match the route table.
 * @param origin this site's origin, because hosted Auth writes `next` as an absolute URL
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
  // The parser resolves "/./" and "%2e"; the rest must be the page itself.
  if (url.pathname.startsWith('//') || /%2f|%5c/i.test(url.pathname)) return fallback;
  const found = match(url.pathname);
  if (!found || NEVER.has(found.route.path)) return fallback;
  return url.pathname + url.search + url.hash;
}

/** The URL of the sign-in page that returns to `next`. */
export function loginHref(next: string | null | undefined): string {
  return withNext('/login', safeNext(next, null));
}
