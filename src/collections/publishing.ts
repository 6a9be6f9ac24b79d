/** What is published with a date or for a reader: articles, releases, events, press, prices. */
import { z } from 'astro/zod';
import { isTimeZone } from '#lib/locale/dates.ts';
import { areaKey, day, href, link, named, namedSlug, slug, words } from './vocabulary.ts';

/** An article; `content/blog/<name>.mdx`. In its words, `{props.site.product}` is the product. */
export const articleSchema = z.strictObject({
  title: named(90),
  /** One or two sentences, for lists, search engines and feeds. */
  description: named(200),
  /** The last part of its address, if it isn't the file's name; may have `{product}` in it. */
  address: namedSlug.optional(),
  /** Who wrote it, with their role: `Ruth Abara, coach`. In the demo, these people are made up. */
  author: named(60),
  published_on: day,
  /** The day of the last change a reader should know about. */
  updated_on: day.optional(),
  /** Two to four words that articles share, such as `pricing`. */
  tags: z.array(slug).min(1, 'Give at least one tag.').max(4, 'Four tags are enough.'),
  /** The skill area that it is about, where it is about one. */
  area: areaKey.optional(),
});

/** News of what changed for people; `content/releases/<day>.mdx`. */
export const releaseSchema = z.strictObject({
  title: named(90),
  description: named(200),
  /** The day, also the name of the file. */
  released_on: day,
});

/** Something to attend; `content/events/<name>.mdx`. */
export const eventSchema = z.strictObject({
  title: named(90),
  description: named(200),
  kind: z.enum(['workshop', 'office-hours', 'webinar', 'talk'], {
    error: 'A kind is workshop, office-hours, webinar or talk.',
  }),
  /** The first start on the clock of `time_zone`, as YYYY-MM-DDTHH:MM in quotation marks. */
  starts_at: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, 'Write the start as YYYY-MM-DDTHH:MM.'),
  /** An IANA time zone. */
  time_zone: z.string().refine(isTimeZone, 'Name a time zone such as America/Denver.'),
  minutes: z.number().int().min(15).max(600),
  /** Comes again on the same weekday of each month: the first, second, third or fourth. */
  repeats: z
    .strictObject({
      every: z.literal('month'),
      week: z.number().int().min(1).max(4),
      weekday: z.enum([
        'monday',
        'tuesday',
        'wednesday',
        'thursday',
        'friday',
        'saturday',
        'sunday',
      ]),
      /** The last day on which it may be held. */
      until: day.optional(),
    })
    .optional(),
  /** Where it's held; with an address only if people go there. */
  place: z.strictObject({ name: words(80), address: words(160).optional(), online: z.boolean() }),
  /** Who it is for, in one line. */
  audience: words(160),
  /** What it costs, in words. */
  cost: words(80),
  /** Where to ask for a seat. */
  link,
});

/** An announcement; `content/press/<name>.mdx`. */
export const pressSchema = z.strictObject({
  title: named(110),
  description: named(200),
  published_on: day,
  /** The city that it is dated from. */
  place: words(60),
});

/** What a customer says about the work; `content/testimonials/<name>.yaml`. */
export const testimonialSchema = z.strictObject({
  position: z.number().int().positive(),
  quote: words(420),
  /** Who says it; a role, not a name, while the examples are made up. */
  who: words(80),
  business: words(90),
  area: areaKey,
  /** What can be counted, before and after. */
  result: words(120),
});

/** An amount of money. */
const price = z.strictObject({
  /** In the smallest unit of the currency: 4900 is $49. */
  amount_minor: z.number().int().nonnegative(),
  /** Paid once, each month or each year. */
  every: z.enum(['once', 'month', 'year']),
  /** What the amount is for, such as "a business" or "3 sessions". */
  per: words(40),
});

/** What is for sale; `content/pricing.yaml`. The price that counts at a checkout is the database's. */
export const pricingSchema = z.strictObject({
  /** ISO 4217. */
  currency: z.string().regex(/^[A-Z]{3}$/, 'Write the three letters of the currency.'),
  /** The day on which these prices were last checked. */
  reviewed_on: day,
  plans: z
    .array(
      z.strictObject({
        key: slug,
        name: words(40),
        /** Who it is for, in one line. */
        audience: words(120),
        summary: words(240),
        /** Empty where the price is quoted. */
        prices: z.array(price),
        /** The words in place of a price that is quoted. */
        quoted: words(80).optional(),
        includes: z.array(words(140)).min(1),
        /** What it doesn't include, so that people don't have to ask. */
        excludes: z.array(words(140)).optional(),
        link,
      }),
    )
    .min(1),
  /** Questions that people ask before they buy. */
  questions: z.array(z.strictObject({ question: words(120), answer: words(600) })),
});

/** An address that leads elsewhere; `content/redirects.yaml`, a list. Always 302, with the query. */
export const redirectSchema = z.strictObject({
  /** A path at the root of this site that isn't a page. */
  from: z.string().regex(/^\/[a-z0-9]+(?:[-/][a-z0-9]+)*$/, 'Write a path such as /workshops.'),
  to: href,
  /** Why it exists, for maintainers. */
  note: words(160),
});
