import { beforeAll, describe, expect, test } from 'vitest';
import { FEED_SIZE } from '#lib/content/feeds.ts';
import { builtSite, type Site, siteOf } from './built-site.ts';
import { calendarDefects } from './calendars.ts';
import {
  leftOutOfFeed,
  robotsDefects,
  rssDefects,
  securityDefects,
  siteMapDefects,
} from './feeds.ts';
import { jsonLdDefects, namedThings, typesOn } from './json-ld.ts';
import {
  buildDefects,
  manifestDefects,
  pagesWithoutPayload,
  payloadDefects,
} from './machine-files.ts';
import { bad, picture } from './wrong-pages.ts';

describe('The built site', () => {
  let site: Site;
  beforeAll(async () => {
    site = await builtSite();
  });
  const filesOf = (ending: string) => [...site.files].filter((file) => file.endsWith(ending));

  test('has a feed that readers understand, with every article in it', () => {
    expect(rssDefects(site)).toEqual([]);
    expect(leftOutOfFeed(site, FEED_SIZE)).toEqual([]);
  });

  test('has a site map of all pages that may be found, and tells crawlers where it is', () => {
    expect(siteMapDefects(site)).toEqual([]);
    expect(robotsDefects(site)).toEqual([]);
  });

  test('says where to report a weakness, for months to come', () => {
    expect(securityDefects(site)).toEqual([]);
  });

  test('tells machines of its organization, articles, events, questions and ways, wholly', () => {
    const named = namedThings(site);
    expect([...site.pages.values()].flatMap((page) => jsonLdDefects(site, page, named))).toEqual(
      [],
    );
    expect([...typesOn(site)].sort()).toEqual(
      expect.arrayContaining(['BlogPosting', 'BreadcrumbList', 'Event', 'FAQPage', 'Organization']),
    );
  });

  test('has calendars that every calendar reads', () => {
    const calendars = filesOf('.ics');
    expect(calendars).toContain('/events.ics');
    expect(calendars.flatMap((file) => calendarDefects(site, file))).toEqual([]);
  });

  test('has beside each page what it was made from', () => {
    const without = pagesWithoutPayload(site);
    expect(without, 'its words go into content/, or into lib/content/page-data.ts').toEqual([]);
    const payloads = filesOf('/_payload.json');
    expect(payloads.flatMap((file) => payloadDefects(site, file))).toEqual([]);
  });

  test('names its build and all pages in it, and can be kept on a home screen', async () => {
    expect(buildDefects(site)).toEqual([]);
    expect(await manifestDefects(site)).toEqual([]);
  });
});

const ORIGIN = 'https://site.example';

/** A site of one article and what else is given, with a defect somewhere. */
const small = (files: Record<string, string | Buffer>) =>
  siteOf({
    '/index.html': bad({ path: '/' }),
    '/blog/a/index.html': bad({ path: '/blog/a' }),
    ...files,
  });

