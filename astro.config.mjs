import { readFileSync } from 'node:fs';
import { satteri } from '@astrojs/markdown-satteri';
import mdx from '@astrojs/mdx';
import node from '@astrojs/node';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, fontProviders, sharpImageService } from 'astro/config';
import { parse } from 'yaml';
import { markdownElements } from './src/components/prose/markdown-elements.ts';
import { DEFAULT_LANGUAGE, LANGUAGES } from './src/domain/language.ts';
import { buildIdentity } from './src/integrations/build-identity.ts';
import { clientRest } from './src/integrations/client-rest.ts';
import { inParallel } from './src/integrations/in-parallel.ts';
import { ogPictures } from './src/integrations/og-pictures.ts';
import { reactIslands } from './src/integrations/react-islands.ts';
import { searchIndex } from './src/integrations/search-index.ts';
import { serverOutput } from './src/integrations/server-output.ts';
import { siteMap } from './src/integrations/site-map.ts';

const words = parse(readFileSync(new URL('./content/site.yaml', import.meta.url), 'utf8'));

/** Matches modules of src by their paths without an extension. */
const modules = (...paths) => new RegExp(`/src/(${paths.join('|')})\\.tsx?$`);

const CONTROLS = modules(
  'lib/(attempt|latest-answer)',
  'ui/(Confirm|Dialog|IconButton|Menu|Opener|shared-menu|use-answer|use-focus-back|use-unsaved)',
  'ui/forms/Select',
);
/** The icons that most screens with controls have. */
const ICONS = /[\\/]lucide-react[\\/].*[\\/]icons[\\/](check|download|ellipsis|x)\.mjs$/;

/**
 * Modules that pages load together, each group as one script. On their own, they would be dozens of
 * files of a few hundred bytes, which compress a third worse. A module that scripts of pages without
 * React use must not be in a group that needs React; `npm run bench -- weights` would show it.
 */
const scriptGroups = [
  {
    name: 'react',
    test: /node_modules[\\/](@astrojs[\\/])?(react|react-dom|scheduler)[\\/]/,
    priority: 2,
  },
  {
    name: 'requests',
    test: modules(
      'lib/(answer-within|app-config|app-error|http|visitor-call)',
      'lib/browser/(has-visitor-answers|load-module|stored)',
    ),
    priority: 1,
  },
  // What converts other errors, and whose it is: the first question needs neither.
  { name: 'errors', test: modules('lib/(classify-error|errors|session-cookie)'), priority: 1 },
  {
    name: 'island',
    test: /\/src\/(ui\/(Button|LineIcon|Notice|ScreenBoundary|class-names|use-ready)|stores\/toasts|lib\/browser\/when-idle)\.tsx?$|[\\/]@?nanostores[\\/](?!computed|lifecycle|map)/,
  },
  { name: 'toasts', test: modules('lib/browser/unsaved', 'stores/uncaught', 'ui/PlainToasts') },
  { name: 'build', test: modules('stores/(build|offline-page)') },
  // Visitors' pages load these without the groups below, which would take them along otherwise.
  { name: 'valibot', test: /[\\/]node_modules[\\/]valibot[\\/]/, priority: 1 },
  { name: 'coaching-session', test: modules('domain/session'), priority: 1 },
  { name: 'session-values', test: modules('domain/session-values'), priority: 1 },
  { name: 'language', test: modules('domain/language'), priority: 1 },
  { name: 'href', test: modules('lib/routing/(href|uuid)'), priority: 1 },
  { name: 'routes', test: modules('lib/routing/routes'), priority: 1 },
  { name: 'preload', test: /vite\/preload-helper/, priority: 1 },
  { name: 'rpc', test: modules('lib/(batch|rpc)') },
  { name: 'attempt', test: modules('domain/attempt') },
  { name: 'new-id', test: modules('lib/new-id') },
  { name: 'field', test: modules('ui/forms/(Field|TextArea|TextInput|inputs)') },
  { name: 'visitor-answers', test: modules('lib/browser/visitor-answers') },
  // On every signed-in page, and on those that sign in.
  {
    name: 'session',
    test: modules(
      'data/session',
      'domain/(business|person)',
      'lib/locale/(dates|zone-offsets)',
      'session/session-facts',
      'stores/session',
    ),
  },
  // On every signed-in page: its frame.
  {
    name: 'shell',
    test: modules(
      'features/shell/((Account|BusinessSwitch|Shell)Screen|begin-shell)',
      'lib/(business-choice|files/image-request)',
      'lib/browser/(unread-title|unsent-here|write-cookie)',
      'stores/(unread|when-back)',
      'ui/(Avatar|Still|use-part)',
    ),
  },
  // The queue of unsent changes. Pages that write nothing load it once they're idle.
  {
    name: 'sync',
    test: modules(
      'sync/(environment|failure|kind|page-sync|queue|queue-storage|retry-schedule|sync)',
    ),
  },
  {
    name: 'messages',
    test: modules('data/(conversations|correspondents|messages)', 'domain/message', 'stores/front'),
  },
  {
    name: 'coaching',
    test: modules(
      'data/(coaching(-actions|-sessions|-timeline)?|own-coaching|session-grants)',
      'domain/(engagement|session-grant)',
    ),
  },
  { name: 'stored-files', test: modules('lib/files/(file-text|stored-files)') },
  // Of pages that take files and send what was written without a connection.
  {
    name: 'uploads',
    test: /\/src\/(lib\/files\/uploads|sync\/pending-list|ui\/(use-file-drop|forms\/FileInput))\.tsx?$|[\\/]lucide-react[\\/].*[\\/]icons[\\/]paperclip\.mjs$/,
  },
  // What people operate lists with, and what they fill in.
  { name: 'controls', test: (id) => CONTROLS.test(id) || ICONS.test(id) },
  // Apart from the forms, because screens that save as you type have checkboxes, too.
  { name: 'checkbox', test: modules('ui/forms/Checkbox') },
  {
    name: 'forms',
    test: modules('ui/forms/(Form|use-schema-form)'),
  },
  // Apart from the bloom, because other charts have levels, too.
  { name: 'levels', test: modules('domain/level', 'ui/charts/levels'), priority: 1 },
  { name: 'bloom', test: modules('ui/charts/(Bars|Bloom|BloomTable)') },
  { name: 'chart-values', test: modules('lib/locale/numbers', 'ui/charts/values') },
  { name: 'chart-card', test: modules('ui/charts/(ChartCard|NumbersTable)') },
  // The quiz has it from the start, and a few dialogs; other islands don't need it.
  { name: 'radio-card', test: modules('ui/forms/RadioCard') },
  { name: 'progress', test: modules('ui/Progress') },
  { name: 'saving', test: modules('ui/SaveStatus') },
  {
    name: 'quiz',
    test: modules(
      'features/quiz/(Question|QuestionMap|Quiz|advance|ending|quiz-store|steps|use-quiz-keys)',
    ),
  },
];

