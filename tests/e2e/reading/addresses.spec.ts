import { expect, test } from '../support/harness.ts';

test.use({ changesDemo: false });

test('No page in the site map is private or redirects', async ({ request }) => {
  const map = await (await request.get('/sitemap-0.xml')).text();
  const paths = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, address = '']) => new URL(address).pathname,
  );
  expect(paths.length).toBeGreaterThan(50);
  const hidden = /^\/(dashboard|admin|login|dev|test-chart)|thanks$/;
  // The blank plan is public.
  expect(paths.filter((path) => hidden.test(path))).toEqual([
    '/admin/one-page-business-plan-template',
  ]);
  for (const path of paths) {
    expect((await request.get(path, { maxRedirects: 0 })).status(), path).toBe(200);
  }
});

test('An address on a flyer redirects and keeps its query', async ({ request }) => {
  for (const address of ['/newmexicoworkshops?from=flyer', '/newmexicoworkshops/?from=flyer']) {
    expect((await request.get(address)).url()).toMatch(/\/events\?from=flyer$/);
  }
  const answer = await request.get('/newmexicoworkshops?from=flyer', { maxRedirects: 0 });
  expect([answer.status(), answer.headers()['cache-control']]).toEqual([302, 'no-store']);
});

test('A page can be read as data', async ({ request }) => {
  const page = await (await request.get('/about/_payload.json')).json();
  expect(page).toMatchObject({ collection: 'standing', id: 'about', path: '/about' });
  expect((await request.get('/nothing/_payload.json')).status()).toBe(404);
});
