import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { type Route, routes } from '#lib/routing/routes.ts';

const src = fileURLToPath(new URL('../../src/', import.meta.url));
const folder = `${src}pages/`;

function fileOf({ path: address }: Route): string {
  const candidates = [
    `${address}.astro`,
    `${address}/index.astro`.replace('//', '/'),
    `${address}.ts`,
  ].map((file) => folder + file.slice(1));
  const file = candidates.find((each) => existsSync(each));
  if (!file) throw new Error(`${address} has no page: ${candidates.join(' or ')}`);
  return file;
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
    const source = await readFile(fileOf(route), 'utf8');
    const hasNone = !source.includes('#layouts/');
    const onlyRedirects = hasNone && source.includes('Astro.redirect');
    const isFile = hasNone && source.includes('const GET');
    expect(
      onlyRedirects || isFile || wears(source, layout),
      'change the row in lib/routing/routes.ts, or the layout',
    ).toBe(true);
  },
);

/** The imports of a module that are left when it's built: all but those of types. */
function builtImports(text: string, isAstro: boolean): string[] {
  const code = isAstro ? (/^---\n(.*?)^---$/ms.exec(text)?.[1] ?? '') : text;
  const { statements } = ts.createSourceFile('module.ts', code, ts.ScriptTarget.Latest);
  return statements.flatMap((each) => {
    if (!ts.isImportDeclaration(each) && !ts.isExportDeclaration(each)) return [];
    const clause = ts.isImportDeclaration(each) ? each.importClause : undefined;
    const isType = ts.isImportDeclaration(each) ? clause?.isTypeOnly : each.isTypeOnly;
    const names = clause?.namedBindings;
    const isAllTypes =
      !clause?.name &&
      names !== undefined &&
      ts.isNamedImports(names) &&
      names.elements.length > 0 &&
      names.elements.every((name) => name.isTypeOnly);
    const from = each.moduleSpecifier;
    return isType || isAllTypes || !from || !ts.isStringLiteral(from) ? [] : [from.text];
  });
}

const imports = new Map<string, Promise<string[]>>();

/** The same for a file, which is read once. */
function importsOf(file: string): Promise<string[]> {
  const known = imports.get(file);
  if (known) return known;
  const found = readFile(file, 'utf8').then((text) => builtImports(text, file.endsWith('.astro')));
  imports.set(file, found);
  return found;
}

/** How a module leads to the content collections, as a chain of files; null if it doesn't. */
async function wayToContent(file: string, seen = new Set<string>()): Promise<string[] | null> {
  if (seen.has(file)) return null;
  seen.add(file);
  for (const specifier of await importsOf(file)) {
    if (specifier === 'astro:content') return [file, specifier];
    if (!/^[#.].*\.(astro|tsx?)$/.test(specifier)) continue;
    const target = specifier.startsWith('#')
      ? path.join(src, specifier.slice(1))
      : path.join(path.dirname(file), specifier);
    const way = await wayToContent(target, seen);
    if (way) return [file, ...way];
  }
  return null;
}

test.each(['Dashboard', 'Quiz', 'Signup'])(
  'The %s layout leads to no content collection: Astro would keep all that such a page renders',
  async (layout) => {
    expect(await wayToContent(`${src}layouts/${layout}.astro`)).toBeNull();
  },
);

test.each(
  routes
    .filter(({ rendering, guard }) => rendering === 'on-demand' && guard !== 'none')
    .map((route) => [route.path, route] as const),
)('%s leads to no content collection: the server would load all of content/', async (_, route) => {
  expect(await wayToContent(fileOf(route))).toBeNull();
});

test('The layout of public pages leads to one, so that the search for it finds it', async () => {
  expect(await wayToContent(`${src}layouts/Frame.astro`)).toContain('astro:content');
});
