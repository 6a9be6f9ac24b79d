import { readFileSync } from 'node:fs';
import { satteri } from '@astrojs/markdown-satteri';
import mdx from '@astrojs/mdx';
import node from '@astrojs/node';
import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, fontProviders, sharpImageService } from 'astro/config';
import { parse } from 'yaml';
import { markdownElements } from './src/components/prose/markdown-elements.ts';
import { buildIdentity } from './src/integrations/build-identity.ts';
import { inParallel } from './src/integrations/in-parallel.ts';
import { ogPictures } from './src/integrations/og-pictures.ts';
import { searchIndex } from './src/integrations/search-index.ts';
import { siteMap } from './src/integrations/site-map.ts';

const words = parse(readFileSync(new URL('./content/site.yaml', import.meta.url), 'utf8'));

export default defineConfig({
  // Canonical addresses need the public one; everything else finds its address when asked.
  site: words.url,
  output: 'static',
  adapter: node({ mode: 'middleware', bodySizeLimit: 1024 * 1024 }),
  integrations: [
    react(),
    // What no component is in becomes plain HTML once, not again for each page.
    mdx({ optimize: true, processor: satteri({ hastPlugins: [markdownElements] }) }),
    buildIdentity(process.env.BUILD_ID),
    siteMap(),
    ...inParallel(
      // The bench times it by itself.
      ...(process.env.WITHOUT_SEARCH ? [] : [searchIndex()]),
      ogPictures(words),
    ),
  ],
  trailingSlash: 'never',
  build: {
    // A page links its stylesheet, which a browser keeps: no page carries styles of its own.
    inlineStylesheets: 'never',
    format: 'directory',
    // While one page is written to disk, others are drawn.
    concurrency: 8,
  },
  // AVIF in a third of the time for 3 % more bytes (the default is 4).
  image: { service: sharpImageService({ avif: { effort: 3 } }) },
  markdown: { syntaxHighlight: false },
  security: {
    // The front door checks where a form comes from: it knows the site's address behind a proxy.
    checkOrigin: false,
    // The front door adds what depends on an address (connect-src, img-src, frame-ancestors).
    csp: {
      directives: ["object-src 'none'", "base-uri 'self'", "font-src 'self'"],
      scriptDirective: { resources: ["'self'", "'inline-speculation-rules'"] },
    },
  },
  fonts: [
    {
      name: 'Fraunces',
      cssVariable: '--font-fraunces',
      provider: fontProviders.local(),
      fallbacks: ['Georgia', 'serif'],
      options: {
        variants: [
          {
            src: ['./src/styles/fonts/fraunces-headings.woff2'],
            weight: '480 560',
            style: 'normal',
          },
        ],
      },
    },
    {
      name: 'Figtree',
      cssVariable: '--font-figtree',
      provider: fontProviders.local(),
      fallbacks: ['Arial', 'sans-serif'],
      options: {
        variants: [
          {
            src: ['@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2'],
            weight: '300 900',
            style: 'normal',
          },
        ],
      },
    },
  ],
  devToolbar: { enabled: false },
  vite: {
    plugins: [tailwindcss()],
    // Every MDX file has such a directive, which means nothing to the bundler.
    build: {
      rolldownOptions: { checks: { moduleLevelDirective: false } },
      // A page is its words and styles, within the budget of its first answer; scripts come after it.
      assetsInlineLimit: (file) => (file.endsWith('.js') ? false : undefined),
    },
    environments: {
      prerender: {
        build: {
          rolldownOptions: {
            output: {
              // Words in a few large modules instead of two small ones for each article: with ten
              // thousand of them, a fifth of the time that a build takes.
              codeSplitting: { groups: [{ name: 'words', test: /\.mdx/, maxSize: 500_000 }] },
            },
          },
        },
      },
    },
  },
});
