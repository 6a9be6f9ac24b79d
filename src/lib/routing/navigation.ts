/** The links of each navigation, in order. */
import type { Role } from '#domain/person.ts';
import { routes } from './routes.ts';

export interface NavLink {
  href: string;
  label: string;
}

/** Links by path, some with a label other than the page title. Throws if a path is unknown. */
const linksTo = (...pages: (string | readonly [path: string, label: string])[]): NavLink[] =>
  pages.map((page) => {
    const [href, label] = typeof page === 'string' ? [page] : page;
    const route = routes.find(({ path }) => path === href);
    if (!route) throw new Error(`No route ${href}`);
    return { href, label: label ?? route.title };
  });

/** At most six. */
export const headerLinks = linksTo(
  '/services',
  '/coaching',
  '/case-studies',
  '/pricing',
  '/blog',
  '/events',
);

export const footerGroups = [
  {
    name: 'Get help',
    links: linksTo('/services', '/coaching', '/pricing', '/pricing/how-to-buy', '/events', [
      '/pages/business-skills-quiz',
      'Skills quiz',
    ]),
  },
  {
    name: 'Read',
    links: linksTo(
      '/case-studies',
      '/toolbox',
      '/newsletter',
      '/testimonials',
      '/blog',
      '/releases',
      '/search',
    ),
  },
  {
    name: 'About us',
    links: linksTo(
      '/about',
      ['/economic-development', 'For organizations'],
      '/contact',
      '/press-room',
    ),
  },
] as const;

/** The last line of the footer. */
export const legalLinks = linksTo('/privacy-policy', ['/accessibility-statement', 'Accessibility']);

/** For signed-in people: each role's main page comes first. */
export const dashboardLinks: Record<Role, NavLink[]> = {
  owner: linksTo(
    ['/dashboard', 'Home'],
    '/dashboard/skills',
    '/dashboard/projects',
    '/dashboard/messages',
    '/dashboard/toolbox',
    '/dashboard/coaching',
    '/dashboard/businesses',
    '/dashboard/orders',
  ),
  coach: linksTo(
    ['/dashboard', 'Today'],
    ['/dashboard/coaching', 'Clients'],
    '/dashboard/projects',
    '/dashboard/messages',
    '/dashboard/toolbox',
    '/dashboard/businesses',
  ),
  admin: linksTo('/dashboard/messages', '/dashboard/toolbox'),
};

/** The sections of the skills page. */
export const skillsSections = linksTo(
  ['/dashboard/skills', 'Now'],
  ['/dashboard/skills/over-time', 'Over time'],
  ['/dashboard/skills/compared', 'Compared'],
  ['/dashboard/skills/sharing', 'Sharing'],
);

/** The sections of the profile, with labels that fit on one line of a phone. */
export const profileSections = linksTo(
  ['/dashboard/profile', 'About you'],
  ['/dashboard/profile/security', 'Sign-in'],
  ['/dashboard/profile/notifications', 'Notifications'],
  ['/dashboard/profile/sharing', 'Privacy'],
  ['/dashboard/profile/data', 'Data'],
);

/** For people who sponsor a program or have a seat in one, whatever their role. */
export const programLinks = linksTo('/dashboard/programs');

export const adminLinks = linksTo(
  '/admin',
  '/admin/people',
  '/admin/businesses',
  '/admin/coaching',
  '/admin/engagement-results',
  '/admin/projects',
  '/admin/quiz',
  '/admin/toolbox',
  '/admin/orders',
  '/admin/programs',
  '/admin/contacts-summary',
  '/admin/events',
  '/admin/newsletter',
  '/admin/hubspot-sync',
  '/admin/wrike-test',
  '/admin/messages',
  '/admin/jobs',
  '/admin/toggles',
  '/admin/audit',
);

/** What the command menu leads to beside the menus' own links, by role. */
const commandLinks: Record<Role, NavLink[]> = {
  owner: linksTo(
    ['/dashboard/skills/quiz', 'Take the skills quiz'],
    '/dashboard/skills/over-time',
    '/dashboard/skills/compared',
    '/dashboard/projects/new',
    '/dashboard/businesses/new',
    '/dashboard/orders/new',
  ),
  coach: linksTo(['/dashboard/coaching/settings', 'Profile and time off']),
  admin: linksTo('/admin/import', ['/admin/orders/prices', 'Prices']),
};

/** The profile's pages in the command menu, which has room for their whole names. */
const profilePages = linksTo(
  '/dashboard/profile',
  '/dashboard/profile/security',
  ['/dashboard/profile/notifications', 'Notifications'],
  '/dashboard/profile/sharing',
  '/dashboard/profile/data',
);

/**
 * Every page that the command menu can open without searching, in the order of the menus. A label
 * that two pages share is told apart by where the second one is.
 * @param hasPrograms whether the person sponsors a program or has a seat in one
 */
export function commandPages(role: Role, hasPrograms: boolean): NavLink[] {
  const pages = [
    ...dashboardLinks[role],
    ...(hasPrograms ? programLinks : []),
    ...(role === 'admin' ? adminLinks : []),
    ...commandLinks[role],
    ...linksTo('/dashboard/notifications'),
    ...profilePages,
  ];
  const seen = new Set<string>();
  return pages.map((link) => {
    const area = link.href.startsWith('/dashboard/profile/') ? 'Profile' : 'Admin';
    const label = seen.has(link.label) ? `${area}: ${link.label}` : link.label;
    seen.add(label);
    return { ...link, label };
  });
}
