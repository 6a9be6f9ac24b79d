/** Checks that a page's stylesheets cover the page. */
import { all, attribute, decoded, drawings, type Page, type Site } from './built-site.ts';

/** The URLs of the stylesheets that a page links. */
export const sheetsOf = (page: Page): string[] =>
  all(page, 'link[rel="stylesheet"]').map((link) => attribute(link, 'href') ?? '');

/** The classes that a stylesheet has rules for. */
function classesIn(css: string): Set<string> {
  const names = [...css.matchAll(/\.((?:\\.|[\w-])+)/g)].map(([, name = '']) => name);
  return new Set(names.map((name) => name.replace(/\\(.)/g, '$1')));
}

const classesBySheet = new WeakMap<Site, Map<string, Set<string>>>();

function classesOf(site: Site, sheet: string): Set<string> {
  const known = classesBySheet.get(site) ?? new Map<string, Set<string>>();
  classesBySheet.set(site, known);
  const classes = known.get(sheet) ?? classesIn(site.read(sheet).toString());
  known.set(sheet, classes);
  return classes;
}

/** The classes on a page's elements, drawings included. */
const classesOn = (page: Page) =>
  new Set(
    [...page.html.matchAll(/\sclass="([^"]*)"/g)].flatMap(([, value = '']) =>
      decoded(value).split(/\s+/),
    ),
  );

/**
 * Lists style defects: classes that only the stylesheet the page doesn't link has rules for, a link
 * to both or neither of `sheets`, and `<use>` references to other files, which CSS can't reach.
 * @param sheets the stylesheets of pages without and with islands; a page links exactly one
 */
export function styleDefects(site: Site, page: Page, sheets: readonly string[]): string[] {
  if (page.leadsOn) return [];
  const linked = sheetsOf(page);
  const own = sheets.filter((sheet) => linked.includes(sheet));
  if (own.length !== 1) return [`${page.file} links ${own.length} of ${sheets.join(' and ')}`];
  const has = (name: string) => linked.some((sheet) => classesOf(site, sheet).has(name));
  const missing = [...classesOn(page)].filter(
    (name) => !has(name) && sheets.some((sheet) => classesOf(site, sheet).has(name)),
  );
  const elsewhere = drawings(page)
    .map(({ tag, attributes }) => ({ tag, href: attributes.get('href') ?? '#' }))
    .filter(({ tag, href }) => tag === 'use' && !href.startsWith('#'));
  return [
    ...missing.map((name) => `${page.file} has the class ${name}, and ${own} has no rule for it`),
    ...elsewhere.map(({ href }) => `${page.file} draws ${href} out of another file`),
  ];
}
