/** Checks that everything a page links to, loads, or references exists. */
import type { HtmlElement } from 'html-validate';
import { importsOf } from '../fixtures/module-imports.ts';
import {
  all,
  at,
  attribute,
  drawings,
  leadsSomewhere,
  type Page,
  type Site,
} from './built-site.ts';

/** Attributes with URLs that people or crawlers follow, which may lead to other sites. */
const GONE_TO: [selector: string, name: string][] = [
  ['a[href]', 'href'],
  ['area[href]', 'href'],
  ['form[action]', 'action'],
  ['button[formaction]', 'formaction'],
  ['link[rel="canonical"]', 'href'],
  ['link[rel="alternate"]', 'href'],
  ['link[rel="prev"]', 'href'],
  ['link[rel="next"]', 'href'],
  ['meta[property="og:url"]', 'content'],
  ['blockquote[cite]', 'cite'],
];

/** Attributes with URLs that load automatically, which have to be on this site. */
const LOADED: [selector: string, name: string][] = [
  ...['script', 'img', 'source', 'video', 'audio', 'track', 'iframe', 'embed', 'input'].map(
    (tag): [string, string] => [`${tag}[src]`, 'src'],
  ),
  ['video[poster]', 'poster'],
  ['object[data]', 'data'],
  ['astro-island', 'component-url'],
  ['astro-island', 'renderer-url'],
  ['astro-island', 'before-hydration-url'],
  ...[
    'stylesheet',
    'icon',
    'apple-touch-icon',
    'manifest',
    'preload',
    'modulepreload',
    'prefetch',
    'preconnect',
    'dns-prefetch',
  ].map((rel): [string, string] => [`link[rel="${rel}"]`, 'href']),
  ['meta[property="og:image"]', 'content'],
];

/** The URLs in a srcset with their descriptors, such as `640w`. */
export const candidates = (srcset: string) =>
  srcset
    .split(/,\s+/)
    .map((each) => each.trim().split(/\s+/))
    .filter(([address]) => address !== '')
    .map(([address = '', size = '1x']) => ({ address, size }));

function addressesOf(page: Page, places: [string, string][]) {
  return places.flatMap(([selector, name]) =>
    all(page, selector).flatMap((element) => {
      const address = attribute(element, name);
      return address === null ? [] : [{ element, address }];
    }),
  );
}

const idsByPage = new WeakMap<Page, Set<string>>();

function idsOf(page: Page): Set<string> {
  const known = idsByPage.get(page);
  if (known) return known;
  const ids = new Set([
    ...all(page, '[id]').map((element) => attribute(element, 'id') ?? ''),
    ...drawings(page).flatMap(({ attributes }) => attributes.get('id') ?? []),
  ]);
  idsByPage.set(page, ids);
  return ids;
}

/** Whether an SVG file has an element with this id. */
const drawn = (site: Site, file: string, id: string) =>
  site.read(file).toString().includes(`id="${id}"`);

/** What's wrong with a URL on a page, or null if nothing is. */
function wrongWith(site: Site, page: Page, address: string, loaded: boolean): string | null {
  const base = new URL(page.path, site.origin);
  const url = URL.parse(address, base);
  if (!url) return 'is no address';
  if (url.protocol === 'mailto:' || url.protocol === 'tel:') {
    return !loaded && url.pathname !== '' ? null : 'has nobody';
  }
  if (url.protocol === 'data:') return loaded && /^image\//.test(url.pathname) ? null : 'is data';
  if (url.origin !== site.origin) {
    if (loaded) return 'is asked of another site';
    return url.protocol === 'https:' ? null : 'is not https';
  }
  const { pathname } = url;
  if (pathname !== '/' && pathname.endsWith('/')) return 'ends with a slash, and is led on';
  if (!leadsSomewhere(site, pathname)) return 'leads nowhere';
  const next = url.searchParams.get('next');
  if (next && !leadsSomewhere(site, new URL(next, base).pathname)) return 'leads on to nowhere';
  const target = site.pages.get(pathname);
  if (loaded && target && !address.startsWith('#')) return 'is a page, and is loaded as a part';
  if (target?.leadsOn) return 'leads to a page that only leads on';
  const id = decodeURIComponent(url.hash.slice(1));
  if (id === '') return null;
  if (target) return idsOf(target).has(id) ? null : 'leads to a part that is not there';
  if (pathname.endsWith('.svg')) return drawn(site, pathname, id) ? null : 'is not drawn there';
  return null;
}

/** Lists a page's links and resources that are missing, malformed, or not allowed. */
export function linkDefects(site: Site, page: Page): string[] {
  const defects: string[] = [];
  const look = (element: HtmlElement, address: string, loaded: boolean) => {
    const wrong = wrongWith(site, page, address, loaded);
    if (wrong) defects.push(`${at(page, element)} ${address} ${wrong}`);
  };
  for (const { element, address } of addressesOf(page, GONE_TO)) look(element, address, false);
  for (const { element, address } of addressesOf(page, LOADED)) look(element, address, true);
  for (const { tag, attributes } of drawings(page)) {
    for (const address of [attributes.get('href'), attributes.get('xlink:href')]) {
      const wrong = address !== undefined && wrongWith(site, page, address, tag !== 'a');
      if (wrong) defects.push(`${page.file} <${tag}> ${address} ${wrong}`);
    }
    for (const value of attributes.values()) {
      const id = /^url\(#([^)]+)\)$/.exec(value)?.[1];
      if (id && !idsOf(page).has(id)) defects.push(`${page.file} <${tag}> #${id} is not there`);
    }
  }
  for (const name of ['srcset', 'imagesrcset']) {
    for (const element of all(page, `[${name}]`)) {
      for (const { address } of candidates(attribute(element, name) ?? '')) {
        look(element, address, true);
      }
    }
  }
  for (const element of all(page, 'style')) {
    for (const address of addressesInStyles(element.textContent)) look(element, address, true);
  }
  // The rules in markup.ts check the other attributes that reference an id.
  for (const name of ['popovertarget', 'list', 'form']) {
    for (const element of all(page, `[${name}]`)) {
      const id = attribute(element, name);
      if (id && !idsOf(page).has(id)) {
        defects.push(`${at(page, element)} ${name}="${id}" names a part that is not there`);
      }
    }
  }
  return defects;
}

/** The URLs that a stylesheet loads. */
export function addressesInStyles(css: string): string[] {
  return [
    ...css.matchAll(/url\(\s*["']?([^"')]+)["']?\s*\)/g),
    ...css.matchAll(/@import\s+["']([^"']+)["']/g),
  ].map(([, address = '']) => address);
}

/** Lists missing or off-site URLs that the site's scripts and stylesheets load. */
export function assetDefects(site: Site): string[] {
  const defects: string[] = [];
  for (const file of site.files) {
    const asked = file.endsWith('.css')
      ? addressesInStyles(site.read(file).toString())
      : /^\/_astro\/.*\.js$/.test(file)
        ? importsOf(site.read(file).toString())
        : [];
    for (const address of asked) {
      if (address.startsWith('data:')) continue;
      const url = new URL(address, new URL(file, site.origin));
      if (url.origin !== site.origin) defects.push(`${file} ${address} is asked of another site`);
      else if (!site.files.has(url.pathname)) defects.push(`${file} ${address} leads nowhere`);
    }
  }
  return defects;
}
