/** Long pages with their own address, and the services that the organization offers. */
import { z } from 'astro/zod';
import { areaKey, day, link, named, questionKey, slug, words } from './vocabulary.ts';

/**
 * What one business did about one skill area; `content/case-studies/<slug>.mdx`. Each area has one
 * whose slug is the area's key, because results and tools link to it; the others have their own.
 */
export const caseStudySchema = z.strictObject({
  title: words(90),
  description: words(200),
  area: areaKey,
  /** The quiz question about the practice that changed. */
  practice: questionKey,
  /** The version of the quiz that its scores and answers are from. */
  quiz: z.number().int().positive(),
  /** The toolbox item that the business used. */
  tool: slug,
  /** Trade, place, headcount and sales, in a few words each. */
  business: z.strictObject({
    trade: words(60),
    place: words(60),
    people: words(60),
    sales: words(60),
  }),
  /** The measured results, before and after. */
  figures: z
    .array(
      z.strictObject({
        label: words(60),
        before: words(24),
        after: words(24),
        /** If the first value isn't what was before: what was planned, or needed. */
        first: z.enum(['planned', 'needed']).optional(),
        /** Whether the second value is worse than the first, which its bar shows. */
        worse: z.boolean().optional(),
      }),
    )
    .min(1, 'Give at least one figure before and after.')
    .max(4, 'Four figures are enough.'),
});

/** A page under `/pages/`; `content/pages/<slug>.mdx`. */
export const pageSchema = z.strictObject({
  title: words(90),
  description: words(200),
  /** The page's layout. In MDX, a field called `layout` would import a file. */
  frame: z.enum(['default', 'signup', 'quiz'], { error: 'A frame is default, signup or quiz.' }),
  /** Buttons below the text, for the signup and quiz frames. */
  ways: z.array(link).max(2, 'Two links are enough.').optional(),
  /** On guides: the day someone last checked the rules and figures. */
  updated_on: day.optional(),
});

/**
 * A page under `/pages/` in another language; `content/<language>/pages/<slug>.mdx`, with the slug
 * of the English one.
 */
export const translatedPageSchema = pageSchema.omit({ ways: true }).extend({
  description: words(240),
  /** Its name in the header's links. */
  menu: words(20),
});

/** A page at the top level, such as /about; `content/standing/<slug>.mdx`. */
export const standingSchema = z.strictObject({
  title: named(90),
  description: words(200),
  /** The sentence under the heading. */
  lead: words(320),
  /** The day of the last change, on pages where that matters. */
  updated_on: day.optional(),
});

/** A service of the organization; `content/services/<slug>.mdx`, shown on /services. */
export const serviceSchema = z.strictObject({
  title: words(60),
  position: z.number().int().positive(),
  /** Who it's for, in one line. */
  audience: words(120),
  /** One or two sentences about what people get. */
  summary: words(240),
  /** The honest cost, in words. */
  cost: words(160),
  /** Where to start. */
  link,
  /** The scene of the home page that shows it. */
  scene: slug,
});
