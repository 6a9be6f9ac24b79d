import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Redirect, redirectProblems, redirectTarget } from '#lib/content/redirects.ts';
import { readRedirects, writeRedirectPages } from '#server/redirects.ts';

test.each<[Redirect[], string]>([
  [[{ from: '/a', to: '/a' }], '/a leads to itself.'],
  [
    [
      { from: '/a', to: '/b' },
      { from: '/b', to: '/a' },
    ],
    '/a leads to /b, which redirects again. Name the final address.',
  ],
  [
    [
      { from: '/a', to: '/events' },
      { from: '/a', to: '/blog' },
    ],
    '/a is listed twice. Keep one of them.',
  ],
  [[{ from: '/about', to: '/events' }], '/about is already a page. Choose another address.'],
  [[{ from: 'a', to: '/events' }], 'a isn’t a path such as /workshops.'],
  ...['//evil.example', '/\\evil.example', 'javascript:alert(1)', 'events'].map(
    (to): [Redirect[], string] => [
      [{ from: '/a', to }],
      `/a leads to ${to}. Use a path on this site or an https address.`,
    ],
  ),
  [[{ from: '/a', to: '/nowhere?x=1' }], '/a leads to /nowhere?x=1, which isn’t a page.'],
])('A list that cannot be used says why: %j', (redirects, sentence) => {
  expect(redirectProblems(redirects)).toContain(sentence);
});

test('A list that can be used has nothing to say', () => {
  const list = [
    { from: '/a', to: '/events#next' },
    { from: '/b', to: 'https://example.org/' },
  ];
  expect(redirectProblems(list)).toEqual([]);
});

test('A reader goes on with the query that they came with', () => {
  const list = [
    { from: '/a', to: '/contact?topic=event#form' },
    { from: '/b', to: '/events' },
  ];
  expect(redirectTarget(list, '/b', '?from=flyer')).toBe('/events?from=flyer');
  expect(redirectTarget(list, '/a', '?from=flyer')).toBe('/contact?topic=event&from=flyer#form');
  expect(redirectTarget(list, '/a', '')).toBe('/contact?topic=event#form');
  expect(redirectTarget(list, '/c', '?x')).toBeNull();
});

test('A circle stops whoever reads the list, with the addresses in it', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'trellis-redirects-'));
  try {
    await mkdir(path.join(root, 'content'));
    const file = path.join(root, 'content/redirects.yaml');
    await writeFile(file, '- { from: /a, to: /b }\n- { from: /b, to: /a }\n');
    await expect(readRedirects(root)).rejects.toThrow(/redirects\.yaml[\s\S]*\/a leads to \/b/);
    await writeFile(file, '- { from: /a, too: /events }\n');
    await expect(readRedirects(root)).rejects.toThrow(/redirects\.yaml[\s\S]*to/);
    await writeRedirectPages(root, [{ from: '/a', to: '/events?x=1&y="2"' }]);
    const page = await readFile(path.join(root, 'a/index.html'), 'utf8');
    expect(page).toContain('url=/events?x=1&#38;y=&#34;2&#34;');
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
