/** Content for readers and buyers: articles, releases, events, press, prices, redirects. */
import { z } from 'astro/zod';
import { isTimeZone } from '#lib/locale/zone-offsets.ts';
import { areaKey, day, href, link, named, namedSlug, slug, words } from './vocabulary.ts';

/** An article; `content/blog/<name>.mdx`. Its text can use `{props.site.product}` for the name. */
export const articleSchema = z.strictObject({
  title: named(90),
  /** One or two sentences, for lists, search engines and feeds. */
  description: named(200),
  /** The last segment of its URL if it isn't the file name; may contain `{product}`. */
  address: namedSlug.optional(),
  /** The author and their role: `Ruth Abara, coach`. In the demo, these people are made up. */
  author: named(60),
  published_on: day,
  /** The day of the last change a reader should know about. */
  updated_on: day.optional(),
  /** One to four topics that articles share, such as `pricing`. */
  tags: z.array(slug).min(1, 'Give at least one tag.').max(4, 'Four tags are enough.'),
  /** The skill area that it's about, if any. */
  area: areaKey.optional(),
});

/** An announcement of changes to the product; `content/releases/<day>.mdx`. */
export const releaseSchema = z.strictObject({
  title: named(90),
  description: named(200),
  /** The release date, which is also the file name. */
  released_on: day,
});

/** An event that people can attend; `content/events/<name>.mdx`. */
export const eventSchema = z
  .strictObject({
    title: named(90),
    description: named(200),
    kind: z.enum(['workshop', 'office-hours', 'webinar', 'talk'], {
      error: 'A kind is workshop, office-hours, webinar or talk.',
    }),
    /** The first start in local time of `time_zone`, as YYYY-MM-DDTHH:MM in quotation marks. */
    starts_at: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, 'Write the start as YYYY-MM-DDTHH:MM.'),
    /** An IANA time zone. */
    time_zone: z.string().refine(isTimeZone, 'Name a time zone such as America/Denver.'),
    minutes: z.number().int().min(15).max(600),
    /** Repeats on the same weekday each month: the first, second, third or fourth. */
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
        /** The last day it can take place. */
        until: day.optional(),
      })
      .optional(),
    /** The venue. Give an address only if people go there. */
    place: z.strictObject({ name: words(80), address: words(160).optional(), online: z.boolean() }),
    /** The coach who hosts it, by the name of their portrait: see `coaches` in content/home.yaml. */
    host: slug.optional(),
    /** Who it's for, in one line. */
    audience: words(160),
    /** What it costs, in words. */
    cost: words(80),
    /** Where to ask, if people can't take places here. */
    link: link.optional(),
    /**
     * How many people can take a place on its page; of an event that repeats, on each date. Whoever comes
     * after that is on a waiting list. If you change it, people keep the places they have.
     */
    places: z.number().int().min(1).max(1000).optional(),
    /** Where it's held online. Only people with a place get it, by email. */
    online_link: z
      .url({ protocol: /^https$/ })
      .max(500)
      .optional(),
    /** Set it, and everyone with a place hears that the event won't take place. It can't be undone. */
    canceled: z.boolean().optional(),
  })
  .refine(({ link, places }) => link || places, 'Give places, or a link to ask at.');

/** A press release; `content/press/<name>.mdx`. */
export const pressSchema = z.strictObject({
  title: named(110),
  description: named(200),
  published_on: day,
  /** The city in the dateline. */
  place: words(60),
});

/** A customer quote; `content/testimonials/<name>.yaml`. */
export const testimonialSchema = z.strictObject({
  position: z.number().int().positive(),
  quote: words(420),
  /** Who said it: a role, not a name, while the examples are made up. */
  who: words(80),
  business: words(90),
  area: areaKey,
  /** The countable result, before and after. */
  result: words(120),
});

/** An amount of money. */
const price = z.strictObject({
  /** In the currency's minor unit: 4900 is $49. */
  amount_minor: z.number().int().nonnegative(),
  /** Whether people pay it once, each month or each year. */
  every: z.enum(['once', 'month', 'year']),
  /** What the amount buys, such as "a business" or "3 sessions". */
  per: words(40),
});

/** What buying one of a plan gives. */
const gift = {
  key: slug,
  name: words(40),
  /** Sessions for one business, sessions each month, or a seat in a program for one business. */
  gives: z.enum(['nothing', 'pack', 'membership', 'seat']),
  /** How many sessions; a membership's are for each month. */
  sessions: z.number().int().min(1).max(100).optional(),
  /** How many months a session can wait. */
  months: z.number().int().min(1).max(60).optional(),
  /** The fewest and the most that one order can have; 1 by default. */
  fewest: z.number().int().positive().optional(),
  most: z.number().int().positive().max(1000).optional(),
};

/**
 * The plans for sale; `content/pricing.yaml`. The database loads them once, and from then on its own
 * prices apply.
 */
export const pricingSchema = z.strictObject({
  /** ISO 4217. */
  currency: z.string().regex(/^[A-Z]{3}$/, 'Write the three letters of the currency.'),
  /** The day someone last checked these prices. */
  reviewed_on: day,
  plans: z
    .array(
      z.strictObject({
        ...gift,
        /** Who it's for, in one line. */
        audience: words(120),
        summary: words(240),
        /** Empty if the price is by quote. */
        prices: z.array(price),
        /** The words to show instead of a price if it's by quote. */
        quoted: words(80).optional(),
        includes: z.array(words(140)).min(1),
        /** What it doesn't include, so that people don't have to ask. */
        excludes: z.array(words(140)).optional(),
        link,
      }),
    )
    .min(1),
  /** What can only be bought besides a plan. */
  extras: z.array(
    z.strictObject({
      ...gift,
      /** Whether it takes a membership to buy it. */
      for_members: z.boolean(),
      prices: z.array(price).min(1),
    }),
  ),
  /** Tax on coaching, by the buyer's region (ISO 3166-2) and as a share: 0.05 is 5%. */
  tax_rates: z.array(
    z.strictObject({
      region: z.string().regex(/^[A-Z]{2}-[A-Z0-9]{1,3}$/, 'Write a region such as US-NM.'),
      name: words(80),
      rate: z.number().positive().lt(1),
    }),
  ),
  /** Questions that people ask before they buy. */
  questions: z.array(z.strictObject({ question: words(120), answer: words(600) })),
});

/** A redirect; `content/redirects.yaml` lists them. Always 302, and the query string is kept. */
export const redirectSchema = z.strictObject({
  /** A path at the root of this site that isn't a page. */
  from: z.string().regex(/^\/[a-z0-9]+(?:[-/][a-z0-9]+)*$/, 'Write a path such as /workshops.'),
  to: href,
  /** Why it exists, for maintainers. */
  note: words(160),
});
