/** Whether feed readers, search engines and those who report a weakness find what is promised. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { match } from '#lib/routes.ts';
import { all, isPublicPage, ownPath, type Site, wordsOf } from './built-site.ts';

type Xml = Record<string, unknown>;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  isArray: (name) => ['item', 'url', 'sitemap', 'category'].includes(name),
});

const NOT_XML = 'is no well-formed XML';

/** A file of XML as an object; null where it is none. */
function readXml(site: Site, file: string): Xml | null {
  const text = site.files.has(file) ? site.read(file).toString() : '';
  return XMLValidator.validate(text) === true ? (parser.parse(text) as Xml) : null;
}

const inside = (xml: unknown, name: string) =>
  (typeof xml === 'object' && xml !== null ? Reflect.get(xml, name) : undefined) as Xml | undefined;
const listOf = (xml: unknown, name: string) => {
  const found: unknown = inside(xml, name);
  return Array.isArray(found) ? (found as Xml[]) : [];
};
const text = (xml: unknown, name: string) => {
  const value: unknown = inside(xml, name);
  return typeof value === 'string' ? value : '';
};

/** A date as RFC 822 has it, with the year in four digits as RSS 2.0 prefers. */
const RFC_822 =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} (GMT|[+-]\d{4})$/;

/** Whether a date is written so, and its weekday is the day's own. */
function isRfc822(date: string): boolean {
  const time = Date.parse(date);
  if (!RFC_822.test(date) || Number.isNaN(time)) return false;
  return !date.endsWith('GMT') || new Date(time).toUTCString() === date;
}

/** Marks or references that are left in a text after it has been read as XML. */
const LEFT_OVER = /<\/?[a-z][^>]*>|&(amp|lt|gt|quot|#\w+);/i;

/** What is wrong with the feed. https://www.rssboard.org/rss-specification */
export function rssDefects(site: Site, file = '/rss.xml'): string[] {
  const xml = readXml(site, file);
  if (!xml) return [`${file} ${NOT_XML}`];
  const defects: string[] = [];
  const say = (defect: string) => defects.push(`${file}: ${defect}`);
  const rss = inside(xml, 'rss');
  const channel = inside(rss, 'channel');
  if (text(rss, '@version') !== '2.0') say('is no RSS 2.0');
  for (const name of ['title', 'link', 'description', 'language']) {
    if (!text(channel, name)) say(`the channel has no ${name}`);
  }
  if (ownPath(site, text(channel, 'link')) !== '/') say('the channel does not lead to this site');
  const self = inside(channel, 'atom:link');
  if (text(self, '@rel') !== 'self' || text(self, '@href') !== new URL(file, site.origin).href) {
    say('atom:link does not name the feed itself');
  }
  if (text(self, '@type') !== 'application/rss+xml') say('atom:link has another type');

  const items = listOf(channel, 'item');
  if (items.length === 0) say('has nothing in it');
  const ids = new Set<string>();
  let before = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const [title, link, id, date] = ['title', 'link', 'guid', 'pubDate'].map((name) =>
      text(item, name),
    ) as [string, string, string, string];
    const guid = inside(item, 'guid');
    const permanent = id || text(guid, '#text');
    const named = `“${title || link}”`;
    for (const name of ['title', 'description']) {
      const words = text(item, name);
      if (!words) say(`${named} has no ${name}`);
      else if (LEFT_OVER.test(words)) say(`${named} has marks in its ${name}: ${words}`);
    }
    if (!isPublicPage(site, link)) say(`${named} leads to ${link}, which is no page`);
    if (ids.has(permanent)) say(`${named} has the guid of another: ${permanent}`);
    ids.add(permanent);
    if (text(guid, '@isPermaLink') !== 'false' && permanent !== link) {
      say(`${named} has a guid that is no lasting address: ${permanent}`);
    }
    if (!isRfc822(date)) say(`${named} has a date that RFC 822 does not know: ${date}`);
    const time = Date.parse(date);
    if (time > before) say(`${named} is newer than the one before it`);
    if (time > Date.now()) say(`${named} is of a day to come: ${date}`);
    before = time;
    const page = site.pages.get(ownPath(site, link) ?? '');
    const headings = page ? all(page, 'h1').map(wordsOf) : [];
    if (page && !headings.includes(title)) say(`${named} has another title on its page`);
  }
  return defects;
}

/** Articles that the feed, which holds so many, should have. */
export function leftOutOfFeed(site: Site, size: number, file = '/rss.xml'): string[] {
  const channel = inside(inside(readXml(site, file), 'rss'), 'channel');
  const links = new Set(listOf(channel, 'item').map((item) => ownPath(site, text(item, 'link'))));
  const articles = [...site.pages.values()].filter(
    ({ path, hidden }) => !hidden && match(path)?.route.path === '/blog/[slug]',
  );
  if (links.size >= Math.min(size, articles.length)) return [];
  return articles.filter(({ path }) => !links.has(path)).map(({ file }) => `${file} is not in it`);
}

