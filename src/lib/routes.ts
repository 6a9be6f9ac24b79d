/**
 * Every page of the product, once: its path, title, layout, guard, how it's rendered and where the
 * navigation shows it. Guards, titles, links, page-view placeholders and tests read this table; a
 * test compares it with the files in `pages/`.
 */
import type { Role } from '#domain/person.ts';

/** Who may open a page. `home` redirects signed-in people to the page where they work. */
type Guard = 'none' | 'auth' | 'admin' | 'home';
type Layout = 'default' | 'dashboard' | 'signup' | 'quiz';
/** Prerendered with the build, or rendered on demand because the page depends on who opens it. */
type Rendering = 'prerendered' | 'on-demand';
export type NavPlace = 'header' | 'footer' | 'dashboard' | 'admin';

/** The headings of the footer, in order. */
export const footerGroups = ['Get help', 'Read', 'About us'] as const;
type FooterGroup = (typeof footerGroups)[number];

interface NavEntry {
  place: NavPlace;
  /** The words of the link; by default the title of the page. */
  label?: string;
  /** Shown to these roles only; by default to everyone. */
  roles?: Role[];
  /** Its heading in the footer; by default it's in the last line. */
  group?: FooterGroup;
}

export interface Route {
  /** A path with `[id]` for a UUID and `[slug]` for lower-case words joined by hyphens. */
  path: string;
  title: string;
  layout: Layout;
  guard: Guard;
  rendering: Rendering;
  nav?: NavEntry[];
}

export type RouteParams = Record<string, string>;

/** A row of the table with the parameters of the path. */
export interface RouteMatch {
  route: Route;
  params: RouteParams;
}

type Row = Omit<Route, 'layout' | 'guard' | 'rendering'>;

const prerendered = (row: Row & Partial<Route>): Route => ({
  layout: 'default',
  guard: 'none',
  rendering: 'prerendered',
  ...row,
});
const account = (row: Row & Partial<Route>): Route => ({
  layout: 'default',
  guard: 'none',
  rendering: 'on-demand',
  ...row,
});
const signedIn = (row: Row & Partial<Route>): Route => ({
  layout: 'dashboard',
  guard: 'auth',
  rendering: 'on-demand',
  ...row,
});

