/** The organization behind the site, and the text of its home page. */
import { z } from 'astro/zod';
import { areaKey, href, link, slug, words } from './vocabulary.ts';

/** The organization behind the site; `content/site.yaml`. */
export const siteSchema = z.strictObject({
  /** The name of the product, as the header shows it. */
  product: words(40),
  /** The product's name as a URL slug; replaces `{product}` in paths. */
  slug,
  /** One line below the name. */
  tagline: words(90),
  /** Two sentences for search engines and link previews. */
  description: words(220),
  /** The public origin, without a trailing slash. */
  url: z.string().regex(/^https:\/\/[^/]+$/, 'Write the address as https://name, without a path.'),
  /** The organization responsible for the site. */
  organisation: words(80),
  email: z.email('Write an email address.'),
  /** Where people report accessibility barriers. */
  accessibility_email: z.email('Write an email address.'),
  /** Where people ask about their data. */
  privacy_email: z.email('Write an email address.'),
  phone: words(30),
  address: z.strictObject({
    street: words(80),
    city: words(60),
    /** The two-letter state code. */
    region: z.string().regex(/^[A-Z]{2}$/, 'Write the two letters of the state.'),
    postal_code: z.string().regex(/^\d{5}(-\d{4})?$/, 'Write a ZIP code in quotation marks.'),
    country: words(60),
  }),
  /** The states where we offer coaching. */
  states_served: words(120),
  /** When someone answers the phone. */
  hours: words(120),
  /** Existing social media accounts, shown in the footer. */
  social: z.array(z.strictObject({ name: words(30), url: href })),
  /** Whether the organization and its examples are made up; if so, `notice` is shown. */
  illustrative: z.boolean(),
  notice: words(240),
  /** The shorter notice for a case study. */
  case_notice: words(120),
});

const scene = {
  /** A scene of `src/assets/scenes`, which `npm run scenes` photographs. */
  scene: slug,
  /** Says what can be seen on it. */
  alt: words(240),
};

/** The text of the home page, in order; `content/home.yaml`. */
export const homeSchema = z.strictObject({
  hero: z.strictObject({
    eyebrow: words(60),
    headline: words(80),
    lead: words(240),
    primary: link,
    /** What help a reader can have afterward, and what it costs. */
    coaching: words(160),
    secondary: link,
    /** What research shows, without overstating it. */
    claim: words(120),
    claim_source: z.strictObject({ text: words(240), href }),
  }),
  steps: z.strictObject({
    heading: words(80),
    items: z
      .array(z.strictObject({ title: words(80), text: words(240), ...scene }))
      .length(3, 'Write three steps.'),
    /** Says that the site is a demonstration; shown if it's `illustrative`. */
    demo: words(100),
    /** Says what the pictures show. */
    notice: words(160),
  }),
  /** What one business achieved, with a chart of its figures before and after. */
  proof: z.strictObject({
    case: slug,
    heading: words(80),
    lead: words(320),
    before: words(20),
    after: words(20),
    /** What each of the case's figures is called here. */
    labels: z.array(words(60)).min(1),
    link,
    notice: words(90),
  }),
  areas: z.strictObject({ heading: words(80), lead: words(320) }),
  coaching: z.strictObject({
    heading: words(80),
    lead: words(320),
    points: z.array(words(200)),
    link,
    ...scene,
    /** The words before a coach's areas. */
    good_at: words(20),
    coaches: z.array(
      z.strictObject({
        name: words(60),
        /** A file in src/assets/portraits, without its extension. */
        portrait: slug,
        about: words(160),
        areas: z.array(areaKey).min(1),
      }),
    ),
  }),
  organizations: z.strictObject({
    heading: words(80),
    lead: words(240),
    points: z.array(words(120)),
    link,
    ...scene,
  }),
  cost: z.strictObject({
    heading: words(80),
    lead: words(200),
    items: z.array(z.strictObject({ title: words(40), text: words(320) })),
    link,
  }),
  closing: z.strictObject({ heading: words(80), text: words(160), primary: link }),
});
