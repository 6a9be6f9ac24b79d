/**
 * Every page of the product: its path, title, layout, guard and rendering. Guards, titles, links,
 * page-view placeholders and tests read this table, and a test compares it with the files in
 * `pages/`. navigation.ts lists which pages each menu links to.
 */
import type { Role } from '#domain/person.ts';
import { PLACE, shapeOf } from './href.ts';

/** Who can open a page. `home` redirects signed-in people to their role's main page. */
type Guard = 'none' | 'auth' | 'admin' | 'home';
type Layout = 'default' | 'dashboard' | 'signup' | 'quiz';
/** Prerendered by the build, or rendered on demand because the content depends on the person. */
type Rendering = 'prerendered' | 'on-demand';

export interface Route {
  /**
   * A path, with `[id]` for a UUID, `[slug]` for lowercase words joined by hyphens, `[token]` for a
   * secret, and `[language]` for the code of a language other than English.
   */
  path: string;
  title: string;
  layout: Layout;
  guard: Guard;
  rendering: Rendering;
}

/** A matched route with the parameters from the path. */
export interface RouteMatch {
  route: Route;
  params: Record<string, string>;
}

/** Creates rows with shared defaults, which a row can override. */
const rowsOf =
  (rendering: Rendering, layout: Layout, guard: Guard) =>
  <const Path extends string>(
    path: Path,
    title: string,
    row: Partial<Omit<Route, 'path'>> = {},
  ): Route & { path: Path } => ({
    path,
    title,
    layout,
    guard,
    rendering,
    ...row,
  });

const prerendered = rowsOf('prerendered', 'default', 'none');
const account = rowsOf('on-demand', 'default', 'none');
const signedIn = rowsOf('on-demand', 'dashboard', 'auth');

