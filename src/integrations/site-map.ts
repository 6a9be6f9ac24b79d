/** Writes `/sitemap-index.xml` and its parts: every built page that search engines may index. */
import { existsSync, readFileSync } from 'node:fs';
import sitemap from '@astrojs/sitemap';
import type { AstroIntegration } from 'astro';
import { DEFAULT_LANGUAGE, LANGUAGES } from '#domain/language.ts';

/** Each language's code by its prefix in addresses, which is the same. */
const CODES = Object.fromEntries(Object.keys(LANGUAGES).map((code) => [code, code]));

const NOINDEX = /<meta name="robots" content="[^"]*\bnoindex\b/;

/** Whether a page's own HTML allows search engines to index it. */
export function mayBeFound(html: string): boolean {
  return !NOINDEX.test(html);
}

/** The Astro integrations, in this order: the first finds the pages, the second lists them. */
export function siteMap(): AstroIntegration[] {
  const found = new Set<string>();
  const pathOf = (address: string) => new URL(address, 'http://site').pathname.replace(/\/$/, '');
  return [
    {
      name: 'site-map-pages',
      hooks: {
        'astro:build:done': ({ dir, pages }) => {
          for (const { pathname } of pages) {
            const folder = pathname.replace(/^\/|\/$/g, '');
            const file = new URL(`${folder ? `${folder}/` : ''}index.html`, dir);
            // Error pages have other file names, so they're skipped.
            if (existsSync(file) && mayBeFound(readFileSync(file, 'utf8'))) {
              found.add(pathOf(`/${folder}`));
            }
          }
        },
      },
    },
    // Pages rendered on demand aren't in `found`, so this leaves them out.
    // A page in several languages is listed with all of them.
    sitemap({
      filter: (address) => found.has(pathOf(address)),
      i18n: { defaultLocale: DEFAULT_LANGUAGE, locales: CODES },
    }),
  ];
}
