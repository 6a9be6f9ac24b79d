import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { isErrorPage, type Route, routes } from '#lib/routes.ts';

const folder = fileURLToPath(new URL('../../src/pages/', import.meta.url));

/** `dashboard/skills/quiz/[id].astro` → `/dashboard/skills/quiz/[id]`. */
const pathOf = (file: string) =>
  `/${file.replace(/\.(astro|ts)$/, '').replace(/(^|\/)index$/, '')}`.replace(
    /\/\[key\]/,
    '/[slug]',
  );

const files = (await readdir(folder, { recursive: true }))
  .filter((file) => file.endsWith('.astro'))
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => !file.startsWith('dev/') && !isErrorPage(pathOf(file)));
const sources = new Map(
  await Promise.all(
    files.map(
      async (file) => [pathOf(file), await readFile(path.join(folder, file), 'utf8')] as const,
    ),
  ),
);

const LAYOUTS: Record<Route['layout'], string> = {
  default: 'Default.astro',
  dashboard: 'Dashboard.astro',
  signup: 'Signup.astro',
  quiz: 'Quiz.astro',
};

test('Every page that exists has a row in the route table, and every row a page', () => {
  expect([...sources.keys()].sort()).toEqual(routes.map((route) => route.path).sort());
});

describe.each(routes.map((route) => [route.path, route] as const))('%s', (address, route) => {
  const source = sources.get(address) ?? '';

  test('is built or asked for, as its row says', () => {
    expect(/export const prerender = false/.test(source)).toBe(route.made === 'asked');
  });

  test('stands in the layout of its row', () => {
    const redirectsOnly = !source.includes('#layouts/');
    if (redirectsOnly) expect(source).toContain('Astro.redirect');
    // A page whose content chooses its layout names more than one.
    else expect(source).toContain(LAYOUTS[route.layout]);
  });
});
