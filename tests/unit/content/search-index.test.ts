import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { addressOf, readAddress } from '#components/search/search-address.ts';
import { pageToIndex, writeSearchIndex } from '#integrations/search-index.ts';

const page = (head: string, body: string) =>
  `<html lang="en"><head>${head}</head><body><header>Menu</header><main>${body}</main></body></html>`;
const words = '<div data-pagefind-body><style>p{}</style><form><h1>Cash</h1></form></div>';

test('A page is in the index with its words only, under the address that links have', () => {
  expect(pageToIndex('blog/cash/index.html', page('', words))).toEqual({
    url: '/blog/cash',
    content:
      '<html lang="en"><body><main><div data-pagefind-body><div><h1>Cash</h1></div></div></main></body></html>',
  });
  expect(pageToIndex('index.html', page('', words))?.url).toBe('/');
});

test('A page that search engines leave out, or without words to find, is not in the index', () => {
  const hidden = '<meta name="robots" content="noindex">';
  expect(pageToIndex('thanks/index.html', page(hidden, words))).toBeUndefined();
  expect(pageToIndex('tags/index.html', page('', '<h1>Money</h1>'))).toBeUndefined();
});

test('A build that has no page to index stops and says so, and writes nothing', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'trellis-search-'));
  await expect(writeSearchIndex(folder)).rejects.toThrow(/no page below .* has words to find/);
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});

test('A search and its address say the same', () => {
  const asked = { q: 'cash & flow', kinds: ['Guide', 'Case study'], shown: 20 };
  const address = addressOf(asked);
  expect(address).toBe('/search?q=cash+%26+flow&kind=Guide&kind=Case+study&shown=20');
  expect(readAddress(new URL(address, 'http://x').search)).toEqual(asked);
  expect(addressOf({ q: '', kinds: ['Guide'], shown: 10 })).toBe('/search');
});

test.each(['-3', '0', 'many', '7', '1e9'])(
  'An address asks for %s results and gets some',
  (shown) => {
    const read = readAddress(`?q=cash&shown=${shown}`);
    expect(read.shown).toBeGreaterThanOrEqual(10);
    expect(read.shown).toBeLessThanOrEqual(100);
    expect(read.shown % 10).toBe(0);
  },
);