describe('What is wrong with the feed is named', () => {
  const ITEM = {
    title: 'A title',
    link: `${ORIGIN}/blog/a`,
    guid: `${ORIGIN}/blog/a`,
    description: 'What it is about.',
    pubDate: 'Tue, 06 Oct 2026 00:00:00 GMT',
  };
  const feed = (items: Partial<typeof ITEM>[], self = `${ORIGIN}/rss.xml`) =>
    `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>A</title><link>${ORIGIN}</link><description>B</description><language>en-us</language><atom:link rel="self" type="application/rss+xml" href="${self}"/>${items
      .map((item) =>
        Object.entries({ ...ITEM, ...item })
          .map(([name, words]) => `<${name}>${words}</${name}>`)
          .join(''),
      )
      .map((item) => `<item>${item}</item>`)
      .join('')}</channel></rss>`;
  const saidOf = async (text: string) => rssDefects(await small({ '/rss.xml': text }));

  test('one that is right is not complained of', async () => {
    expect(await saidOf(feed([{}]))).toEqual([]);
  });

  test.each([
    ['a link to no page', feed([{ link: `${ORIGIN}/blog/b` }]), 'which is no page'],
    ['a link that is not absolute', feed([{ link: '/blog/a' }]), 'which is no page'],
    ['a guid twice', feed([{}, {}]), 'has the guid of another'],
    ['a guid that will not last', feed([{ guid: 'a' }]), 'is no lasting address'],
    ['a date of another kind', feed([{ pubDate: '2026-10-06' }]), 'RFC 822'],
    ['a weekday of another day', feed([{ pubDate: 'Mon, 06 Oct 2026 00:00:00 GMT' }]), 'RFC 822'],
    ['a day to come', feed([{ pubDate: 'Wed, 06 Oct 2100 00:00:00 GMT' }]), 'of a day to come'],
    ['no description', feed([{ description: '' }]), 'has no description'],
    ['escaped twice', feed([{ description: 'A &amp;amp; B' }]), 'has marks in its description'],
    ['another title', feed([{ title: 'Another' }]), 'has another title on its page'],
    ['another address of itself', feed([{}], `${ORIGIN}/feed`), 'does not name the feed itself'],
    ['nothing in it', feed([]), 'has nothing in it'],
    ['no XML', '<rss><channel></rss>', 'is no well-formed XML'],
  ])('%s', async (_, text, defect) => {
    expect((await saidOf(text)).join('\n')).toContain(defect);
  });

  test('articles out of order, and one that is left out', async () => {
    const site = await small({
      '/blog/b/index.html': bad({ path: '/blog/b' }),
      '/rss.xml': feed([
        { pubDate: 'Mon, 05 Oct 2026 00:00:00 GMT' },
        { link: `${ORIGIN}/blog/b`, guid: `${ORIGIN}/blog/b` },
      ]),
    });
    expect(rssDefects(site)).toEqual(['/rss.xml: “A title” is newer than the one before it']);
    const one = await small({ '/blog/b/index.html': bad({}), '/rss.xml': feed([{}]) });
    expect(leftOutOfFeed(one, 50)).toEqual(['/blog/b/index.html is not in it']);
    expect(leftOutOfFeed(one, 1)).toEqual([]);
  });
});

describe('What is wrong with the site map and what crawlers read is named', () => {
  const index = `<sitemapindex><sitemap><loc>${ORIGIN}/map.xml</loc></sitemap></sitemapindex>`;
  const map = (...urls: string[]) =>
    `<urlset>${urls.map((url) => `<url><loc>${ORIGIN}${url}</loc></url>`).join('')}</urlset>`;
  const saidOf = async (xml: string, more = {}) =>
    siteMapDefects(await small({ '/sitemap-index.xml': index, '/map.xml': xml, ...more }));
  const hidden = bad({}).replace('<head>', '<head><meta name="robots" content="noindex">');

  test('one that is right is not complained of', async () => {
    expect(await saidOf(map('/', '/blog/a'), { '/a/index.html': hidden })).toEqual([]);
  });

  test.each([
    ['a page left out', map('/'), '/blog/a/index.html is in no site map'],
    ['a page that is not there', map('/', '/blog/a', '/b'), '/b is no page to be found'],
    ['a page that is hidden', map('/', '/blog/a', '/a'), '/a is no page to be found'],
    ['a page twice', map('/', '/', '/blog/a'), 'stands there twice'],
    [
      'a day that is none',
      map('/', '/blog/a').replace('</loc>', '</loc><lastmod>soon</lastmod>'),
      'which is no day past',
    ],
    ['no XML', '<urlset>', 'is no well-formed XML'],
  ])('%s', async (_, xml, defect) => {
    expect((await saidOf(xml, { '/a/index.html': hidden })).join('\n')).toContain(defect);
  });

  test.each([
    ['User-agent: *\nAllow: /\n', 'names no site map'],
    [`User-agent: *\nDisallow: /blog\nSitemap: ${ORIGIN}/map.xml\n`, 'keeps crawlers from /blog/a'],
    [`Crawl nicely\nSitemap: ${ORIGIN}/map.xml\n`, 'is not understood'],
  ])('%j', async (text, defect) => {
    const site = await small({ '/robots.txt': text, '/map.xml': map('/') });
    expect(robotsDefects(site).join('\n')).toContain(defect);
  });

  test.each([
    ['Contact: mailto:a@site.example\nExpires: 2026-12-01T00:00:00Z\n', ''],
    ['Expires: 2026-12-01T00:00:00Z\n', 'has no Contact'],
    ['Contact: a@site.example\nExpires: 2026-12-01T00:00:00Z\n', 'Contact is no address'],
    ['Contact: mailto:a@site.example\n', 'Expires is no time'],
    ['Contact: mailto:a@site.example\nExpires: 2026-10-01T00:00:00Z\n', 'Expires is over'],
    ['Contact: mailto:a@site.example\nExpires: 2028-01-01T00:00:00Z\n', 'more than a year ahead'],
    ['Contact us\nContact: mailto:a@site.example\nExpires: 2026-12-01T00:00:00Z', 'is no field'],
  ])('%j', async (text, defect) => {
    const site = await small({ '/.well-known/security.txt': text });
    const said = securityDefects(site, new Date('2026-11-21T00:00:00Z'));
    if (defect === '') expect(said).toEqual([]);
    else expect(said.join('\n')).toContain(defect);
  });
});

