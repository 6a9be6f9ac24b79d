import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  articleSchema,
  eventSchema,
  pressSchema,
  pricingSchema,
  releaseSchema,
  testimonialSchema,
} from '#collections/publishing.ts';
import { TRANSLATIONS } from '#domain/language.ts';
import { checked, folder, lengthOf, read, yaml, yamls } from './content-files.ts';

const articles = checked('blog', articleSchema);
const releases = checked('releases', releaseSchema);
const events = checked('events', eventSchema);
const press = checked('press', pressSchema);
const pricing = yaml('pricing.yaml', pricingSchema);
const dollars = (minor: number) => `$${(minor / 100).toLocaleString('en-US')}`;

describe('A visitor reads what is published', () => {
  test('A visitor reads an article or a guide in about five minutes', () => {
    const guides = folder('pages').filter(({ data }) => data.frame === 'default');
    expect(guides.length).toBeGreaterThan(4);
    const lengths = [...articles, ...guides].map(
      ({ path, body }) => [path, lengthOf(body)] as const,
    );
    const wrong = lengths.filter(([, length]) => length <= 600 || length >= 1400);
    expect(wrong, 'write 600 to 1,400 words').toEqual([]);
  });

  test('A reader who follows a tag finds another article behind it', () => {
    const tags = articles.flatMap(({ data }) => data.tags);
    for (const tag of tags) {
      expect(tags.filter((each) => each === tag).length, tag).toBeGreaterThan(1);
    }
  });

  test('Nothing is dated from the future', () => {
    const today = new Date().toISOString().slice(0, 10);
    const dates = [
      ...articles.map(({ path, data }) => ({ path, day: data.updated_on ?? data.published_on })),
      ...releases.map(({ path, data }) => ({ path, day: data.released_on })),
      ...press.map(({ path, data }) => ({ path, day: data.published_on })),
      { path: 'pricing.yaml', day: pricing.reviewed_on },
    ];
    expect(dates.filter(({ day }) => day > today)).toEqual([]);
  });

  test('A release is found at its day, and each announcement belongs to one', () => {
    for (const { id, data } of releases) expect(data.released_on).toBe(id);
    const days = releases.map(({ data }) => data.released_on);
    for (const { path, data } of press) expect(days, path).toContain(data.published_on);
  });

  test('What owners say is about an area and stands in an order', () => {
    const said = yamls('testimonials', testimonialSchema);
    expect(new Set(said.map(({ position }) => position)).size).toBe(said.length);
    expect(said.length).toBeGreaterThan(2);
  });
});

describe('An owner plans to attend', () => {
  const weekdayOf = (day: string) =>
    new Date(`${day}T12:00Z`)
      .toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
      .toLowerCase();

  test('An owner always finds something that is still to come', () => {
    const lasting = events.filter(({ data }) => data.repeats && !data.repeats.until);
    expect(lasting.length).toBeGreaterThan(1);
  });

  test('The first date of a monthly event is on the weekday that it names', () => {
    for (const { path, data } of events) {
      if (!data.repeats) continue;
      const day = data.starts_at.slice(0, 10);
      expect(weekdayOf(day), path).toBe(data.repeats.weekday);
      expect(Math.ceil(Number(day.slice(8)) / 7), path).toBe(data.repeats.week);
    }
  });

  test('An owner who has to go somewhere is told where', () => {
    for (const { path, data } of events) {
      expect(Boolean(data.place.address), path).toBe(!data.place.online);
    }
  });
});

describe('An owner asks what it costs', () => {
  const price = (plan: string, every: string) => {
    const found = pricing.plans.find(({ key }) => key === plan);
    const amount = found?.prices.find((each) => each.every === every)?.amount_minor;
    if (amount === undefined) throw new Error(`${plan} has no price by the ${every}.`);
    return amount;
  };

  test('A plan has a price or says that it is quoted, and never both', () => {
    for (const { key, prices, quoted } of pricing.plans) {
      expect(prices.length > 0, key).toBe(quoted === undefined);
    }
    expect(price('free', 'once')).toBe(0);
  });

  test('A sum in an answer is the sum of the prices above it', () => {
    const pack = price('session-pack', 'once');
    const month = price('membership', 'month');
    const year = price('membership', 'year');
    const answer = pricing.questions.find(({ question }) => question.startsWith('Pack'))?.answer;
    for (const amount of [pack, pack / 3, month, 3 * month, year, 12 * month - year]) {
      expect(answer).toContain(dollars(amount));
    }
    expect(answer).toContain(`about $${Math.round(year / 1200)} each`);
  });

  test('An owner reads the same price wherever one is named', () => {
    const pack = dollars(price('session-pack', 'once'));
    const month = dollars(price('membership', 'month'));
    const homes = ['home.yaml', ...TRANSLATIONS.map((language) => `${language}/home.yaml`)];
    const pages = ['standing/coaching.mdx', 'services/coaching.mdx', 'standing/press-room.mdx'];
    for (const path of [...homes, ...pages]) {
      expect(read(path), path).toContain(pack);
      expect(read(path), path).toContain(month);
    }
    // A first glance at the home page says what coaching costs, and no price there is another one.
    for (const path of homes) {
      const { hero } = parse(read(path));
      expect(hero.coaching.match(/\$[\d,]*\d/g), path).toEqual([month, pack]);
      expect(new Set(read(path).match(/\$[\d,]*\d/g)), path).toEqual(new Set([month, pack]));
    }
  });

  test('Each plan leads to where it’s bought', () => {
    const links = Object.fromEntries(pricing.plans.map(({ key, link }) => [key, link.href]));
    expect(links).toEqual({
      free: '/register',
      'session-pack': '/dashboard/orders/new?plan=session-pack',
      membership: '/dashboard/orders/new?plan=membership',
      'sponsor-seats': '/dashboard/orders/new?plan=sponsor-seats',
    });
  });
});
