import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  FEED_SIZE,
  feedItems,
  pagedCollections,
  pathOf,
  plainWords,
  robots,
  securityText,
} from '#lib/content/feeds.ts';
import { match } from '#lib/routing/routes.ts';

const site = {
  url: 'https://trellis.example',
  email: 'hello@trellis.example',
  product: 'Trellis',
  address: { city: 'Albuquerque' },
  states_served: 'New Mexico and Texas',
};

describe('The feed', () => {
  const article = (index: number) => ({
    id: `article-${index}`,
    data: {
      title: `Article ${index}`,
      description: 'What it says.',
      published_on: new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10),
      tags: ['money'],
    },
  });

  test('The newest article comes first, on the day on which it was published', () => {
    const [first, second] = feedItems([article(3), article(9)]);
    expect(first).toEqual({
      title: 'Article 9',
      link: '/blog/article-9',
      description: 'What it says.',
      pubDate: new Date('2025-01-10T00:00:00Z'),
      categories: ['money'],
    });
    expect(second?.link).toBe('/blog/article-3');
  });

  test('It stays short, however many articles there are', () => {
    const items = feedItems(Array.from({ length: FEED_SIZE + 30 }, (_, index) => article(index)));
    expect(items).toHaveLength(FEED_SIZE);
    expect(items[0]?.title).toBe(`Article ${FEED_SIZE + 29}`);
  });
});

test('Crawlers are kept from what is private', () => {
  const rules = robots(site).match(/(?<=^Disallow: ).+/gm);
  expect(rules).toEqual(['/dashboard', '/admin', '/functions']);
});

describe('Where to report a weakness', () => {
  test('Whenever it is built, it is valid for at least ten months and for less than a year', () => {
    const from = new Date('2025-01-01T00:00:00Z');
    const until = new Date('2100-01-01T00:00:00Z');
    fc.assert(
      fc.property(fc.date({ min: from, max: until, noInvalidDate: true }), (now) => {
        const [, expires = ''] = /^Expires: (.+)$/m.exec(securityText(site, now)) ?? [];
        const days = (Date.parse(expires) - now.getTime()) / 86_400_000;
        expect(days).toBeGreaterThan(300);
        expect(days).toBeLessThan(365);
      }),
    );
  });
});

describe('What a page is made from', () => {
  test('Words read without marks, and headings stand apart', () => {
    const mdx = [
      'Ask {props.site.product} for **two** [prices](/pricing).',
      '',
      '## What it costs',
      '',
      '<Callout title="A > b" kind="try">Write it down.</Callout>',
      '',
      '| Plan | Price |',
      '|---|---:|',
      '| One | $49 |',
      '',
      '1. First',
      '- Then',
    ].join('\n');
    expect(plainWords(mdx, site)).toEqual({
      headings: [{ depth: 2, text: 'What it costs' }],
      words:
        'Ask Trellis for two prices. What it costs Write it down. Plan Price One $49 First Then',
    });
  });

  test('A heading keeps its number, and an entry of a list does not', () => {
    const { headings, words } = plainWords('## 1. Choose a form\n\n1. First\n2. Then\n', site);
    expect(headings).toEqual([{ depth: 2, text: '1. Choose a form' }]);
    expect(words).toBe('1. Choose a form First Then');
  });

  test('Words about the organization read as on the page', () => {
    const mdx = 'In {props.site.address.city}, for {props.site.states_served}.';
    expect(plainWords(mdx, site).words).toBe('In Albuquerque, for New Mexico and Texas.');
  });

  test('Each stands beside a page that exists and is built', () => {
    for (const collection of pagedCollections) {
      const id = collection === 'standing' ? 'about' : 'some-entry';
      expect(match(pathOf(collection, id))?.route.rendering).toBe('prerendered');
    }
    expect(match(pathOf('standing', 'pricing-how-to-buy'))?.route.path).toBe('/pricing/how-to-buy');
    expect(match(pathOf('standing', 'pricing'))?.route.path).toBe('/pricing');
  });
});
