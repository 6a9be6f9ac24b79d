/**
 * The words of the product: one collection per folder of `content/`, and one schema for each,
 * with every field explained. A file that does not fit stops the build with the message below.
 * What the quiz and the toolbox hold is also loaded into the database, which rules from then on.
 */
import { defineCollection } from 'astro/content/config';
import { file, glob } from 'astro/loaders';
import { z } from 'astro/zod';
import { parse } from 'yaml';

const areaKeys = [
  'web-design',
  'custom-research',
  'growth-strategy',
  'sales-marketing',
  'business-planning',
  'people-management',
  'financial-projection',
  'operations-workflows',
] as const;

/** One of the eight areas; part of addresses, so it never changes. */
const areaKey = z.enum(areaKeys, { error: `Name one of the eight areas: ${areaKeys.join(', ')}.` });
/** A level of a score, weakest first. */
const level = z.enum(['starting', 'developing', 'established', 'strong'], {
  error: 'A level is starting, developing, established or strong.',
});
/** The last part of an address. */
const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Write lower-case words joined by hyphens.');
/** `area.practice`, the name of a question for good. */
const questionKey = z
  .string()
  .regex(
    /^[a-z-]+\.[a-z-]+$/,
    'Write the area, a dot and the practice, such as web-design.next-step.',
  );
/** A path on this site or an https address. */
const href = z
  .string()
  .regex(/^(\/(?!\/)|https:\/\/)/, 'Begin with / for this site or https:// for another.');
/** Words that somebody reads: never blank, never longer than fits. */
const words = (most: number) =>
  z.string().trim().min(1, 'Write something here.').max(most, `Keep this to ${most} characters.`);

/** A link and its words. */
const link = z.strictObject({ label: words(60), href });

/** Who runs the site; `content/site.yaml`. */
export const siteSchema = z.strictObject({
  /** The name of the product, as it stands in the header. */
  product: words(40),
  /** The same for addresses: `{product}` in a path. */
  slug,
  /** One line under the name. */
  tagline: words(90),
  /** Two sentences for search engines and link previews. */
  description: words(220),
  /** The public address, without a slash at the end. */
  url: z.string().regex(/^https:\/\/[^/]+$/, 'Write the address as https://name, without a path.'),
  /** Who answers for the site. */
  organisation: words(80),
  email: z.email('Write an email address.'),
  /** Where barriers are reported. */
  accessibility_email: z.email('Write an email address.'),
  /** Where people ask about what is stored about them. */
  privacy_email: z.email('Write an email address.'),
  phone: words(30),
  address: z.strictObject({
    street: words(80),
    city: words(60),
    /** Two letters of the state. */
    region: z.string().regex(/^[A-Z]{2}$/, 'Write the two letters of the state.'),
    postal_code: z.string().regex(/^\d{5}(-\d{4})?$/, 'Write a ZIP code in quotation marks.'),
    country: words(60),
  }),
  /** Where coaching is offered. */
  states_served: z.array(words(30)),
  /** When somebody answers. */
  hours: words(120),
  /** Accounts that exist; shown in the footer. */
  social: z.array(z.strictObject({ name: words(30), url: href })),
  /** Whether the organisation and its examples are made up; then `notice` is shown with them. */
  illustrative: z.boolean(),
  notice: words(240),
  /** The same beside one case study. */
  case_notice: words(120),
});

/** The words of the home page, in order; `content/home.yaml`. */
export const homeSchema = z.strictObject({
  hero: z.strictObject({
    eyebrow: words(60),
    headline: words(80),
    lead: words(240),
    primary: link,
    secondary: link,
    /** What research says, and no more. */
    claim: words(120),
    claim_source: z.strictObject({ text: words(240), href }),
  }),
  steps: z.strictObject({
    heading: words(80),
    items: z
      .array(z.strictObject({ title: words(80), text: words(320) }))
      .length(3, 'Write three steps.'),
  }),
  areas: z.strictObject({ heading: words(80), lead: words(320) }),
  result: z.strictObject({
    heading: words(80),
    lead: words(320),
    /** Says that the example is made up. */
    notice: words(90),
    scores: z
      .array(z.strictObject({ area: areaKey, score: z.number().min(0).max(100) }))
      .length(8, 'Give each of the eight areas a score.'),
    strongest: words(200),
    work_on: words(200),
    confidence: words(240),
    next: words(200),
  }),
  coaching: z.strictObject({
    heading: words(80),
    lead: words(320),
    points: z.array(words(200)),
    link,
  }),
  cost: z.strictObject({
    heading: words(80),
    lead: words(200),
    items: z.array(z.strictObject({ title: words(40), text: words(320) })),
    link,
  }),
  closing: z.strictObject({ heading: words(80), text: words(160), primary: link }),
});

/** A skill area; `content/quiz/areas.yaml`. */
export const areaSchema = z.strictObject({
  key: areaKey,
  name: words(40),
  /** One word, where the name does not fit, such as beside a petal. */
  short_name: words(12),
  /** Its place, clockwise from the top of the bloom. */
  position: z.number().int().min(1).max(8),
  /** One sentence: "Whether …". */
  summary: words(160),
});