/** A day, or a time with its zone. https://www.w3.org/TR/NOTE-datetime */
const W3C_DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** What is wrong with the site maps. https://www.sitemaps.org/protocol.html */
export function siteMapDefects(site: Site, file = '/sitemap-index.xml'): string[] {
  const index = readXml(site, file);
  if (!index) return [`${file} ${NOT_XML}`];
  const defects: string[] = [];
  const listed = new Set<string>();
  const maps = listOf(inside(index, 'sitemapindex'), 'sitemap');
  if (maps.length === 0) defects.push(`${file}: names no site map`);
  for (const entry of maps) {
    const map = ownPath(site, text(entry, 'loc')) ?? '';
    const xml = readXml(site, map);
    if (!xml) {
      defects.push(`${file}: ${text(entry, 'loc')} ${NOT_XML}`);
      continue;
    }
    for (const each of [entry, ...listOf(inside(xml, 'urlset'), 'url')]) {
      const changed: unknown = inside(each, 'lastmod');
      if (changed === undefined) continue;
      const time = Date.parse(String(changed));
      if (!W3C_DATE.test(String(changed)) || !(time <= Date.now())) {
        defects.push(
          `${map}: ${text(each, 'loc')} was changed on ${changed}, which is no day past`,
        );
      }
    }
    for (const url of listOf(inside(xml, 'urlset'), 'url')) {
      const address = text(url, 'loc');
      if (!isPublicPage(site, address)) defects.push(`${map}: ${address} is no page to be found`);
      if (listed.has(address)) defects.push(`${map}: ${address} stands there twice`);
      listed.add(address);
    }
  }
  for (const page of site.pages.values()) {
    const address = new URL(page.path, site.origin).href;
    if (!page.hidden && !listed.has(address)) defects.push(`${page.file} is in no site map`);
  }
  return defects;
}

/** What is wrong with what crawlers are told. https://www.rfc-editor.org/rfc/rfc9309 */
export function robotsDefects(site: Site, file = '/robots.txt'): string[] {
  if (!site.files.has(file)) return [`${file} is not there`];
  const lines = site.read(file).toString().split('\n');
  const defects = lines
    .filter((line) => line && !/^(#.*|(User-agent|Allow|Disallow|Sitemap): \S+)$/.test(line))
    .map((line) => `${file}: is not understood: ${line}`);
  const maps = lines.flatMap((line) => /^Sitemap: (.+)$/.exec(line)?.[1] ?? []);
  if (!maps.some((map) => site.files.has(ownPath(site, map) ?? ''))) {
    defects.push(`${file}: names no site map that is there`);
  }
  const named = (word: string, path: string) =>
    lines
      .flatMap((line) => new RegExp(`^${word}: (\\S+)$`).exec(line)?.[1] ?? [])
      .filter((each) => path.startsWith(each))
      .reduce((longest, each) => (each.length > longest.length ? each : longest), '');
  for (const { path, hidden } of site.pages.values()) {
    const by = named('Disallow', path);
    // The longest rule counts, and of two as long the one that allows.
    if (!hidden && by.length > named('Allow', path).length)
      defects.push(`${file}: Disallow: ${by} keeps crawlers from ${path}`);
  }
  return defects;
}

const YEAR_MS = 366 * 24 * 3_600_000;

/** What is wrong with where a weakness is reported. https://www.rfc-editor.org/rfc/rfc9116 */
export function securityDefects(
  site: Site,
  now = new Date(),
  file = '/.well-known/security.txt',
): string[] {
  if (!site.files.has(file)) return [`${file} is not there`];
  const fields = site
    .read(file)
    .toString()
    .split(/\r?\n/)
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => /^([A-Za-z-]+): (.+)$/.exec(line)?.slice(1) ?? [line]);
  const valuesOf = (name: string) =>
    fields.filter(([each = '']) => each.toLowerCase() === name).map(([, value = '']) => value);
  const defects = fields
    .filter(([, value]) => value === undefined)
    .map(([line]) => `${file}: is no field: ${line}`);
  const contacts = valuesOf('contact');
  if (contacts.length === 0) defects.push(`${file}: has no Contact`);
  for (const contact of contacts) {
    if (!/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+|tel:\+?[\d-]+)$/.test(contact)) {
      defects.push(`${file}: Contact is no address: ${contact}`);
    }
  }
  const [expires = '', second] = valuesOf('expires');
  const time = Date.parse(expires);
  if (second !== undefined) defects.push(`${file}: has two Expires`);
  if (!/^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(expires) || Number.isNaN(time)) {
    defects.push(`${file}: Expires is no time of RFC 3339: ${expires}`);
  } else if (time <= now.getTime() || time > now.getTime() + YEAR_MS) {
    defects.push(`${file}: Expires is over, or more than a year ahead: ${expires}`);
  }
  const own = new URL(file, site.origin).href;
  const canonical = valuesOf('canonical');
  if (canonical.length > 0 && !canonical.includes(own)) {
    defects.push(`${file}: Canonical does not name it: ${canonical.join(' ')}`);
  }
  return defects;
}
