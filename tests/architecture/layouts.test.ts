import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type Route, routes } from '#lib/routing/routes.ts';

const folder = fileURLToPath(new URL('../../src/pages/', import.meta.url));

async function sourceOf({ path }: Route): Promise<string> {
  const candidates = [`${path}.astro`, `${path}/index.astro`.replace('//', '/'), `${path}.ts`];
  const found = await Promise.allSettled(candidates.map((file) => readFile(folder + file, 'utf8')));
  const source = found.find((each) => each.status === 'fulfilled');
  if (!source) throw new Error(`${path} has no page: ${candidates.join(' or ')}`);
  return source.value;
}

/** Whether a page uses a layout. `Reading` takes one as a prop; `Standing` uses the default one. */
const wears = (source: string, layout: Route['layout']) => {
  const name = layout.charAt(0).toUpperCase() + layout.slice(1);
  if (source.includes(`#layouts/${name}.astro`)) return true;
  return (
    (layout === 'default' && source.includes('#layouts/Standing.astro')) ||
    (source.includes('#layouts/Reading.astro') &&
      (layout === 'default' || source.includes('layout=')))
  );
};

test.each(routes.map((route) => [route.path, route.layout, route] as const))(
  '%s stands in the %s layout, as its row says',
  async (_path, layout, route) => {
    const source = await sourceOf(route);
    const hasNone = !source.includes('#layouts/');
    const onlyRedirects = hasNone && source.includes('Astro.redirect');
    const isFile = hasNone && source.includes('const GET');
    expect(
      onlyRedirects || isFile || wears(source, layout),
      'change the row in lib/routing/routes.ts, or the layout',
    ).toBe(true);
  },
);
