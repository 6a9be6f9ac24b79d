/** What the site tells feed readers, search engines and other machines, apart from its pages. */
import { newestFirst, type Published } from './publishing.ts';
import type { Site } from './site.ts';

/** So many articles are in the feed; readers ask for it often and keep what they have seen. */
export const FEED_SIZE = 50;

interface Told extends Published {
  data: Published['data'] & { description: string };
}

/** The entries of the feed, the newest first. */
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

/** What crawlers may read: everything that is public. https://www.rfc-editor.org/rfc/rfc9309 */
export function robots(site: Pick<Site, 'url'>): string {
  return [
    'User-agent: *',
    'Allow: /',
    // The one page below /admin that is for everybody: the longer rule wins (RFC 9309).
    'Allow: /admin/one-page-business-plan-template',
    ...['/dashboard', '/admin', '/functions'].map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${new URL('/sitemap-index.xml', site.url).href}`,
    '',
  ].join('\n');
}

const MONTHS = 11;

/** Where to report a weakness; valid for less than a year, as RFC 9116 asks. */
export function securityText(site: Pick<Site, 'url' | 'email'>, now: Date): string {
  // From the first of the month, so that no month is skipped on its 31st.
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

/** The words at `address.city` of the site's own. */
function siteWords(site: object, place: string): string {
  let value: unknown = site;
  for (const name of place.split('.')) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  }
  return String(value ?? '');
}

const withoutMarks = (markdown: string, site: object) =>
  withoutMarksInLine(markdown.replace(/^\s*(?:#{1,6}|>|[-*+]|\d+\.)\s+/gm, ''), site);

/** As above, of what is no list: a heading may begin with a number. */
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

/** Words written in MDX, as they read without marks, drawings and links; and their headings. */
export function plainWords(mdx: string, site: object) {
  const headings = [...mdx.matchAll(HEADING)].map(([, marks = '', text = '']) => ({
    depth: marks.length,
    text: withoutMarksInLine(text, site),
  }));
  return { headings, words: withoutMarks(mdx, site) };
}

/** The path of each collection that has a page for each entry. */
const FOLDERS = {
  blog: '/blog',
  'case-studies': '/case-studies',
  pages: '/pages',
  releases: '/releases',
  events: '/events',
  press: '/press-room',
  standing: '',
} as const;

export type PagedCollection = keyof typeof FOLDERS;
export const pagedCollections = Object.keys(FOLDERS) as PagedCollection[];

/** Standing pages below another one: `pricing-how-to-buy` is /pricing/how-to-buy. */
const BELOW = /^(admin|contact|newsletter|pricing)-/;

/** The path of an entry's page. */
export function pathOf(collection: PagedCollection, id: string): string {
  const name = collection === 'standing' ? id.replace(BELOW, '$1/') : id;
  return `${FOLDERS[collection]}/${name}`;
}
