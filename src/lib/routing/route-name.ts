import { routes } from './routes.ts';

/** Which of several pages with one title a page is, by how its path starts. */
const PARTS = [
  ['/dashboard', 'signed in'],
  ['/admin', 'admin'],
] as const;

/** How many pages have each title. */
const counts = new Map<string, number>();
for (const { title } of routes) counts.set(title, (counts.get(title) ?? 0) + 1);

/**
 * A route as people read it: `/about` is "About", `/blog/[slug]` is "Article (/blog/…)". Pages that
 * share a title are told apart: `/dashboard/toolbox` is "Toolbox (signed in)". An empty route is all
 * pages, and "unknown" those that don't exist.
 */
export function routeName(route: string): string {
  if (route === '') return 'All pages';
  if (route === 'unknown') return 'Addresses that don’t exist';
  const title = routes.find(({ path }) => path === route)?.title ?? route;
  if (route.startsWith('/[language]')) return `${title} in another language`;
  if (route.includes('[')) return `${title} (${route.replace(/\[\w+\]/g, '…')})`;
  const part = PARTS.find(([start]) => route.startsWith(start))?.[1];
  return part && (counts.get(title) ?? 0) > 1 ? `${title} (${part})` : title;
}