/** The table. Exact paths come before the patterns that would also match them. */
const table = [
  // The public site
  prerendered('/', 'Home', { guard: 'home' }),
  prerendered('/about', 'About'),
  prerendered('/services', 'Services'),
  prerendered('/coaching', 'Coaching'),
  prerendered('/case-studies', 'Case studies'),
  prerendered('/case-studies/[slug]', 'Case study'),
  prerendered('/toolbox', 'Toolbox'),
  // Of tools that are no longer as the build has them; the server shows it at the address above.
  account('/toolbox/current', 'Toolbox'),
  account('/toolbox/current/[slug]', 'Tool'),
  prerendered('/toolbox/[slug]', 'Tool'),
  prerendered('/economic-development', 'Economic development'),
  prerendered('/contact', 'Contact'),
  prerendered('/contact/thanks', 'Your message has arrived'),
  prerendered('/newsletter', 'Newsletter'),
  prerendered('/newsletter/almost', 'One more step'),
  prerendered('/newsletter/welcome', 'You’re on the list'),
  prerendered('/newsletter/left', 'You’re unsubscribed'),
  account('/newsletter/issues', 'Past issues'),
  account('/newsletter/[slug]', 'Newsletter issue'),
  prerendered('/pricing', 'Pricing'),
  prerendered('/pricing/how-to-buy', 'How to buy'),
  prerendered('/testimonials', 'What owners say'),
  prerendered('/blog', 'Blog'),
  prerendered('/blog/[slug]', 'Article'),
  prerendered('/blog/page/[slug]', 'Articles'),
  prerendered('/blog/tags/[slug]', 'Articles by topic'),
  prerendered('/events', 'Events'),
  prerendered('/events/almost', 'One more step'),
  prerendered('/events/[slug]', 'Event'),
  account('/confirm/place/[token]', 'Your place'),
  account('/confirm/place/[token].ics', 'Your place for a calendar'),
  prerendered('/releases', 'What’s new'),
  prerendered('/releases/[slug]', 'Update'),
  prerendered('/press-room', 'Press room'),
  prerendered('/press-room/[slug]', 'Announcement'),
  prerendered('/pages/business-skills-quiz', 'A first look at your business skills', {
    layout: 'quiz',
  }),
  prerendered('/engagement-survey', 'Coaching survey'),
  prerendered('/engagement-survey/thanks', 'Thank you, we have your answers'),
  account('/engagement-survey/[token]', 'Coaching survey'),
  prerendered('/test-chart', 'Charts'),
  prerendered('/pages/[slug]', 'Page'),
  // The pages that are in other languages, too; lib/content/translations.ts knows which.
  prerendered('/[language]', 'Home'),
  prerendered('/[language]/pages/business-skills-quiz', 'A first look at your business skills', {
    layout: 'quiz',
  }),
  prerendered('/[language]/pages/[slug]', 'Page'),
  prerendered('/search', 'Search'),
  prerendered('/privacy-policy', 'Privacy policy'),
  prerendered('/accessibility-statement', 'Accessibility statement'),
  prerendered('/security', 'Security'),

  // Signing in
  account('/login', 'Sign in'),
  account('/register', 'Create an account'),
  account('/confirm', 'Confirm your email'),
  account('/logout', 'Sign out'),
  account('/recover', 'Forgot your password?', { layout: 'signup' }),
  account('/update-password', 'New password', { layout: 'signup' }),

  // Paying
  account('/checkout/success', 'Your payment'),
  account('/checkout/cancel', 'Your payment'),
  account('/purchase', 'Use a seat code'),
  account('/purchase/success', 'Your seat'),
  account('/purchase/failure', 'No seat yet'),

  // Signed in
  signedIn('/profile', 'Profile'),
  signedIn('/dashboard', 'Dashboard'),
  signedIn('/dashboard/skills', 'Skills'),
  signedIn('/dashboard/skills/over-time', 'Skills over time'),
  signedIn('/dashboard/skills/compared', 'Businesses like yours'),
  signedIn('/dashboard/skills/sharing', 'Sharing your results'),
  signedIn('/dashboard/skills/quiz', 'Business skills quiz', { layout: 'quiz', guard: 'none' }),
  signedIn('/dashboard/skills/quiz/[id]', 'Business skills quiz', { layout: 'quiz' }),
  signedIn('/dashboard/skills/quiz/[id].pdf', 'Results as a PDF', { layout: 'quiz' }),
  signedIn('/dashboard/projects', 'Projects'),
  signedIn('/dashboard/projects/new', 'New project'),
  signedIn('/dashboard/projects/[id]', 'Project'),
  signedIn('/dashboard/messages', 'Messages'),
  signedIn('/dashboard/messages/conversations/[id]', 'Conversation'),
  signedIn('/dashboard/toolbox', 'Toolbox'),
  signedIn('/dashboard/coaching', 'Coaching'),
  signedIn('/dashboard/coaching/settings', 'Profile and time off'),
  signedIn('/dashboard/coaching/sessions/[id]', 'Session'),
  signedIn('/dashboard/coaching/[id]', 'Client'),
  signedIn('/dashboard/coaching/sessions/[id].ics', 'Session for a calendar'),
  signedIn('/dashboard/businesses', 'Businesses'),
  signedIn('/dashboard/businesses/new', 'Add a business'),
  signedIn('/dashboard/businesses/invitation', 'Invitation'),
  signedIn('/dashboard/businesses/[id]', 'Business'),
  signedIn('/dashboard/businesses/[id]/edit', 'Edit a business'),
  signedIn('/dashboard/businesses/[id]/plan', 'One-page plan'),
  signedIn('/dashboard/businesses/[id]/forecast', 'Cash forecast'),
  signedIn('/dashboard/orders', 'Orders'),
  signedIn('/dashboard/orders/new', 'Buy sessions'),
  signedIn('/dashboard/orders/[id]', 'Order'),
  signedIn('/dashboard/programs', 'Programs'),
  signedIn('/dashboard/programs/[id]', 'Program'),
  signedIn('/dashboard/profile', 'Profile'),
  signedIn('/dashboard/events/[id]', 'Your place'),
  signedIn('/dashboard/profile/security', 'Signing in'),
  signedIn('/dashboard/profile/notifications', 'Notifications you get'),
  signedIn('/dashboard/profile/sharing', 'Sharing and privacy'),
  signedIn('/dashboard/profile/data', 'Your data'),
  signedIn('/dashboard/notifications', 'Notifications'),
  signedIn('/dashboard/notifications/[id]', 'Notification'),

  // Admins
  prerendered('/admin/one-page-business-plan-template', 'One-page business plan template'),
  signedIn('/admin', 'Overview', { guard: 'admin' }),
  signedIn('/admin/people', 'People', { guard: 'admin' }),
  signedIn('/admin/people/[id]', 'Person', { guard: 'admin' }),
  signedIn('/admin/resend-verification', 'Confirm your email'),
  signedIn('/admin/contacts-summary', 'Contacts', { guard: 'admin' }),
  signedIn('/admin/contacts-summary/[id]', 'Contact', { guard: 'admin' }),
  signedIn('/admin/import', 'Import', { guard: 'admin' }),
  signedIn('/admin/events', 'Events', { guard: 'admin' }),
  signedIn('/admin/events/[id]', 'Event', { guard: 'admin' }),
  signedIn('/admin/newsletter', 'Newsletter', { guard: 'admin' }),
  signedIn('/admin/newsletter/[id]', 'Newsletter issue', { guard: 'admin' }),
  signedIn('/admin/businesses', 'Businesses', { guard: 'admin' }),
  signedIn('/admin/businesses/[id]', 'Business', { guard: 'admin' }),
  signedIn('/admin/projects', 'Projects', { guard: 'admin' }),
  signedIn('/admin/coaching', 'Coaching', { guard: 'admin' }),
  signedIn('/admin/coaching/[id]', 'Coaching', { guard: 'admin' }),
  signedIn('/admin/engagement-results', 'Survey results', { guard: 'admin' }),
  signedIn('/admin/quiz', 'Quizzes', { guard: 'admin' }),
  signedIn('/admin/quiz/[id]', 'Version of the quiz', { guard: 'admin' }),
  signedIn('/admin/toolbox', 'Tools', { guard: 'admin' }),
  signedIn('/admin/toolbox/[id]', 'Tool', { guard: 'admin' }),
  signedIn('/admin/orders', 'Orders', { guard: 'admin' }),
  signedIn('/admin/orders/prices', 'Prices', { guard: 'admin' }),
  signedIn('/admin/orders/[id]', 'Order', { guard: 'admin' }),
  signedIn('/admin/programs', 'Programs', { guard: 'admin' }),
  signedIn('/admin/programs/[id]', 'Program', { guard: 'admin' }),
  signedIn('/admin/messages', 'Reported messages', { guard: 'admin' }),
  signedIn('/admin/hubspot-sync', 'HubSpot', { guard: 'admin' }),
  signedIn('/admin/wrike-test', 'Wrike', { guard: 'admin' }),
  signedIn('/admin/jobs', 'Background jobs', { guard: 'admin' }),
  signedIn('/admin/toggles', 'Feature toggles', { guard: 'admin' }),
  signedIn('/admin/audit', 'Audit log', { guard: 'admin' }),
];