describe('What is wrong with what machines are told is named', () => {
  const step = (position: number, path: string) => ({
    '@type': 'ListItem',
    position,
    name: 'A',
    item: `${ORIGIN}${path}`,
  });
  const way = (...itemListElement: object[]) => ({ '@type': 'BreadcrumbList', itemListElement });
  const event = {
    '@type': 'Event',
    name: 'A',
    description: 'B',
    startDate: '2026-12-08T00:30:00Z',
    endDate: '2026-12-08T02:30:00Z',
    eventStatus: 'https://schema.org/EventScheduled',
    eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
    location: { '@type': 'VirtualLocation', url: `${ORIGIN}/` },
    organizer: { '@type': 'Organization', name: 'A' },
    image: `${ORIGIN}/a.png`,
  };
  const article = {
    '@type': 'BlogPosting',
    headline: 'A title',
    description: 'B',
    image: `${ORIGIN}/a.png`,
    datePublished: '2026-11-01',
    author: { '@type': 'Person', name: 'A' },
    publisher: { '@type': 'Organization', name: 'A' },
    mainEntityOfPage: `${ORIGIN}/blog/a`,
  };
  const question = {
    '@type': 'Question',
    name: 'A title',
    acceptedAnswer: { '@type': 'Answer', text: 'A title' },
  };
  const saidOf = async (block: object | string) => {
    const text =
      typeof block === 'string'
        ? block
        : JSON.stringify({ '@context': 'https://schema.org', ...block });
    const body = `<script type="application/ld+json">${text}</script>`;
    const site = await small({
      '/a.png': await picture(1, 1),
      '/blog/a/index.html': bad({ path: '/blog/a', body }),
    });
    return [...site.pages.values()].flatMap((page) => jsonLdDefects(site, page));
  };

  test.each([
    event,
    article,
    way(step(1, '/'), step(2, '/blog/a')),
    { '@type': 'FAQPage', mainEntity: [question] },
  ])('but not $@type that is right', async (block) => {
    expect(await saidOf(block)).toEqual([]);
  });

  test.each<[string, object | string, string]>([
    ['no JSON', '{', 'has JSON-LD that is no JSON object'],
    ['terms of nobody', { ...event, '@context': 'a' }, 'does not say whose terms'],
    ['a type without a rule', { '@type': 'Recipe' }, 'has no rule for'],
    ['no name', { ...event, name: '' }, 'Event has no name'],
    ['a day without a time', { ...event, startDate: '2026-12-08' }, 'begins at no time of the day'],
    ['a date of another kind', { ...event, startDate: 'Dec 8, 2026' }, 'ISO 8601'],
    [
      'an end before the beginning',
      { ...event, endDate: event.startDate },
      'ends before it begins',
    ],
    ['a status of its own', { ...event, eventStatus: 'on' }, 'has a status that is none'],
    [
      'a place that is not its way',
      { ...event, location: { '@type': 'Place', name: 'A', address: 'B' } },
      'is held in another way',
    ],
    [
      'a place without an address',
      { ...event, location: { '@type': 'Place', name: 'A' } },
      'Place has no address',
    ],
    ['a picture that is not there', { ...event, image: `${ORIGIN}/b.png` }, 'leads to no page'],
    ['a path for an address', { ...event, image: '/a.png' }, 'leads to no page'],
    ['changed before published', { ...article, dateModified: '2026-10-01' }, 'was changed before'],
    ['a headline of another page', { ...article, headline: 'Another' }, 'not on the page'],
    ['the main thing elsewhere', { ...article, mainEntityOfPage: `${ORIGIN}/` }, 'of another page'],
    [
      'a publisher of whom nothing is said',
      { ...article, publisher: { '@id': '#a' } },
      'is described nowhere',
    ],
    ['one step', way(step(1, '/blog/a')), 'has fewer than two steps'],
    ['steps out of order', way(step(2, '/'), step(1, '/blog/a')), 'is not counted from one'],
    [
      'a way from elsewhere',
      way(step(1, '/blog'), step(2, '/blog/a')),
      'does not begin at the home page',
    ],
    ['a way to elsewhere', way(step(1, '/'), step(2, '/')), 'does not end at its own page'],
    [
      'a step without a name',
      way({ ...step(1, '/'), name: '' }, step(2, '/blog/a')),
      'ListItem has no name',
    ],
    ['no questions', { '@type': 'FAQPage', mainEntity: [] }, 'has no questions'],
    [
      'a question nobody reads',
      { '@type': 'FAQPage', mainEntity: [{ ...question, name: 'Why?' }] },
      'Question is not on the page',
    ],
    [
      'an answer nobody reads',
      {
        '@type': 'FAQPage',
        mainEntity: [{ ...question, acceptedAnswer: { '@type': 'Answer', text: 'So.' } }],
      },
      'Answer is not on the page',
    ],
  ])('%s', async (_, block, defect) => {
    const said = await saidOf(block);
    expect(said.join('\n')).toContain(defect);
    expect(said.every((each) => each.startsWith('/blog/a/index.html: '))).toBe(true);
  });
});

