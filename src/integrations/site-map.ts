/** `/sitemap-index.xml` and the files it names: every page that was built and may be found. */
import { existsSync, readFileSync } from 'node:fs';
import sitemap from '@astrojs/sitemap';
import type { AstroIntegration } from 'astro';

const NOINDEX = /<meta name="robots" content="[^"]*\bnoindex\b/;

/** Whether search engines may keep a page, by its own words. */
export function mayBeFound(html: string): boolean {
  return !NOINDEX.test(html);
}

/** The Astro integrations, in this order: one looks at the pages, the next lists them. */
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
            // Pages of what went wrong have files of another name.
            if (existsSync(file) && mayBeFound(readFileSync(file, 'utf8'))) {
              found.add(pathOf(`/${folder}`));
            }
          }
        },
      },
    },
    // Pages that are asked for were never looked at.
    sitemap({ filter: (address) => found.has(pathOf(address)) }),
  ];
}