/** The path of a page, as its row has it. */
export type RoutePath = (typeof table)[number]['path'];

/** Every page. */
export const routes: readonly Route[] = table;

/** Each route with a regular expression for its path. A trailing slash is optional. */
const patterns = routes.map((route) => {
  const path = route.path.replace(PLACE, (_, name: string) => `(?<${name}>${shapeOf(name)})`);
  return { route, pattern: new RegExp(`^${path.replace(/\/$/, '')}/?$`) };
});

/**
 * Finds the route of a path such as `/dashboard/skills/quiz/0198…`. Returns null if none matches,
 * for example because an id is malformed.
 */
export function match(pathname: string): RouteMatch | null {
  for (const { route, pattern } of patterns) {
    const found = pattern.exec(pathname);
    if (found) return { route, params: { ...found.groups } };
  }
  return null;
}

/** A URL of this site if its path has a route without parameters; otherwise null. */
export function hrefIfExists(url: string): string | null {
  return routes.some(({ path }) => path === url.split('?')[0]) ? url : null;
}

/** The path that page views are counted under: the route's pattern, or `unknown`. */
export function placeholderFor(pathname: string): string {
  return match(pathname)?.route.path ?? 'unknown';
}

/** The path as logs may show it: without a secret that's part of it. */
export function pathForLogs(pathname: string): string {
  const found = match(pathname);
  return found?.params.token === undefined ? pathname : found.route.path;
}

/** The page a signed-in person lands on, by role. */
export function homeOf(role: Role): string {
  if (role === 'admin') return '/admin';
  return role === 'coach' ? '/dashboard/coaching' : '/dashboard';
}

/** The error pages, which aren't in the table because nobody opens them by URL. */
export function isErrorPage(pathname: string): boolean {
  return ['/403', '/404', '/500', '/503'].includes(pathname);
}

/**
 * Paths that aren't in the table on purpose: the developers' design page, images, files of tools,
 * today's prices and free places, Astro's own.
 */
export function isOutsideTable(pathname: string): boolean {
  const isFile = ['/image', '/prices.json', '/places.json'].includes(pathname);
  return (
    isFile ||
    pathname.startsWith('/toolbox/files/') ||
    pathname.startsWith('/dev/') ||
    pathname.startsWith('/_')
  );
}
