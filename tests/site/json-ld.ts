/**
 * Whether what machines read of a page has what they ask for, by the type it is of.
 * https://developers.google.com/search/docs/appearance/structured-data/search-gallery
 */
import { all, isPublicPage, one, ownPath, type Page, type Site, shownWords } from './built-site.ts';

type Thing = Record<string, unknown>;

const isThing = (value: unknown): value is Thing =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const thingsOf = (value: unknown) => [value].flat().filter(isThing);
const words = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

/** A day, or a time with its zone. */
const ISO_8601 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;
const isDate = (value: unknown) =>
  ISO_8601.test(words(value)) && !Number.isNaN(Date.parse(words(value)));
const timeOf = (value: unknown) => Date.parse(words(value));

/** What one kind of thing must have; gives a sentence for each that is wrong. */
type Rule = (thing: Thing, site: Site, page: Page) => string[];

const needs = (thing: Thing, ...names: string[]) =>
  names
    .filter((name) => thing[name] === undefined || thing[name] === null || thing[name] === '')
    .map((name) => `has no ${name}`);
const dates = (thing: Thing, ...names: string[]) =>
  names
    .filter((name) => thing[name] !== undefined && !isDate(thing[name]))
    .map((name) => `has a ${name} that ISO 8601 does not know: ${thing[name]}`);
const unless = (right: boolean, defect: string) => (right ? [] : [defect]);
const canonical = (page: Page) => one(page, 'link[rel="canonical"]', 'href') ?? '';
const isOneOf = (value: unknown, names: string[]) =>
  names.some((name) => value === `https://schema.org/${name}`);

const RULES: Record<string, Rule> = {
  Organization: (thing) => [
    ...needs(thing, 'name'),
    // The one with a name of its own on the web is the one that runs the site.
    ...(thing['@id'] === undefined ? [] : needs(thing, 'url', 'logo', 'email', 'address')),
  ],
  Person: (thing) => needs(thing, 'name'),
  PostalAddress: (thing) =>
    needs(
      thing,
      'streetAddress',
      'addressLocality',
      'addressRegion',
      'postalCode',
      'addressCountry',
    ),
  BlogPosting: (thing, _site, page) => [
    ...needs(thing, 'headline', 'description', 'image', 'datePublished', 'author', 'publisher'),
    ...dates(thing, 'datePublished', 'dateModified'),
    ...unless(
      thing.dateModified === undefined || timeOf(thing.dateModified) >= timeOf(thing.datePublished),
      'was changed before it was published',
    ),
    ...unless(thing.mainEntityOfPage === canonical(page), 'is the main thing of another page'),
    ...unless(
      shownWords(page).includes(words(thing.headline)),
      'has a headline that is not on the page',
    ),
  ],
  Event: (thing) => [
    ...needs(
      thing,
      'name',
      'description',
      'startDate',
      'endDate',
      'location',
      'image',
      'organizer',
    ),
    ...dates(thing, 'startDate', 'endDate'),
    ...unless(words(thing.startDate).includes('T'), 'begins at no time of the day'),
    ...unless(timeOf(thing.endDate) > timeOf(thing.startDate), 'ends before it begins'),
    ...unless(
      isOneOf(thing.eventStatus, [
        'EventScheduled',
        'EventCancelled',
        'EventPostponed',
        'EventRescheduled',
        'EventMovedOnline',
      ]),
      `has a status that is none: ${thing.eventStatus}`,
    ),
    ...thingsOf(thing.location).flatMap((place) => {
      const mode =
        place['@type'] === 'VirtualLocation'
          ? ['OnlineEventAttendanceMode', 'MixedEventAttendanceMode']
          : ['OfflineEventAttendanceMode', 'MixedEventAttendanceMode'];
      return unless(
        isOneOf(thing.eventAttendanceMode, mode),
        `is held in another way than its place: ${thing.eventAttendanceMode}`,
      );
    }),
  ],
  Place: (thing) => needs(thing, 'name', 'address'),
  VirtualLocation: (thing) => needs(thing, 'url'),
  FAQPage: (thing) =>
    unless(
      thingsOf(thing.mainEntity).length > 0 &&
        thingsOf(thing.mainEntity).every((each) => each['@type'] === 'Question'),
      'has no questions',
    ),
  Question: (thing, _site, page) => [
    ...needs(thing, 'name', 'acceptedAnswer'),
    ...unless(shownWords(page).includes(words(thing.name)), `is not on the page: ${thing.name}`),
  ],
  Answer: (thing, _site, page) => [
    ...needs(thing, 'text'),
    ...unless(
      shownWords(page).includes(
        words(thing.text)
          .replace(/<[^>]+>/g, '')
          .replace(/\s+/g, ' '),
      ),
      `is not on the page: ${words(thing.text).slice(0, 60)} …`,
    ),
  ],
  BreadcrumbList: (thing, site, page) => {
    const steps = thingsOf(thing.itemListElement);
    const paths = steps.map(({ item }) => ownPath(site, words(item)) ?? '');
    return [
      ...unless(steps.length >= 2, 'has fewer than two steps'),
      ...unless(
        steps.every(({ position }, index) => position === index + 1),
        'is not counted from one, in order',
      ),
      ...unless(paths[0] === '/', 'does not begin at the home page'),
      ...unless(words(steps.at(-1)?.item) === canonical(page), 'does not end at its own page'),
      ...unless(new Set(paths).size === paths.length, 'comes by one page twice'),
    ];
  },
  ListItem: (thing) => needs(thing, 'position', 'name', 'item'),
};

