import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chartIn, drawPictures } from '#integrations/og-pictures.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const site = { product: 'Trellis', tagline: 'Grow the rest.' };
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pictures-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A built page's metadata and heading, as layouts/Head.astro and Article.astro render them. */
const page = (picture: string, title: string, article = '') =>
  `<meta property="og:title" content="${title}"><meta property="og:image" content="https://trellis.example/og/${picture}.png"><main>${article}<h1>${title}</h1></main>`;

const articleOf = (eyebrow: string) =>
  `<div data-pagefind-filter="kind:Article"><p class="eyebrow mb-3">${eyebrow}</p>`;

/** Writes a site with these pages, by path, and draws their pictures. Sites share a cache. */
async function draw(name: string, pages: Record<string, string>, cacheFolder = `${folder}/cache`) {
  const client = path.join(folder, name);
  for (const [address, html] of Object.entries(pages)) {
    await mkdir(path.join(client, address), { recursive: true });
    await writeFile(path.join(client, address, 'index.html'), html);
  }
  const counts = await drawPictures({ client, root, site, cacheFolder });
  return { counts, picture: (file: string) => readFile(path.join(client, 'og', `${file}.png`)) };
}

test('A page has the picture that it names, with its own title', async () => {
  const { counts, picture } = await draw('site', {
    '/': page('home', site.tagline),
    '/pricing/how-to-buy': page('pricing/how-to-buy', 'How to buy &#38; pay'),
  });
  expect(counts).toEqual({ named: 2, drawn: 2 });
  expect(await picture('home')).not.toEqual(await picture('pricing/how-to-buy'));
});

test('The same words are drawn once, and what no page names any more is not kept', async () => {
  const first = await draw('first', { '/a': page('a', 'A title'), '/b': page('b', 'Another') });
  const second = await draw('second', { '/a': page('a', 'A title') });
  expect(second.counts).toEqual({ named: 1, drawn: 0 });
  expect(await second.picture('a')).toEqual(await first.picture('a'));
  expect(await readdir(path.join(folder, 'cache'))).toHaveLength(1);
});

test('A picture that many pages name has the title of the page that it belongs to', async () => {
  const blog = { '/blog': page('blog', 'Blog') };
  const many = { '/a': page('blog', 'First'), ...blog, '/blog/old': page('blog', 'Old') };
  const alone = await draw('alone', blog);
  const together = await draw('together', many);
  expect(together.counts).toEqual({ named: 1, drawn: 0 });
  expect(await together.picture('blog')).toEqual(await alone.picture('blog'));
});

test('On an article about a skill area its flower grows, and on others a vine', async () => {
  const { picture } = await draw('site', {
    '/blog/a': page('blog/a', 'A title', articleOf('Web design')),
    '/blog/b': page('blog/b', 'A title', articleOf('Sales and marketing')),
    '/blog/c': page('blog/c', 'A title', articleOf('About us')),
  });
  /** The right part of a picture, which has no text. */
  const drawn = async (name: string) =>
    (
      await sharp(await picture(name))
        .extract({ left: 800, top: 0, width: 400, height: 630 })
        .raw()
        .toBuffer()
    ).toString('base64');
  expect(new Set(await Promise.all(['blog/a', 'blog/b', 'blog/c'].map(drawn))).size).toBe(3);
});

test('Where nothing can be kept, and where an own picture is there already, the build goes on', async () => {
  await writeFile(path.join(folder, 'file'), '');
  await mkdir(path.join(folder, 'site/og'), { recursive: true });
  await writeFile(path.join(folder, 'site/og/own.png'), 'own');
  const pages = { '/a': page('a', 'A title'), '/own': page('own', 'Own') };
  const { counts, picture } = await draw('site', pages, path.join(folder, 'file/cache'));
  expect(counts).toEqual({ named: 2, drawn: 1 });
  expect((await picture('own')).toString()).toBe('own');
  expect((await sharp(await picture('a')).metadata()).format).toBe('png');
});

test('A page that leads to a picture elsewhere, or out of the folder, has none drawn', async () => {
  const { counts } = await draw('site', {
    '/a': page('../../a', 'A title'),
    '/b': '<meta property="og:image" content="https://other.example/b.png">',
    '/c': '<h1>No picture</h1>',
  });
  expect(counts).toEqual({ named: 0, drawn: 0 });
});

const CHART = `<table class="before-after figures"><caption>People who left</caption><tbody>
  <tr><th scope="row">Before</th><td aria-hidden="true"><svg><rect width="100" height="10" class="fill-petal"></rect><rect x="0" width="100" height="10" class="fill-edge"></rect></svg></td><td>4 of 6</td></tr>
  <tr><th scope="row">After</th><td aria-hidden="true"><svg><rect width="100" height="10" class="fill-petal"></rect><rect x="0" width="25" height="10" class="fill-leaf"></rect></svg></td><td>1 of 6</td></tr></tbody></table>`;

test('A chart is read as the page draws it, and one with many rows is left out', () => {
  expect(chartIn(CHART)).toEqual({
    title: 'People who left',
    rows: [
      { label: 'Before', value: '4 of 6', x: 0, width: 100, fill: 'edge' },
      { label: 'After', value: '1 of 6', x: 0, width: 25, fill: 'leaf' },
    ],
  });
  expect(chartIn(CHART.replace('</tbody>', '<tr></tr>'.repeat(3)))).toBeUndefined();
  expect(chartIn('<table><tr><th>Month</th></tr></table>')).toBeUndefined();
});

test('The picture of an article shows its chart, and changes with it', async () => {
  const of = (chart: string) => page('blog/a', 'A title', articleOf('Web design') + chart);
  const without = await draw('without', { '/blog/a': of('') });
  const first = await draw('first', { '/blog/a': of(CHART) });
  const second = await draw('second', { '/blog/a': of(CHART.replace('width="25"', 'width="90"')) });
  const pictures = await Promise.all(
    [without, first, second].map(({ picture }) => picture('blog/a')),
  );
  expect(new Set(pictures.map(String)).size).toBe(3);
  // Pages that only list others have none.
  const listed = await draw('list', { '/blog/a': page('blog/a', 'A title', CHART) });
  const plain = await draw('plain', { '/blog/a': page('blog/a', 'A title') });
  expect(await listed.picture('blog/a')).toEqual(await plain.picture('blog/a'));
});