/** A question with its five answers. */
export const questionSchema = z.strictObject({
  key: questionKey,
  area: areaKey,
  /** The practice that the question asks about, as results name it. */
  practice: words(48),
  /** The question, put to an owner. */
  text: words(90),
  /** One line for a reader who is not sure what is meant. */
  help: words(130).optional(),
  /** What 0, 1, 2, 3 and 4 look like in this practice, in the first person plural. */
  anchors: z
    .array(words(90))
    .length(5, 'Write five answers, from not done to measured and improved.'),
  /** How much it counts inside its area. */
  weight: z.number().min(1, 'A weight is 1 to 2.').max(2, 'A weight is 1 to 2.'),
  /** What to do in 30 days if this practice is weak; ends with something that can be seen. */
  action: words(300),
  /** Raised when a later version changes what the question means; then retakes are not compared on it. */
  meaning: z.number().int().positive().optional(),
  /** On the one question of each area that the first look asks. */
  first_look: z.literal(true).optional(),
});

/** One version of the quiz; `content/quiz/version-<number>.yaml`. */
export const quizVersionSchema = z.strictObject({
  id: z.uuid('Give the version an id that is a UUID.'),
  number: z.number().int().positive(),
  title: words(80),
  /** How much each area counts when recommendations are chosen. */
  areas: z
    .array(z.strictObject({ key: areaKey, importance: z.number().int().min(1).max(3) }))
    .length(8, 'Name each of the eight areas once.'),
  /** The questions behind the claim of the home page. */
  research: z.array(questionKey),
  questions: z.array(questionSchema).min(1, 'A version needs questions.'),
});

/** A tool that an owner works with; `content/toolbox/<slug>.md`. */
export const toolboxSchema = z.strictObject({
  id: z.uuid('Give the item an id that is a UUID.'),
  slug,
  title: words(60),
  /** One or two sentences: what comes out of it. */
  summary: words(200),
  type: z.enum(['template', 'guide', 'worksheet', 'calculator', 'checklist', 'video', 'link'], {
    error: 'A type is template, guide, worksheet, calculator, checklist, video or link.',
  }),
  area: areaKey,
  /** The levels that it fits. */
  levels: z.array(level).min(1, 'Name at least one level.'),
  /** How long it takes to work through once. */
  minutes: z.number().int().min(5).max(480),
  /** What it is made of, such as "Table with a worked example". */
  format: words(60),
  version: z.number().int().positive(),
  /** The day on which somebody last checked it, as YYYY-MM-DD in quotation marks. */
  reviewed_on: z.iso.date('Write the day as YYYY-MM-DD in quotation marks.'),
});

/** How one business worked on one area; `content/case-studies/<area>.mdx`. */
export const caseStudySchema = z.strictObject({
  title: words(90),
  description: words(200),
  area: areaKey,
  /** The question whose practice changed. */
  practice: questionKey,
  /** The toolbox item that was used. */
  tool: slug,
  /** Trade, place and size, in a few words each. */
  business: z.strictObject({
    trade: words(60),
    place: words(60),
    people: words(60),
    sales: words(60),
  }),
  /** What was measured, before and after. */
  figures: z
    .array(z.strictObject({ label: words(60), before: words(24), after: words(24) }))
    .min(1, 'Give at least one figure before and after.')
    .max(4, 'Four figures are enough.'),
});

/** A page under `/pages/`; `content/pages/<slug>.mdx`. */
export const pageSchema = z.strictObject({
  title: words(90),
  description: words(200),
  /** The layout around it; not called `layout`, which MDX keeps for a file to import. */
  frame: z.enum(['default', 'signup', 'quiz'], { error: 'A frame is default, signup or quiz.' }),
});

/** A page with an address of its own at the top, such as /about; `content/standing/<slug>.mdx`. */
export const standingSchema = z.strictObject({
  title: words(90),
  description: words(200),
  /** The sentence under the heading. */
  lead: words(320),
  /** The day on which it last changed, on pages where that matters. */
  updated_on: z.iso.date('Write the day as YYYY-MM-DD in quotation marks.').optional(),
});

/** Something the organisation does; `content/services/<slug>.mdx`, shown on /services. */
export const serviceSchema = z.strictObject({
  title: words(60),
  position: z.number().int().positive(),
  /** Who it is for, in one line. */
  audience: words(120),
  /** One or two sentences: what one gets. */
  summary: words(240),
  /** What it costs, honestly, in words. */
  cost: words(160),
  /** Where to start. */
  link,
});

const folder = (name: string, pattern = '*.mdx') =>
  glob({ base: `./content/${name}`, pattern: [pattern, '!_*'] });
const single = (path: string, id: string) =>
  file(path, { parser: (text) => ({ [id]: parse(text) }) });

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
  standing: defineCollection({ loader: folder('standing'), schema: standingSchema }),
  services: defineCollection({ loader: folder('services'), schema: serviceSchema }),
};