describe('What is wrong with a file for programs is named', () => {
  const EVENT = [
    'BEGIN:VEVENT',
    'UID:a',
    'DTSTAMP:20261208T003000Z',
    'DTSTART:20261208T003000Z',
    'DTEND:20261208T023000Z',
    'SUMMARY:A',
    `URL;VALUE=URI:${ORIGIN}/blog/a`,
    'END:VEVENT',
  ];
  const calendar = (event: string[], end = '\r\n') =>
    ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:a', ...event, 'END:VCALENDAR', ''].join(end);
  const without = (name: string) => EVENT.filter((line) => !line.startsWith(name));

  test.each([
    [calendar(EVENT), ''],
    [calendar(EVENT, '\n'), 'does not end with CR and LF'],
    [
      calendar([...EVENT.slice(0, -1), `DESCRIPTION:${'ü'.repeat(40)}`, 'END:VEVENT']),
      'of 92 octets',
    ],
    [calendar([...EVENT, ...EVENT]), 'has two events of the UID a'],
    [calendar(without('UID')), 'has an event without UID'],
    [calendar(without('DTSTAMP')), 'has a DTSTAMP that is no time'],
    [calendar(without('DTSTART')), 'has a DTSTART that is no time'],
    [calendar(without('SUMMARY')), 'has no SUMMARY'],
    [calendar(without('URL')), 'which is no page'],
    [calendar(without('END:VEVENT')), 'has an event that does not end'],
    [calendar(EVENT).replace('023000Z', '003000Z'), 'ends before it begins'],
    [calendar(EVENT).replace('VERSION', 'X'), 'has no VERSION:2.0'],
    [calendar([]), 'has nothing in it'],
  ])('%j', async (text, defect) => {
    const said = calendarDefects(await small({ '/a.ics': text }), '/a.ics');
    if (defect === '') expect(said).toEqual([]);
    else expect(said.join('\n')).toContain(defect);
  });

  const PAYLOAD = {
    collection: 'blog',
    id: 'a',
    path: '/blog/a',
    data: { title: 'A title' },
    headings: [{ depth: 2, text: 'A part' }],
    words: 'Words',
  };
  test.each([
    [PAYLOAD, ''],
    [{ ...PAYLOAD, path: '/blog/b' }, 'is of /blog/b'],
    [{ ...PAYLOAD, data: { title: 'Another' } }, 'has another title: Another'],
    [
      { ...PAYLOAD, headings: [{ depth: 2, text: 'No' }] },
      'has a heading that the page has not: No',
    ],
    [{ path: '/blog/a' }, 'has no words'],
    ['{', 'is no JSON object'],
  ])('%j', async (payload, defect) => {
    const file = '/blog/a/_payload.json';
    const site = await small({
      '/blog/a/index.html': bad({ path: '/blog/a', body: '<h2>A part</h2>' }),
      [file]: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });
    const said = payloadDefects(site, file);
    if (defect === '') expect(said).toEqual([]);
    else expect(said.join('\n')).toContain(defect);
  });

  test('a page without what it was made from', async () => {
    const leadsOn = '<meta http-equiv="refresh" content="0;url=/">';
    const site = await small({
      '/b/index.html': bad({ path: '/b' }).replace('<head>', `<head>${leadsOn}`),
      '/_payload.json': '{}',
    });
    expect(pagesWithoutPayload(site)).toEqual(['/blog/a']);
  });

  test('a build that does not know its pages', async () => {
    const made = (path: string, build = 'x') =>
      bad({ path }).replace('<head>', `<head><meta name="build" content="${build}">`);
    const files = (prerendered: string[]) => ({
      '/index.html': made('/'),
      '/blog/a/index.html': made('/blog/a'),
      '/builds/latest.json': JSON.stringify({ id: 'x', timestamp: 1 }),
      '/builds/meta/x.json': JSON.stringify({ id: 'x', timestamp: 1, prerendered }),
    });
    expect(buildDefects(await siteOf(files(['/', '/blog/a'])))).toEqual([]);
    expect(buildDefects(await siteOf(files(['/', '/b'])))).toEqual([
      '/builds/meta/x.json: does not name /blog/a',
      '/builds/meta/x.json: names /b, which is no page',
    ]);
    const other = { ...files(['/', '/blog/a']), '/index.html': made('/', 'y') };
    expect(buildDefects(await siteOf(other))).toEqual(['/index.html: is of the build y, not x']);
    const lost = { ...files(['/']), '/builds/latest.json': '{"id":"z"}' };
    expect(buildDefects(await siteOf(lost))).toEqual([expect.stringContaining('names z')]);
  });

  test('an icon of another size, and a start that leads nowhere', async () => {
    const manifest = {
      name: 'A',
      short_name: 'A',
      display: 'minimal-ui',
      start_url: '/dashboard',
      icons: [{ src: '/a.png', sizes: '32x32', type: 'image/png' }],
    };
    const saidOf = async (words: object, size: number) =>
      manifestDefects(
        await small({
          '/manifest.webmanifest': JSON.stringify({ ...manifest, ...words }),
          '/a.png': await picture(size, size),
        }),
      );
    expect(await saidOf({}, 32)).toEqual([]);
    expect(await saidOf({}, 16)).toEqual([expect.stringContaining('is no image/png of 32x32')]);
    expect(await saidOf({ start_url: '/no' }, 32)).toEqual([
      expect.stringContaining('leads nowhere'),
    ]);
  });
});
