import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type GatewaySite, openSite } from '../gateway/site.ts';

let site: GatewaySite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());
beforeEach(() => site.sql`truncate public.page_views, public.rate_limits`);

const send = (body: string, init: { address?: string; headers?: Record<string, string> } = {}) =>
  site.ask('/functions/v1/page-view', { method: 'POST', body, ...init });
const see = (route: string, path = route, init = {}) => send(JSON.stringify({ route, path }), init);
const counted = async () =>
  (await site.sql`select route, path, views::int from public.page_views order by path`).map(
    ({ route, path, views }) => `${route} ${path} ${views}`,
  );

describe('What is no view of a page', () => {
  test.each([
    ['words', 'about us'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '["/about"]'],
    ['no path', '{"route":"/about"}'],
    ['a number', '{"route":"/about","path":1}'],
  ])('%s is refused', async (_name, body) => {
    expect((await send(body)).status).toBe(422);
    expect(await counted()).toEqual([]);
  });

  const ID = '0198f2b6-1d2c-7000-8000-00805f9b34fb';
  test.each([
    ['a query', '/about', '/about?email=a@example.test'],
    ['a fragment', '/about', '/about#a'],
    ['another page than the route', '/about', '/pricing'],
    ['a longer path than the route', '/blog/[slug]', '/blog/a/b'],
    ['another site', '//evil.example', '//evil.example'],
    ['a path that leads up', '/blog/[slug]', '/blog/..'],
    ['words in a path', '/blog/[slug]', '/blog/ines%20wants%20a%20loan'],
    ['the id of a record', '/dashboard/skills/quiz/[id]', `/dashboard/skills/quiz/${ID}`],
    ['an id in the place of words', '/blog/[slug]', `/blog/${ID}`],
    ['an id in a route', `/blog/${ID}`, `/blog/${ID}`],
    ['the path of an unknown page', 'unknown', '/ines@example.test'],
    ['a page that the site does not have', '/made-up', '/made-up'],
    ['a pattern that the site does not have', '/made-up/[slug]', '/made-up/by-hand'],
    ['a route in words', 'about us', 'about us'],
    ['a pattern of its own', '/(.*)', '/x'],
    ['more than 200 characters', '/blog/[slug]', `/blog/${'a'.repeat(195)}`],
  ])('%s is refused', async (_name, route, path) => {
    const answer = await see(route, path);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toEqual({ message: 'This isn’t a page of the site' });
    expect(await counted()).toEqual([]);
  });

  test('More than a kilobyte is not read, whether it says its length or not', async () => {
    const long = JSON.stringify({ route: '/about', path: '/about', more: 'x'.repeat(1024) });
    expect((await send(long)).status).toBe(413);
    expect((await send(long, { headers: { 'content-length': '10' } })).status).toBe(413);
    expect(await counted()).toEqual([]);
  });
});

describe('Views of pages', () => {
  test('Each is counted, without a key and without an answer to read', async () => {
    const answer = await see('/about');
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    await see('/about', '/about/');
    await see('/');
    await see('/blog/[slug]', '/blog/cash-flow-2026');
    await see('/dashboard/skills/quiz/[id]');
    await see('unknown');
    expect(await counted()).toEqual([
      '/ / 1',
      '/about /about 2',
      '/blog/[slug] /blog/cash-flow-2026 1',
      '/dashboard/skills/quiz/[id] /dashboard/skills/quiz/[id] 1',
      'unknown unknown 1',
    ]);
  });

  test('One address counts 120 times a minute, whatever it says it is; others go on', async () => {
    for (let round = 0; round < 122; round += 1) {
      const headers = { 'x-forwarded-for': `198.51.100.${round}` };
      expect((await see('/about', '/about', { headers })).status).toBe(204);
    }
    expect(await counted()).toEqual(['/about /about 120']);
    await see('/about', '/about', { address: '192.0.2.77' });
    expect(await counted()).toEqual(['/about /about 121']);
  });

  test('No address is stored, and tomorrow the same one is another', async () => {
    await see('/about');
    await see('/about');
    const today = await site.sql`select key, hits from public.rate_limits`;
    expect(today).toEqual([{ key: expect.stringMatching(/^page-view:[\w-]{43}$/), hits: 2 }]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 3600 * 1000 });
    try {
      await see('/about');
    } finally {
      vi.useRealTimers();
    }
    expect(await site.sql`select key from public.rate_limits`).toHaveLength(2);
    expect(JSON.stringify(today)).not.toContain('192.0.2');
  });
});
