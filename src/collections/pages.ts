/** Long texts with an address of their own, and what the organization does. */
import { z } from 'astro/zod';
import { areaKey, day, link, questionKey, slug, words } from './vocabulary.ts';

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
  /** Where it leads, as buttons under its text; in the signup and quiz frames. */
  ways: z.array(link).max(2, 'Two links are enough.').optional(),
  /** The day on which its rules and figures were last checked, on guides. */
  updated_on: day.optional(),
});

/** A page with an address of its own at the top, such as /about; `content/standing/<slug>.mdx`. */
export const standingSchema = z.strictObject({
  title: words(90),
  description: words(200),
  /** The sentence under the heading. */
  lead: words(320),
  /** The day on which it last changed, on pages where that matters. */
  updated_on: day.optional(),
});

/** Something the organization does; `content/services/<slug>.mdx`, shown on /services. */
export const serviceSchema = z.strictObject({
  title: words(60),
  position: z.number().int().positive(),
  /** Who it is for, in one line. */
  audience: words(120),
  /** One or two sentences: what people get. */
  summary: words(240),
  /** What it costs, honestly, in words. */
  cost: words(160),
  /** Where to start. */
  link,
});