/**
 * Dynamic imports add no links for the scripts that they need: the names of those would be a
 * hundredth of what a screen loads. A plugin, because Astro sets the option itself.
 */
const withoutPreloads = {
  name: 'without-preloads',
  configEnvironment: (name) => (name === 'client' ? { build: { modulePreload: false } } : {}),
};

/** Turns .md and .mdx into this site's HTML. */
const markdown = satteri({ hastPlugins: [markdownElements] });

export default defineConfig({
  // Canonical URLs must name the public origin. Everything else learns its origin at run time.
  site: words.url,
  output: 'static',
  // Not streamed: the middleware compresses a page whole.
  adapter: node({
    mode: 'middleware',
    bodySizeLimit: 1024 * 1024,
    experimentalDisableStreaming: true,
  }),
  integrations: [
    reactIslands(),
    clientRest(),
    // MDX without components compiles to plain HTML once instead of being rendered on every page.
    mdx({ optimize: true, processor: markdown }),
    buildIdentity(process.env.BUILD_ID),
    siteMap(),
    ...inParallel(
      // The benchmark times the search index separately.
      ...(process.env.WITHOUT_SEARCH ? [] : [searchIndex()]),
      ogPictures(words),
    ),
  ],
  i18n: { locales: Object.keys(LANGUAGES), defaultLocale: DEFAULT_LANGUAGE },
  trailingSlash: 'never',
  build: {
    // Browsers cache a linked stylesheet; inlined styles would be sent with every page.
    inlineStylesheets: 'never',
    format: 'directory',
    // Other pages render while one is being written to disk.
    concurrency: 8,
  },
  // Effort 3 encodes AVIF in a third of the time for 3% more bytes (the default is 4).
  image: { service: sharpImageService({ avif: { effort: 3 } }) },
  markdown: { syntaxHighlight: false, processor: markdown },
  security: {
    // Our HTTP server checks the origin of form posts: it knows the site's address behind a proxy.
    checkOrigin: false,
    // Our HTTP server adds connect-src, img-src, and frame-ancestors, which only works in a header.
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
    plugins: [tailwindcss(), withoutPreloads],
    // The server needs a part of each of these; as packages of their own it would load them whole.
    ssr: {
      noExternal: [
        'lucide-react',
        'marked',
        'nanostores',
        'radix-ui',
        'react-hook-form',
        'valibot',
        'zod',
        /^d3-/,
        /^@(dnd-kit|floating-ui|hookform|nanostores|radix-ui|supabase|tanstack)\//,
      ],
    },
    // Every compiled MDX file has a module-level directive that the bundler would warn about.
    build: {
      rolldownOptions: { checks: { moduleLevelDirective: false } },
      // An inlined script would count against the HTML's size budget; a linked one loads later.
      assetsInlineLimit: (file) => (file.endsWith('.js') ? false : undefined),
    },
    environments: {
      ssr: { build: { rolldownOptions: { output: serverOutput } } },
      client: {
        build: {
          rolldownOptions: {
            output: {
              codeSplitting: { groups: scriptGroups },
              // Chrome compiles it while it loads, and not function by function while the page hydrates.
              postBanner: ({ name }) => (name === 'react' ? '//# allFunctionsCalledOnLoad' : ''),
            },
          },
        },
      },
      prerender: {
        build: {
          rolldownOptions: {
            output: {
              // A few large modules instead of two small ones per article. With ten thousand
              // articles, that saves a fifth of the build time.
              codeSplitting: { groups: [{ name: 'words', test: /\.mdx/, maxSize: 500_000 }] },
            },
          },
        },
      },
    },
  },
});
