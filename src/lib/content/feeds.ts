/** Content for machines: the feed, robots.txt, security.txt and plain text. */
import { newestFirst, type Published } from './publishing.ts';
import type { Site } from './site.ts';

/** How many articles the feed has. Feed readers poll it often and keep what they've seen. */
export const FEED_SIZE = 50;

interface Told extends Published {
  data: Published['data'] & { description: string };
}

/** The feed's entries, newest first. */
export function feedItems<T extends Told>(articles: readonly T[]) {
  return newestFirst(articles)
    .slice(0, FEED_SIZE)
    .map(({ id, data }) => ({
      title: data.title,
      link: `/blog/${id}`,
      description: data.description,
      pubDate: new Date(`${data.published_on}T00:00:00Z`),
      categories: data.tags,
    }));
}

/** robots.txt: everything public may be crawled. https://www.rfc-editor.org/rfc/rfc9309 */
export function robots(site: Pick<Site, 'url'>): string {
  return [
    'User-agent: *',
    'Allow: /',
    // The only public page below /admin. The longer rule wins (RFC 9309).
    'Allow: /admin/one-page-business-plan-template',
    ...['/dashboard', '/admin', '/functions'].map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${new URL('/sitemap-index.xml', site.url).href}`,
    '',
  ].join('\n');
}

const MONTHS = 11;

/** security.txt. RFC 9116 recommends an expiry of less than a year. */
export function securityText(site: Pick<Site, 'url' | 'email'>, now: Date): string {
  // Counts from the 1st, because counting months from the 31st could skip one.
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + MONTHS, 1));
  return [
    `Contact: mailto:${site.email}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${new URL('/.well-known/security.txt', site.url).href}`,
    '',
  ].join('\n');
}

const HEADING = /^(#{2,4})\s+(.+?)\s*$/gm;

/** Looks up a dotted path such as `address.city` in the site's data. */
function siteWords(site: object, place: string): string {
  let value: unknown = site;
  for (const name of place.split('.')) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  }
  return String(value ?? '');
}

const withoutMarks = (markdown: string, site: object) =>
  withoutMarksInLine(markdown.replace(/^\s*(?:#{1,6}|>|[-*+]|\d+\.)\s+/gm, ''), site);

/** Strips inline markup only, since a heading may start with what looks like a list number. */
const withoutMarksInLine = (markdown: string, site: object) =>
  markdown
    .replace(/\{props\.site\.([\w.]+)[^{}]*\}/g, (_, place: string) => siteWords(site, place))
    .replace(/\{[^{}]*\}/g, ' ')
    .replace(/<\/?[A-Za-z](?:"[^"]*"|'[^']*'|[^"'>])*>/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*\|?(?:\s*:?-{3,}:?\s*\|?)+\s*$/gm, '')
    .replace(/[*`|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The plain text of an MDX file, without markup, components and link targets, and its headings. */
export function plainWords(mdx: string, site: object) {
  const headings = [...mdx.matchAll(HEADING)].map(([, marks = '', text = '']) => ({
    depth: marks.length,
    text: withoutMarksInLine(text, site),
  }));
  return { headings, words: withoutMarks(mdx, site) };
}

/** The base path of each collection with one page per entry. */
const FOLDERS = {
  blog: '/blog',
  'case-studies': '/case-studies',
  toolbox: '/toolbox',
  pages: '/pages',
  releases: '/releases',
  events: '/events',
  press: '/press-room',
  standing: '',
} as const;

export type PagedCollection = keyof typeof FOLDERS;
export const pagedCollections = Object.keys(FOLDERS) as PagedCollection[];

/** Standing pages below another page: `pricing-how-to-buy` is /pricing/how-to-buy. */
const BELOW = /^(admin|contact|engagement-survey|events|newsletter|pricing)-/;

/** The path of an entry's page. */
export function pathOf(collection: PagedCollection, id: string): string {
  const name = collection === 'standing' ? id.replace(BELOW, '$1/') : id;
  return `${FOLDERS[collection]}/${name}`;
}
