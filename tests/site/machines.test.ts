import { XMLParser } from 'fast-xml-parser';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { TRANSLATIONS } from '#domain/language.ts';
import { FEED_SIZE } from '#lib/content/feeds.ts';
import { isErrorPage, match } from '#lib/routing/routes.ts';
import {
  all,
  builtSite,
  isPublicPage,
  leadsSomewhere,
  one,
  ownPath,
  type Page,
  shownWords,
  wordsOf,
} from './built-site.ts';

const site = await builtSite();
const pages = [...site.pages.values()];
const publicPages = pages.filter(({ hidden }) => !hidden);
const read = (file: string) => site.read(file).toString();
const json = (file: string) => JSON.parse(read(file));
const filesOf = (ending: string) => [...site.files].filter((file) => file.endsWith(ending));

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  isArray: (name) => ['item', 'url', 'sitemap'].includes(name),
});
/** @throws if the file isn't well-formed */
const xml = (file: string) => parser.parse(read(file), true);

test('The feed has the newest articles under the titles of their pages, and names itself', () => {
  const { channel } = xml('/rss.xml').rss;
  expect(channel).toMatchObject({
    title: expect.any(String),
    link: expect.stringContaining(site.origin),
    language: 'en-us',
    'atom:link': { '@_rel': 'self', '@_href': `${site.origin}/rss.xml` },
  });
  const items: { title: string; link: string; description: string; pubDate: string }[] =
    channel.item;
  const articles = publicPages.filter(({ path }) => match(path)?.route.path === '/blog/[slug]');
  expect(new Set(items.map(({ link }) => link)).size).toBe(Math.min(FEED_SIZE, articles.length));
  for (const { title, link, description } of items) {
    const page = articles.find(({ path }) => path === ownPath(site, link));
    expect(page && all(page, 'h1').map(wordsOf), link).toContain(title);
    // Any markup or entity left after parsing means the text was escaped twice.
    expect(`${title} ${description}`).not.toMatch(/<\/?[a-z][^>]*>|&(amp|lt|gt|quot|#\w+);/i);
  }
  const times = items.map(({ pubDate }) => Date.parse(pubDate));
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(times[0]).toBeLessThanOrEqual(Date.now());
});

test('The site map has each page that search engines may find, once, and crawlers may read it', () => {
  const maps: { loc: string }[] = xml('/sitemap-index.xml').sitemapindex.sitemap;
  const urls: { loc: string; lastmod?: string }[] = maps.flatMap(
    ({ loc }) => xml(ownPath(site, loc) ?? loc).urlset.url,
  );
  expect(urls.map(({ loc }) => loc).toSorted()).toEqual(
    publicPages.map(({ path }) => new URL(path, site.origin).href).toSorted(),
  );
  const changed = urls.flatMap(({ lastmod }) => lastmod ?? []);
  expect(changed.filter((day) => !(Date.parse(day) <= Date.now()))).toEqual([]);
  const robots = read('/robots.txt');
  expect(robots).toContain(`Sitemap: ${site.origin}/sitemap-index.xml\n`);
  const rules = [...robots.matchAll(/^(Allow|Disallow): (\S+)$/gm)]
    .map(([, verb, start = '']) => ({ verb, start }))
    // The longest matching rule wins. If lengths are equal, Allow wins (RFC 9309).
    .toSorted((a, b) => b.start.length - a.start.length || (a.verb === 'Allow' ? -1 : 1));
  const closed = publicPages.filter(
    ({ path }) => rules.find(({ start }) => path.startsWith(start))?.verb === 'Disallow',
  );
  expect(closed).toEqual([]);
});

test('The site says where to report a weakness, for months to come', () => {
  const [, expires = ''] = /^Expires: (.+)$/m.exec(read('/.well-known/security.txt')) ?? [];
  expect(Date.parse(expires)).toBeGreaterThan(Date.now());
});

type Thing = Record<string, unknown>;
const isThing = (value: unknown): value is Thing =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A JSON-LD node and all nodes nested in it. */
const thingsIn = (value: unknown): Thing[] =>
  [value].flat().flatMap((each) => (isThing(each) ? [each, ...thingsIn(Object.values(each))] : []));

const described = pages.flatMap((page) =>
  all(page, 'script[type="application/ld+json"]').map((block) => ({
    page,
    things: thingsIn(JSON.parse(block.textContent)),
  })),
);

/** Properties of a node whose values are URLs on this site. */
const ADDRESSES = ['url', 'item', 'image', 'logo', 'mainEntityOfPage'];
const names = new Set(
  described.flatMap(({ things }) =>
    things.flatMap((thing) => (Object.keys(thing).length > 1 ? [thing['@id']] : [])),
  ),
);

/**
 * Lists the text in a node that its page doesn't show, dead URLs, and contradictions. The types of
 * the functions that create nodes already check their shape.
 */
function wrongWith(thing: Thing, page: Page): string[] {
  const canonical = one(page, 'link[rel="canonical"]', 'href');
  const { '@type': type, '@id': id, headline, name, text, datePublished, dateModified } = thing;
  const words = [headline, type === 'Question' ? name : '', type === 'Answer' ? text : '']
    .filter((each) => typeof each === 'string')
    .map((each) =>
      each
        .replace(/<[^>]+>/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    );
  const addresses = ADDRESSES.flatMap((each) => thing[each] ?? []).map(String);
  const steps = thingsIn(thing.itemListElement).map(({ item }) => item);
  const isWay = type === 'BreadcrumbList';
  const language = TRANSLATIONS.find((each) => page.file.startsWith(`/${each}/`)) ?? '';
  return [
    ...words.filter((each) => !shownWords(page).includes(each)),
    ...addresses.filter(
      (each) => !isPublicPage(site, each) && !site.files.has(ownPath(site, each) ?? ''),
    ),
    ...(id !== undefined && !names.has(id) ? [`${id} is described nowhere`] : []),
    ...(type === 'BlogPosting' && thing.mainEntityOfPage !== canonical ? ['another page'] : []),
    ...(String(dateModified) < String(datePublished) ? ['changed before it was published'] : []),
    ...(String(thing.endDate) < String(thing.startDate) ? ['ends before it begins'] : []),
    ...(isWay && (steps.length < 2 || new Set(steps).size < steps.length) ? ['no way'] : []),
    ...(isWay && (steps[0] !== `${site.origin}/${language}` || steps.at(-1) !== canonical)
      ? ['astray']
      : []),
  ].map((wrong) => `${page.file} ${type}: ${wrong}`);
}

test('The JSON-LD of a page says what the page shows, and leads to pages and files that are there', () => {
  expect(new Set(described.map(({ things: [first] }) => first?.['@type']))).toEqual(
    new Set(['BlogPosting', 'BreadcrumbList', 'Event', 'FAQPage', 'Organization']),
  );
  expect(described.filter(({ page }) => page.hidden)).toEqual([]);
  const wrong = described.flatMap(({ page, things }) =>
    things.flatMap((thing) => wrongWith(thing, page)),
  );
  expect(wrong).toEqual([]);
});

test.each([
  [{ '@type': 'BlogPosting', headline: 'Another' }, /Another$/m],
  [{ '@type': 'Answer', text: 'So.' }, /So\.$/m],
  [{ '@type': 'Event', image: 'https://site.example/no.png' }, /no\.png$/m],
  [{ '@id': '#nobody' }, /#nobody is described nowhere$/m],
  [{ '@type': 'BlogPosting', mainEntityOfPage: `${site.origin}/` }, /another page$/m],
  [{ '@type': 'Event', startDate: '2026-12-08', endDate: '2026-12-07' }, /ends before it begins$/m],
  [{ '@type': 'BreadcrumbList', itemListElement: [{ item: `${site.origin}/` }] }, /no way$/m],
  [{ '@type': 'BreadcrumbList', itemListElement: [{ item: 'a' }, { item: 'b' }] }, /astray$/m],
])('JSON-LD is noticed that does not fit its page: %j', (thing, defect) => {
  const about = site.pages.get('/about');
  expect(about && wrongWith(thing, about).join('\n')).toMatch(defect);
});

test('Every event in a calendar leads to its page', () => {
  const calendars = filesOf('.ics');
  expect(calendars).toContain('/events.ics');
  for (const file of calendars) {
    const lines = read(file)
      .replace(/\r\n[ \t]/g, '')
      .split('\r\n');
    const addresses = lines.flatMap((line) => /^URL[^:]*:(.+)$/.exec(line)?.[1] ?? []);
    expect(addresses.length, file).toBe(lines.filter((line) => line === 'BEGIN:VEVENT').length);
    expect(addresses.length, file).toBeGreaterThan(0);
    expect(addresses.filter((address) => !isPublicPage(site, address))).toEqual([]);
  }
});

/** Removes quotes and dashes, which pages replace with typographic ones, to compare text. */
const plain = (text: string) =>
  text
    .replace(/[‘’'“”"–—-]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

test('Each page has beside it what it was made from', () => {
  const made = pages.filter(({ path, leadsOn }) => !leadsOn && !isErrorPage(path));
  const advice = 'its words go into content/, or into lib/content/page-data.ts';
  expect(filesOf('/_payload.json'), advice).toHaveLength(made.length);
  for (const page of made) {
    const payload = json(`${page.path === '/' ? '' : page.path}/_payload.json`);
    expect(payload).toMatchObject({
      collection: expect.any(String),
      id: expect.any(String),
      path: page.path,
      data: { title: expect.any(String) },
      headings: expect.any(Array),
      words: expect.any(String),
    });
    const titles = all(page, 'title, h1').map(wordsOf).map(plain).join('\n');
    expect(titles, page.file).toContain(plain(payload.data.title));
    const headings = all(page, 'h2, h3, h4').map(wordsOf).map(plain);
    expect(headings, page.file).toEqual(
      expect.arrayContaining(payload.headings.map(({ text }: { text: string }) => plain(text))),
    );
  }
});

test('The build has a name, which all its pages say, and knows them all', () => {
  const { id, timestamp } = json('/builds/latest.json');
  const meta: { prerendered: string[] } = json(`/builds/meta/${id}.json`);
  const made = pages.filter(({ leadsOn }) => !leadsOn);
  expect(meta).toMatchObject({ id, timestamp });
  expect(meta.prerendered).toEqual(expect.arrayContaining(made.map(({ path }) => path)));
  expect(meta.prerendered.filter((path) => !site.pages.has(path))).toEqual([]);
  expect(new Set(made.map((page) => one(page, 'meta[name="build"]', 'content')))).toEqual(
    new Set([id]),
  );
});

test('The site can be installed as an app, with icons and pictures of the sizes that it says', async () => {
  const { icons, screenshots, shortcuts, ...manifest } = json('/manifest.webmanifest');
  expect(manifest).toMatchObject({ id: '/dashboard', scope: '/', display: 'standalone' });
  for (const text of ['name', 'short_name', 'description', 'lang']) {
    expect(manifest[text], text).toMatch(/\w/);
  }
  // The color of the window before the page is there, as the pages' own.
  const [, paper] =
    /name="theme-color" content="(#\w+)"/.exec(site.read('index.html').toString()) ?? [];
  expect([manifest.theme_color, manifest.background_color]).toEqual([paper, paper]);
  for (const address of [manifest.start_url, ...shortcuts.map(({ url }: { url: string }) => url)]) {
    expect(leadsSomewhere(site, address), address).toBe(true);
    expect(address.startsWith(manifest.scope), address).toBe(true);
  }
  for (const purpose of ['any', 'maskable']) {
    for (const sizes of ['192x192', '512x512']) {
      expect(icons).toContainEqual(expect.objectContaining({ purpose, sizes, type: 'image/png' }));
    }
  }
  const pictures = [
    ...icons,
    ...screenshots,
    ...shortcuts.flatMap((each: { icons: [] }) => each.icons),
  ];
  for (const { src, sizes, type } of pictures) {
    const { width, height, format } = await sharp(site.read(src)).metadata();
    expect(type, src).toBe(`image/${format === 'svg' ? 'svg+xml' : format}`);
    expect([`${width}x${height}`, 'any'], src).toContain(sizes);
  }
});