/** The table. More exact paths come before the patterns that would also match them. */
export const routes: readonly Route[] = [
  // The public site
  prerendered({ path: '/', title: 'Home', guard: 'home' }),
  prerendered({ path: '/about', title: 'About', nav: [{ place: 'footer', group: 'About us' }] }),
  prerendered({
    path: '/services',
    title: 'Services',
    nav: [{ place: 'header' }, { place: 'footer', group: 'Get help' }],
  }),
  prerendered({
    path: '/coaching',
    title: 'Coaching',
    nav: [{ place: 'header' }, { place: 'footer', group: 'Get help' }],
  }),
  prerendered({
    path: '/case-studies',
    title: 'Case studies',
    nav: [{ place: 'header' }, { place: 'footer', group: 'Read' }],
  }),
  prerendered({ path: '/case-studies/[slug]', title: 'Case study' }),
  prerendered({
    path: '/economic-development',
    title: 'Economic development',
    nav: [{ place: 'footer', group: 'About us', label: 'For organizations' }],
  }),
  prerendered({
    path: '/contact',
    title: 'Contact',
    nav: [{ place: 'footer', group: 'About us' }],
  }),
  prerendered({ path: '/contact/thanks', title: 'Your message has arrived' }),
  prerendered({
    path: '/newsletter',
    title: 'Newsletter',
    nav: [{ place: 'footer', group: 'Read' }],
  }),
  prerendered({ path: '/newsletter/[slug]', title: 'Newsletter' }),
  prerendered({
    path: '/pricing',
    title: 'Pricing',
    nav: [{ place: 'header' }, { place: 'footer', group: 'Get help' }],
  }),
  prerendered({
    path: '/pricing/how-to-buy',
    title: 'How to buy',
    nav: [{ place: 'footer', group: 'Get help' }],
  }),
  prerendered({
    path: '/testimonials',
    title: 'What owners say',
    nav: [{ place: 'footer', group: 'Read' }],
  }),
  prerendered({
    path: '/blog',
    title: 'Blog',
    nav: [{ place: 'header' }, { place: 'footer', group: 'Read' }],
  }),
  prerendered({ path: '/blog/[slug]', title: 'Article' }),
  prerendered({ path: '/blog/page/[slug]', title: 'Articles' }),
  prerendered({ path: '/blog/tags/[slug]', title: 'Articles by subject' }),
  prerendered({
    path: '/events',
    title: 'Events',
    nav: [{ place: 'header' }, { place: 'footer', group: 'Get help' }],
  }),
  prerendered({ path: '/events/[slug]', title: 'Event' }),
  prerendered({ path: '/releases', title: 'Releases', nav: [{ place: 'footer', group: 'Read' }] }),
  prerendered({ path: '/releases/[slug]', title: 'Release' }),
  prerendered({
    path: '/press-room',
    title: 'Press room',
    nav: [{ place: 'footer', group: 'About us' }],
  }),
  prerendered({ path: '/press-room/[slug]', title: 'Announcement' }),
  prerendered({
    path: '/pages/business-skills-quiz',
    title: 'A first look at your business skills',
    layout: 'quiz',
    nav: [{ place: 'footer', group: 'Get help', label: 'Skills quiz' }],
  }),
  prerendered({ path: '/engagement-survey', title: 'Engagement survey' }),
  prerendered({ path: '/test-chart', title: 'Charts' }),
  prerendered({ path: '/pages/[slug]', title: 'Page' }),
  prerendered({ path: '/search', title: 'Search', nav: [{ place: 'footer', group: 'Read' }] }),
  prerendered({ path: '/privacy-policy', title: 'Privacy policy', nav: [{ place: 'footer' }] }),
  prerendered({
    path: '/accessibility-statement',
    title: 'Accessibility statement',
    nav: [{ place: 'footer', label: 'Accessibility' }],
  }),

  // Signing in
  account({ path: '/login', title: 'Sign in' }),
  account({ path: '/register', title: 'Create an account' }),
  account({ path: '/confirm', title: 'Confirm your address' }),
  account({ path: '/logout', title: 'Sign out' }),
  account({ path: '/recover', title: 'Forgotten password', layout: 'signup' }),
  account({ path: '/update-password', title: 'New password', layout: 'signup' }),

  // Signed in
  signedIn({ path: '/profile', title: 'Profile' }),
  signedIn({
    path: '/dashboard',
    title: 'Dashboard',
    nav: [{ place: 'dashboard', label: 'Home', roles: ['owner'] }],
  }),
  signedIn({
    path: '/dashboard/skills',
    title: 'Skills',
    nav: [{ place: 'dashboard', roles: ['owner'] }],
  }),
  signedIn({
    path: '/dashboard/skills/quiz',
    title: 'Business skills quiz',
    layout: 'quiz',
    guard: 'none',
  }),
  signedIn({ path: '/dashboard/skills/quiz/[id]', title: 'Business skills quiz', layout: 'quiz' }),
  signedIn({
    path: '/dashboard/projects',
    title: 'Projects',
    nav: [{ place: 'dashboard', roles: ['owner', 'coach'] }],
  }),
  signedIn({ path: '/dashboard/projects/new', title: 'New project' }),
  signedIn({ path: '/dashboard/projects/[id]', title: 'Project' }),
  signedIn({ path: '/dashboard/messages', title: 'Messages', nav: [{ place: 'dashboard' }] }),
  signedIn({ path: '/dashboard/messages/conversations/[id]', title: 'Conversation' }),
  signedIn({ path: '/dashboard/toolbox', title: 'Toolbox', nav: [{ place: 'dashboard' }] }),
  signedIn({
    path: '/dashboard/coaching',
    title: 'Coaching',
    nav: [
      { place: 'dashboard', roles: ['owner'] },
      { place: 'dashboard', roles: ['coach'], label: 'Clients' },
    ],
  }),
  signedIn({
    path: '/dashboard/businesses',
    title: 'Businesses',
    nav: [{ place: 'dashboard', roles: ['owner', 'coach'] }],
  }),
  signedIn({ path: '/dashboard/businesses/new', title: 'Add a business' }),
  signedIn({ path: '/dashboard/businesses/invitation', title: 'Invitation' }),
  signedIn({ path: '/dashboard/businesses/[id]', title: 'Business' }),
  signedIn({ path: '/dashboard/businesses/[id]/edit', title: 'Edit a business' }),
  signedIn({ path: '/dashboard/businesses/[id]/plan', title: 'One-page plan' }),
  signedIn({ path: '/dashboard/profile', title: 'Profile' }),

  // Admins
  prerendered({
    path: '/admin/one-page-business-plan-template',
    title: 'One-page business plan: a blank to print',
  }),
  signedIn({
    path: '/admin',
    title: 'Overview',
    guard: 'admin',
    nav: [{ place: 'admin', roles: ['admin'] }],
  }),
  signedIn({
    path: '/admin/messages',
    title: 'Reported messages',
    guard: 'admin',
    nav: [{ place: 'admin', roles: ['admin'] }],
  }),
];

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Whether a text is written like a UUID of any version. */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}

