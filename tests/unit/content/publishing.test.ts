import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  articlePicture,
  byTag,
  newestFirst,
  OWN_PICTURES,
  PAGE_SIZE,
  type Published,
  pagesOf,
  relatedOf,
  tagWords,
} from '#lib/content/publishing.ts';

const article = (id: string, published_on: string, tags: string[], area?: string): Published => ({
  id,
  data: { title: id, published_on, tags, area },
});

const anyArticles = fc
  .array(
    fc.record({
      day: fc.integer({ min: 0, max: 400 }),
      tags: fc.uniqueArray(fc.constantFrom('money', 'pricing', 'people', 'planning', 'quiz'), {
        minLength: 1,
        maxLength: 4,
      }),
      area: fc.option(fc.constantFrom('web-design', 'sales-marketing'), { nil: undefined }),
    }),
    { maxLength: 60 },
  )
  .map((list) =>
    list.map(({ day, tags, area }, index) => {
      const published = new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10);
      return article(`article-${index}`, published, tags, area);
    }),
  );

describe('The list of articles', () => {
  test('The newest comes first, and of one day the titles decide', () => {
    const list = [
      article('b', '2026-01-01', ['money']),
      article('c', '2026-02-01', ['money']),
      article('a', '2026-01-01', ['money']),
    ];
    expect(newestFirst(list).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
  });

  test('Each article stands on one page, in order, and no page but the last is short', () => {
    fc.assert(
      fc.property(anyArticles, (articles) => {
        const pages = pagesOf(articles);
        expect(pages.flat()).toEqual(articles);
        for (const page of pages.slice(0, -1)) expect(page).toHaveLength(PAGE_SIZE);
        if (articles.length > 0) expect(pages.at(-1)).not.toEqual([]);
      }),
    );
  });

  test('A list without articles still has a first page, which says so', () => {
    expect(pagesOf([])).toEqual([[]]);
  });

  test('A tag names all its articles and no others', () => {
    fc.assert(
      fc.property(anyArticles, (articles) => {
        for (const [tag, list] of byTag(articles)) {
          expect(list).toEqual(articles.filter(({ data }) => data.tags.includes(tag)));
        }
      }),
    );
  });
});

describe('What to read next', () => {
  test('Shared tags count more than the area, and of equals the newest comes first', () => {
    const read = article('read', '2026-06-01', ['money', 'pricing'], 'web-design');
    const list = newestFirst([
      read,
      article('both-tags', '2025-01-01', ['money', 'pricing']),
      article('one-tag-and-area', '2025-02-01', ['money'], 'web-design'),
      article('one-tag-new', '2026-05-01', ['pricing', 'people']),
      article('one-tag-old', '2025-03-01', ['money']),
      article('nothing', '2026-05-20', ['quiz']),
    ]);
    expect(relatedOf(list, 4)(read).map(({ id }) => id)).toEqual([
      'both-tags',
      'one-tag-and-area',
      'one-tag-new',
      'one-tag-old',
    ]);
  });

  test('Nobody is sent to what they have just read, twice to the same, or to what shares nothing', () => {
    fc.assert(
      fc.property(anyArticles, (articles) => {
        const list = newestFirst(articles);
        const related = relatedOf(list);
        for (const each of list) {
          const others = related(each);
          expect(others).not.toContain(each);
          expect(new Set(others).size).toBe(others.length);
          expect(others.length).toBeLessThanOrEqual(3);
          for (const other of others) {
            expect(other.data.tags.some((tag) => each.data.tags.includes(tag))).toBe(true);
          }
        }
      }),
    );
  });

  test('For each of 10,000 articles of one tag only a few others are looked at', () => {
    let looks = 0;
    const watched = Array.from({ length: 10_000 }, (_, index) => {
      const published = new Date(Date.UTC(2020, 0, 1 + (index % 2000))).toISOString().slice(0, 10);
      const each = article(`article-${index}`, published, ['money'], 'web-design');
      const { data } = each;
      return Object.defineProperty(each, 'data', {
        get() {
          looks += 1;
          return data;
        },
      });
    });
    const related = relatedOf(watched);
    looks = 0;
    const sample = watched.slice(0, 100);
    for (const each of sample) related(each);
    expect(looks / sample.length).toBeLessThan(500);
  });
});

test.each([
  [0, '/og/blog/an-id.png'],
  [OWN_PICTURES - 1, '/og/blog/an-id.png'],
  [OWN_PICTURES, '/og/blog.png'],
])(
  'The newest articles have pictures of their own, older ones that of the blog: %i',
  (place, src) => {
    expect(articlePicture('an-id', place)).toBe(src);
  },
);

test('A tag reads as words', () => {
  expect(tagWords('cash-flow')).toBe('Cash flow');
});
