/**
 * Every page of the product, once: its path, title, layout, guard and how it's rendered. Guards,
 * titles, links, page-view placeholders and tests read this table; a test compares it with the files
 * in `pages/`. navigation.ts says what is linked where.
 */
import type { Role } from '#domain/person.ts';

/** Who may open a page. `home` redirects signed-in people to the page where they work. */
type Guard = 'none' | 'auth' | 'admin' | 'home';
type Layout = 'default' | 'dashboard' | 'signup' | 'quiz';
/** Prerendered with the build, or rendered on demand because the page depends on who opens it. */
type Rendering = 'prerendered' | 'on-demand';

export interface Route {
  /** A path with `[id]` for a UUID and `[slug]` for lower-case words joined by hyphens. */
  path: string;
  title: string;
  layout: Layout;
  guard: Guard;
  rendering: Rendering;
}

/** A row of the table with the parameters of the path. */
export interface RouteMatch {
  route: Route;
  params: Record<string, string>;
}

/** Makes rows of one kind; a row can override what its kind says. */
const rowsOf =
  (rendering: Rendering, layout: Layout, guard: Guard) =>
  (path: string, title: string, row: Partial<Route> = {}): Route => ({
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

/** The table. More exact paths come before the patterns that would also match them. */
export const routes: readonly Route[] = [
  // The public site
  prerendered('/', 'Home', { guard: 'home' }),
  prerendered('/about', 'About'),
  prerendered('/services', 'Services'),
  prerendered('/coaching', 'Coaching'),
  prerendered('/case-studies', 'Case studies'),
  prerendered('/case-studies/[slug]', 'Case study'),
  prerendered('/economic-development', 'Economic development'),
  prerendered('/contact', 'Contact'),
  prerendered('/contact/thanks', 'Your message has arrived'),
  prerendered('/newsletter', 'Newsletter'),
  prerendered('/newsletter/[slug]', 'Newsletter'),
  prerendered('/pricing', 'Pricing'),
  prerendered('/pricing/how-to-buy', 'How to buy'),
  prerendered('/testimonials', 'What owners say'),
  prerendered('/blog', 'Blog'),
  prerendered('/blog/[slug]', 'Article'),
  prerendered('/blog/page/[slug]', 'Articles'),
  prerendered('/blog/tags/[slug]', 'Articles by topic'),
  prerendered('/events', 'Events'),
  prerendered('/events/[slug]', 'Event'),
  prerendered('/releases', 'What’s new'),
  prerendered('/releases/[slug]', 'Update'),
  prerendered('/press-room', 'Press room'),
  prerendered('/press-room/[slug]', 'Announcement'),
  prerendered('/pages/business-skills-quiz', 'A first look at your business skills', {
    layout: 'quiz',
  }),
  prerendered('/engagement-survey', 'Coaching survey'),
  prerendered('/test-chart', 'Charts'),
  prerendered('/pages/[slug]', 'Page'),
  prerendered('/search', 'Search'),
  prerendered('/privacy-policy', 'Privacy policy'),
  prerendered('/accessibility-statement', 'Accessibility statement'),

  // Signing in
  account('/login', 'Sign in'),
  account('/register', 'Create an account'),
  account('/confirm', 'Confirm your email'),
  account('/logout', 'Sign out'),
  account('/recover', 'Forgot your password?', { layout: 'signup' }),
  account('/update-password', 'New password', { layout: 'signup' }),

  // Signed in
  signedIn('/profile', 'Profile'),
  signedIn('/dashboard', 'Dashboard'),
  signedIn('/dashboard/skills', 'Skills'),
  signedIn('/dashboard/skills/quiz', 'Business skills quiz', { layout: 'quiz', guard: 'none' }),
  signedIn('/dashboard/skills/quiz/[id]', 'Business skills quiz', { layout: 'quiz' }),
  signedIn('/dashboard/projects', 'Projects'),
  signedIn('/dashboard/projects/new', 'New project'),
  signedIn('/dashboard/projects/[id]', 'Project'),
  signedIn('/dashboard/messages', 'Messages'),
  signedIn('/dashboard/messages/conversations/[id]', 'Conversation'),
  signedIn('/dashboard/toolbox', 'Toolbox'),
  signedIn('/dashboard/coaching', 'Coaching'),
  signedIn('/dashboard/businesses', 'Businesses'),
  signedIn('/dashboard/businesses/new', 'Add a business'),
  signedIn('/dashboard/businesses/invitation', 'Invitation'),
  signedIn('/dashboard/businesses/[id]', 'Business'),
  signedIn('/dashboard/businesses/[id]/edit', 'Edit a business'),
  signedIn('/dashboard/businesses/[id]/plan', 'One-page plan'),
  signedIn('/dashboard/profile', 'Profile'),

  // Admins
  prerendered('/admin/one-page-business-plan-template', 'One-page business plan template'),
  signedIn('/admin', 'Overview', { guard: 'admin' }),
  signedIn('/admin/messages', 'Reported messages', { guard: 'admin' }),
];

const UUID = '[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}';
const SLUG = '[a-z0-9]+(?:-[a-z0-9]+)*';
const shapeOf = (name: string) => (name === 'slug' ? SLUG : UUID);
const isWhole = (pattern: string, text: string) => new RegExp(`^${pattern}$`).test(text);

/** Whether a text is written like a UUID of any version. */
export const isUuid = (text: string) => isWhole(UUID, text);

const PLACE = /\[(\w+)\]/g;

/** Each row with what its paths look like; a slash at the end makes no difference. */
const patterns = routes.map((route) => {
  const path = route.path.replace(PLACE, (_, name: string) => `(?<${name}>${shapeOf(name)})`);
  return { route, pattern: new RegExp(`^${path.replace(/\/$/, '')}/?$`) };
});

/**
 * Finds the row of a path such as `/dashboard/skills/quiz/0198…`.
 * Gives null where no row fits, a malformed id included.
 */
export function match(pathname: string): RouteMatch | null {
  for (const { route, pattern } of patterns) {
    const found = pattern.exec(pathname);
    if (found) return { route, params: { ...found.groups } };
  }
  return null;
}

/**
 * Writes the address of a page: `hrefFor('/dashboard/skills/quiz/[id]', { id })`.
 * Throws if the table has no such path or a value doesn't fit its place: a bug, not a state.
 */
export function hrefFor(path: string, params: RouteMatch['params'] = {}): string {
  if (!routes.some((route) => route.path === path)) throw new Error(`No route ${path}`);
  return path.replace(PLACE, (_, name: string) => {
    const value = params[name] ?? '';
    if (!isWhole(shapeOf(name), value)) throw new Error(`"${value}" is no ${name} for ${path}`);
    return value;
  });
}

/** What a page view is counted as: the path with its values replaced, or `unknown`. */
export function placeholderFor(pathname: string): string {
  return match(pathname)?.route.path ?? 'unknown';
}

/** Where a signed-in person lands: the page their role works on. */
export function homeOf(role: Role): string {
  if (role === 'admin') return '/admin';
  return role === 'coach' ? '/dashboard/coaching' : '/dashboard';
}

/** The error pages; they have no row because they aren't opened by their address. */
export function isErrorPage(pathname: string): boolean {
  return ['/403', '/404', '/500', '/503'].includes(pathname);
}

/** Addresses that aren't pages for people: the developers' design page, pictures, Astro's own. */
export function isOutsideTable(pathname: string): boolean {
  return pathname.startsWith('/dev/') || pathname.startsWith('/_') || pathname === '/image';
}
