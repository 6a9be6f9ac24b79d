import { createHmac, randomBytes } from 'node:crypto';
import { query } from '../_shared/connection.ts';
import { database } from '../_shared/database.ts';
import { answer, callerOf, objectOf, refuseOtherMethods, textOf } from '../_shared/requests.ts';
import { pages } from './pages.ts';

const LONGEST = 1024;

const A_MINUTE = 120;

/** The route for pages that aren't in the list of pages; their paths aren't counted. */
const UNKNOWN = 'unknown';

/** Anyone can send anything, so only routes that exist are stored. */
const ROUTES: ReadonlySet<string> = new Set(pages);
const LONGEST_PATH = 200;
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

/** Counts a page view: POST of `{route, path}` in JSON, sent as text, which needs no preflight. */
export default {
  async fetch(request: Request): Promise<Response> {
    const refusal = refuseOtherMethods(request);
    if (refusal) return refusal;
    const body = await textOf(request, LONGEST);
    if (body === null) return answer(413, `At most ${LONGEST} bytes`);
    const view = viewOf(body);
    if (!view) return answer(422, 'This isn’t a page of the site');

    // Views beyond the limit aren't counted. The browser can't do anything about it, so it's a 204.
    await query(database())`
      select case when private.take_rate_limit(
        ${`page-view:${hashOfCaller(request)}`}, ${A_MINUTE}, interval '1 minute'
      ) then private.count_page_view(${view.route}, ${view.path}) end`;
    return new Response(null, { status: 204 });
  },
};

/** The page view that a body reports; null if it can't be one of our pages. */
function viewOf(body: string): { route: string; path: string } | null {
  const { route, path } = objectOf(body) ?? {};
  if (typeof route !== 'string' || typeof path !== 'string') return null;
  if (route.length > LONGEST_PATH || path.length > LONGEST_PATH) return null;
  if (route === UNKNOWN) return path === UNKNOWN ? { route, path } : null;
  if (!ROUTES.has(route) || ID.test(path)) return null;
  // A path with a trailing slash is the same page.
  const plain = path.replace(/(.)\/$/, '$1');
  return leadsTo(route, plain) ? { route, path: plain } : null;
}

/** Whether a path belongs to a route. If the route has a record's ID, its path is the route. */
function leadsTo(route: string, path: string): boolean {
  if (/\[(?!(?:slug|language)\])/.test(route)) return path === route;
  const pattern = route
    .replaceAll('[language]', '[a-z]{2,3}')
    .replaceAll('[slug]', '[a-z0-9]+(?:-[a-z0-9]+)*');
  return new RegExp(`^${pattern}$`).test(path);
}

let secret = { day: '', value: new Uint8Array() as Uint8Array };

/** Identifies the caller for the limit only: hashed with a daily secret that's never stored. */
function hashOfCaller(request: Request): string {
  const day = new Date().toISOString().slice(0, 10);
  if (secret.day !== day) secret = { day, value: randomBytes(32) };
  return createHmac('sha256', secret.value)
    .update(callerOf(request)?.sender ?? '')
    .digest('base64url');
}