/** Names under which an address of a page of this site, or of a file, stands. */
const ADDRESSES = ['url', 'item', 'image', 'logo', 'mainEntityOfPage', 'thumbnailUrl'];

function wrongWith(thing: Thing, site: Site, page: Page, named: ReadonlySet<string>): string[] {
  const type = words(thing['@type']);
  const defects: string[] = [];
  const say = (defect: string) => defects.push(`${page.file}: ${type || 'a thing'} ${defect}`);
  // Only its name: it is described elsewhere.
  if (Object.keys(thing).join() === '@id') {
    if (!named.has(words(thing['@id']))) say(`is described nowhere: ${thing['@id']}`);
    return defects;
  }
  const rule = RULES[type];
  if (rule) rule(thing, site, page).forEach(say);
  else say('is of a type that tests/site/json-ld.ts has no rule for');
  for (const [name, value] of Object.entries(thing)) {
    for (const address of ADDRESSES.includes(name) ? [value].flat() : []) {
      if (typeof address !== 'string') continue;
      const file = ownPath(site, address) ?? '';
      if (!isPublicPage(site, address) && !site.files.has(file)) {
        say(`has a ${name} that leads to no page: ${address}`);
      }
    }
    for (const inner of thingsOf(value)) defects.push(...wrongWith(inner, site, page, named));
  }
  return defects;
}

const blocksOf = (page: Page) => all(page, 'script[type="application/ld+json"]');

function parsed(block: { textContent: string }): Thing | null {
  try {
    const data: unknown = JSON.parse(block.textContent);
    return isThing(data) ? data : null;
  } catch {
    return null;
  }
}

/** The things that a page describes under a name that others may use. */
export function namedThings(site: Site): Set<string> {
  return new Set(
    [...site.pages.values()]
      .flatMap(blocksOf)
      .flatMap((block) => words(parsed(block)?.['@id']) || []),
  );
}

/** What is wrong with what machines read of a page. */
export function jsonLdDefects(site: Site, page: Page, named = namedThings(site)): string[] {
  const defects = blocksOf(page).flatMap((block) => {
    const thing = parsed(block);
    if (!thing) return [`${page.file}: has JSON-LD that is no JSON object`];
    const context =
      thing['@context'] === 'https://schema.org'
        ? []
        : [`${page.file}: ${thing['@type']} does not say whose terms it uses`];
    return [...context, ...wrongWith(thing, site, page, named)];
  });
  return page.hidden && blocksOf(page).length > 0
    ? [...defects, `${page.file}: is hidden and tells machines of itself`]
    : defects;
}

/** The types of things on the site, to see that none went missing. */
export const typesOn = (site: Site) =>
  new Set([...site.pages.values()].flatMap(blocksOf).map((block) => parsed(block)?.['@type']));
