/**
 * The product's content: one collection per folder of `content/`, each with a schema in
 * `collections/` that documents every field. A file that doesn't match its schema fails the build.
 * The quiz and the toolbox are also loaded into the database, which is authoritative from then on.
 */
import { defineCollection } from 'astro/content/config';
import { file, glob } from 'astro/loaders';
import { parse } from 'yaml';
import { coachingSchema } from './collections/coaching.ts';
import {
  caseStudySchema,
  pageSchema,
  serviceSchema,
  standingSchema,
  translatedPageSchema,
} from './collections/pages.ts';
import {
  articleSchema,
  eventSchema,
  pressSchema,
  pricingSchema,
  redirectSchema,
  releaseSchema,
  testimonialSchema,
} from './collections/publishing.ts';
import { areaSchema, quizVersionSchema } from './collections/quiz.ts';
import { homeSchema, siteSchema } from './collections/site.ts';
import { surveySchema } from './collections/survey.ts';
import { toolboxSchema } from './collections/toolbox.ts';
import { namedSlug } from './collections/vocabulary.ts';

/**
 * Without texts and their HTML: once a page rendered on demand needs some data, the server keeps that of
 * all entries in memory. HTML is made of what's shown; the built pages read texts with `bodyOf`.
 */
const entries = (options: Parameters<typeof glob>[0]) =>
  glob({ ...options, deferRender: true, retainBody: false });
const folder = (name: string, pattern = '*.mdx') =>
  entries({ base: `./content/${name}`, pattern: [pattern, '!_*'] });
const single = (path: string, id: string) =>
  file(path, { parser: (text) => ({ [id]: parse(text) }) });

/** An article's id is the last segment of its URL, with `{product}` filled in. */
const blog = entries({
  base: './content/blog',
  pattern: ['*.mdx', '!_*'],
  generateId: ({ entry, data }) =>
    data.address === undefined ? entry.replace(/\.mdx$/, '') : namedSlug.parse(data.address),
});

/** `es/pricing-a-job` */
const translatedId = ({ entry }: { entry: string }) =>
  entry.replace('/pages/', '/').replace(/\.mdx$/, '');

export const collections = {
  site: defineCollection({ loader: single('content/site.yaml', 'site'), schema: siteSchema }),
  home: defineCollection({ loader: single('content/home.yaml', 'home'), schema: homeSchema }),
  areas: defineCollection({
    loader: file('content/quiz/areas.yaml', {
      parser: (text) =>
        Object.fromEntries(parse(text).map((area: { key: string }) => [area.key, area])),
    }),
    schema: areaSchema,
  }),
  quiz: defineCollection({ loader: folder('quiz', 'version-*.yaml'), schema: quizVersionSchema }),
  toolbox: defineCollection({ loader: folder('toolbox', '*.md'), schema: toolboxSchema }),
  'case-studies': defineCollection({ loader: folder('case-studies'), schema: caseStudySchema }),
  pages: defineCollection({ loader: folder('pages'), schema: pageSchema }),
  'translated-pages': defineCollection({
    // Folders of two letters are languages.
    loader: entries({ base: './content', pattern: '??/pages/*.mdx', generateId: translatedId }),
    schema: translatedPageSchema,
  }),
  standing: defineCollection({ loader: folder('standing'), schema: standingSchema }),
  services: defineCollection({ loader: folder('services'), schema: serviceSchema }),
  blog: defineCollection({ loader: blog, schema: articleSchema }),
  releases: defineCollection({ loader: folder('releases'), schema: releaseSchema }),
  events: defineCollection({ loader: folder('events'), schema: eventSchema }),
  press: defineCollection({ loader: folder('press'), schema: pressSchema }),
  testimonials: defineCollection({
    loader: folder('testimonials', '*.yaml'),
    schema: testimonialSchema,
  }),
  pricing: defineCollection({
    loader: single('content/pricing.yaml', 'pricing'),
    schema: pricingSchema,
  }),
  survey: defineCollection({
    loader: single('content/survey.yaml', 'survey'),
    schema: surveySchema,
  }),
  coaching: defineCollection({
    loader: single('content/coaching.yaml', 'coaching'),
    schema: coachingSchema,
  }),
  redirects: defineCollection({
    loader: file('content/redirects.yaml', {
      parser: (text) =>
        Object.fromEntries(parse(text).map((each: { from: string }) => [each.from, each])),
    }),
    schema: redirectSchema,
  }),
};
