import type { APIRequestContext } from '@playwright/test';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, test } from './support/harness.ts';

test.use({ changesDemo: false });

async function xml(request: APIRequestContext, path: string) {
  const answer = await request.get(path);
  expect(answer.status(), path).toBe(200);
  const text = await answer.text();
  expect(XMLValidator.validate(text), path).toBe(true);
  return new XMLParser().parse(text);
}

test('A feed reader finds the articles, the newest first, at addresses that answer', async ({
  request,
}) => {
  const { item } = (await xml(request, '/rss.xml')).rss.channel;
  const days = item.map(({ pubDate }: { pubDate: string }) => Date.parse(pubDate));
  expect(days.length).toBeGreaterThan(3);
  expect(days).toEqual(days.toSorted((a: number, b: number) => b - a));
  expect((await request.get(new URL(item[0].link).pathname)).status()).toBe(200);
});

test('A search engine finds every page in the site map, and none that is private or hidden', async ({
  request,
}) => {
  const robots = await (await request.get('/robots.txt')).text();
  const index = new URL(/^Sitemap: (.+)$/m.exec(robots)?.[1] ?? '').pathname;
  const { loc } = (await xml(request, index)).sitemapindex.sitemap;
  const { url } = (await xml(request, new URL(loc).pathname)).urlset;
  const paths: string[] = url.map((each: { loc: string }) => new URL(each.loc).pathname);
  expect(paths).toEqual(expect.arrayContaining(['/', '/about', '/blog', '/pricing/how-to-buy']));
  const hidden = /^\/(dashboard|admin|login|dev)|thanks$/;
  // The blank plan is for everybody.
  expect(paths.filter((path) => hidden.test(path))).toEqual([
    '/admin/one-page-business-plan-template',
  ]);
  for (const path of paths) {
    const answer = await request.get(path, { maxRedirects: 0 });
    expect(answer.status(), path).toBe(200);
    expect(await answer.text(), path).not.toContain('content="noindex"');
  }
});

test('A page can be read as data, and a weakness can be reported', async ({ request }) => {
  const page = await (await request.get('/about/_payload.json')).json();
  expect(page).toMatchObject({ collection: 'standing', id: 'about', path: '/about' });
  expect((await request.get('/nothing/_payload.json')).status()).toBe(404);
  const report = await (await request.get('/.well-known/security.txt')).text();
  expect(report).toMatch(/^Contact: mailto:\S+@\S+$/m);
});
