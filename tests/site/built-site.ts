/** Gives the tests in this folder the built site's files and parsed pages. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type HtmlElement,
  HtmlValidate,
  type Location,
  Parser,
  StaticConfigLoader,
} from 'html-validate';
import { projectRoot } from '#backend/local/project-root.ts';
import { mayBeFound } from '#integrations/site-map.ts';
import { isErrorPage, match } from '#lib/routing/routes.ts';

/** A prerendered page. */
export interface Page {
  /** The URL path, such as `/about`. */
  path: string;
  /** The path within the build folder, such as `/about/index.html`. */
  file: string;
  html: string;
  root: HtmlElement;
  /** Whether it has `noindex`. */
  hidden: boolean;
  /** Whether it only redirects to another URL. */
  leadsOn: boolean;
}

/** The whole site, as the checks see it. */
export interface Site {
  /** The public origin of all absolute URLs. */
  origin: string;
  /** Paths of all files, each starting with `/`, without the compressed copies. */
  files: ReadonlySet<string>;
  pages: ReadonlyMap<string, Page>;
  read(file: string): Buffer;
}

const reader = new HtmlValidate(new StaticConfigLoader({ root: true }));
let parser: Promise<Parser> | undefined;

/** Parses a page's HTML. */
export async function openPage(file: string, html: string): Promise<Page> {
  parser ??= reader.getConfigFor(file).then((config) => new Parser(config));
  const source = { data: html, filename: file, line: 1, column: 1, offset: 0 };
  const address = file.replace(/\/index\.html$/, '').replace(/\.html$/, '');
  return {
    path: address === '' ? '/' : address,
    file,
    html,
    root: (await parser).parseHtml(source),
    hidden: !mayBeFound(html),
    leadsOn: html.includes('<meta http-equiv="refresh"'),
  };
}

/** Creates a site from files that a test defines. */
export async function siteOf(
  files: Record<string, string | Buffer>,
  origin = 'https://site.example',
): Promise<Site> {
  const pages = new Map<string, Page>();
  for (const [file, content] of Object.entries(files)) {
    if (!file.endsWith('.html')) continue;
    const page = await openPage(file, String(content));
    pages.set(page.path, page);
  }
  return {
    origin,
    files: new Set(Object.keys(files)),
    pages,
    read: (file) => Buffer.from(files[file] ?? ''),
  };
}

/** Loads the site that `build-once.ts` built. */
export async function builtSite(): Promise<Site> {
  const client = process.env.TEST_BUILT_SITE;
  if (!client) throw new Error('tests/site/build-once.ts has not built the site.');
  const { url } = await import('#lib/content/site.ts').then(({ site }) => site);
  const files = readdirSync(client, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => `/${path.relative(client, path.join(entry.parentPath, entry.name))}`);
  const read = (file: string) => readFileSync(path.join(client, file));
  const pages = new Map<string, Page>();
  for (const file of files) {
    if (!file.endsWith('.html')) continue;
    const page = await openPage(file, read(file).toString());
    pages.set(page.path, page);
  }
  return { origin: new URL(url).origin, files: new Set(files), pages, read };
}

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Decodes character references. Unknown names stay as they are. */
export function decoded(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    return ENTITIES[name] ?? all;
  });
}

/** An element's text, with whitespace collapsed. */
export const wordsOf = (element: HtmlElement) =>
  decoded(element.textContent).replace(/\s+/g, ' ').trim();

const wordsByPage = new WeakMap<Page, string>();

/** A page's visible text, with whitespace collapsed. */
export function shownWords(page: Page): string {
  const known = wordsByPage.get(page);
  if (known !== undefined) return known;
  const text = page.html
    .slice(page.html.indexOf('<body'))
    .replace(/<(script|style|template)\b.*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, '');
  const words = decoded(text).replace(/\s+/g, ' ').trim();
  wordsByPage.set(page, words);
  return words;
}

/** The decoded value of an attribute, or null if the element doesn't have it. */
export function attribute(element: HtmlElement, name: string): string | null {
  const value = element.getAttributeValue(name);
  return value === null ? null : decoded(value);
}

/** All elements that match a selector. */
export const all = (page: Page, selector: string): HtmlElement[] =>
  page.root.querySelectorAll(selector);

/** An `<svg>` or an element inside one. The HTML parser skips what's inside. */
export interface Drawn {
  tag: string;
  attributes: ReadonlyMap<string, string>;
}

const drawnOn = new WeakMap<Page, Drawn[]>();

/** All SVG elements on a page. */
export function drawings(page: Page): Drawn[] {
  const known = drawnOn.get(page);
  if (known) return known;
  const drawn = [...page.html.matchAll(/<svg[\s>].*?<\/svg>/gs)].flatMap(([svg]) =>
    [...svg.matchAll(/<([a-z][\w:-]*)((?:\s+[^\s=>/"]+(?:="[^"]*")?)*)\s*\/?>/gi)].map(
      ([, tag = '', attributes = '']) => ({
        tag,
        attributes: new Map(
          [...attributes.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)].map(
            ([, name = '', value = '']) => [name, decoded(value)] as const,
          ),
        ),
      }),
    ),
  );
  drawnOn.set(page, drawn);
  return drawn;
}

/** Formats an element's file, line, column, and tag for an error message. */
export function at(page: Page, element: HtmlElement): string {
  const { line, column }: Location = element.location;
  return `${page.file}:${line}:${column} <${element.tagName}>`;
}

/** The named attribute of the first element that matches, or null. */
export function one(page: Page, selector: string, name: string): string | null {
  const found = page.root.querySelector(selector);
  return found && attribute(found, name);
}

/** Whether a path leads to a built page, a file, a page rendered on demand, or a function. */
export function leadsSomewhere(site: Site, pathname: string): boolean {
  if (site.pages.has(pathname) || site.files.has(pathname)) return true;
  const name = /^\/functions\/v1\/([a-z][a-z0-9-]*)$/.exec(pathname)?.[1];
  if (name) {
    const folder = path.join(projectRoot, 'src/backend/supabase/functions', name);
    return existsSync(path.join(folder, 'index.ts'));
  }
  return !isErrorPage(pathname) && match(pathname)?.route.rendering === 'on-demand';
}

/** The path of a URL on this site, or null if the URL is on another site. */
export function ownPath(site: Site, address: string): string | null {
  const url = URL.parse(address);
  return url?.origin === site.origin ? url.pathname : null;
}

/** Whether an absolute URL is that of a built page that search engines may index. */
export function isPublicPage(site: Site, address: string): boolean {
  const page = site.pages.get(ownPath(site, address) ?? '');
  return page !== undefined && !page.hidden;
}