const fits = (name: string, value: string) => (name === 'slug' ? SLUG : UUID).test(value);

/** The parts of a path; a slash at the end does not count. */
const partsOf = (pathname: string) => pathname.replace(/^\//, '').replace(/\/$/, '').split('/');

function paramsOf(route: Route, parts: string[]): RouteParams | null {
  const pattern = partsOf(route.path);
  if (pattern.length !== parts.length) return null;
  const params: RouteParams = {};
  for (const [index, expected] of pattern.entries()) {
    const part = parts[index] ?? '';
    const name = /^\[(\w+)\]$/.exec(expected)?.[1];
    if (name === undefined) {
      if (part !== expected) return null;
    } else if (fits(name, part)) {
      params[name] = part;
    } else {
      return null;
    }
  }
  return params;
}

/**
 * Finds the row of a path such as `/dashboard/skills/quiz/0198…`.
 * Gives null where no row fits, a malformed id included.
 */
export function match(pathname: string): RouteMatch | null {
  const parts = partsOf(pathname);
  for (const route of routes) {
    const params = paramsOf(route, parts);
    if (params !== null) return { route, params };
  }
  return null;
}

/**
 * Writes the address of a page: `hrefFor('/dashboard/skills/quiz/[id]', { id })`.
 * Throws where the table has no such path or a value does not fit its place: a bug, not a state.
 */
export function hrefFor(path: string, params: RouteParams = {}): string {
  if (!routes.some((route) => route.path === path)) throw new Error(`No route ${path}`);
  return path.replace(/\[(\w+)\]/g, (_, name: string) => {
    const value = params[name] ?? '';
    if (!fits(name, value)) throw new Error(`"${value}" is no ${name} for ${path}`);
    return value;
  });
}

/** What a page view is counted as: the path with its values replaced, or `unknown`. */
export function placeholderFor(pathname: string): string {
  return match(pathname)?.route.path ?? 'unknown';
}

export interface NavLink {
  href: string;
  label: string;
  group?: FooterGroup | undefined;
}

/**
 * The links of one navigation in the order of the table, in that of the signed-in pages behind the
 * one on which the role works; `role` leaves out what others see.
 */
export function navLinks(place: NavPlace, role?: Role): NavLink[] {
  const links = routes.flatMap((route) =>
    (route.nav ?? [])
      .filter((entry) => entry.place === place)
      .filter((entry) => !entry.roles || (role !== undefined && entry.roles.includes(role)))
      .map((entry) => ({
        href: route.path,
        label: entry.label ?? route.title,
        group: entry.group,
      })),
  );
  const home = role && homeOf(role);
  return links.toSorted((a, b) => Number(b.href === home) - Number(a.href === home));
}

/** Where a signed-in person lands: the page on which their role works. */
export function homeOf(role: Role): string {
  if (role === 'admin') return '/admin';
  return role === 'coach' ? '/dashboard/coaching' : '/dashboard';
}

/** The error pages; they have no row because they aren't opened by their address. */
export function isErrorPage(pathname: string): boolean {
  return ['/403', '/404', '/500', '/503'].includes(pathname);
}

/** Addresses that are no pages for people: the design page of a workshop, pictures, Astro's own. */
export function isOutsideTable(pathname: string): boolean {
  return pathname.startsWith('/dev/') || pathname.startsWith('/_') || pathname === '/image';
}
