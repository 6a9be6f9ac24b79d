import type { Language } from '#domain/language.ts';
import type { Translation } from '#lib/content/translations.ts';

/** The metadata of a public page, which layouts/Head.astro renders. */
export interface PageFacts {
  /** The language of its text, if its address doesn't say so. */
  language?: Language | undefined;
  /** The same page in every language it's in, itself included; none if it's in one. */
  translations?: readonly Translation[];
  /** Only the home page omits it, and shows the tagline instead. */
  title?: string;
  description?: string;
  /** Keeps private pages and error pages out of search engines. */
  hidden?: boolean;
  /** Structured data for search engines, from lib/content/structured-data.ts. */
  jsonLd?: object | object[];
  /** The path of the image for link previews; defaults to the site's own. */
  image?: string;
  /** Inline scripts that run after the content; for a few lines only, see components/events. */
  scripts?: string[];
  /** The address of the stylesheet, if Astro doesn't link it. */
  styles?: string;
  /** The page fills the window and scrolls inside, and makes room for an on-screen keyboard. */
  fills?: boolean;
  /** For articles: the dates, as YYYY-MM-DD, and the tags. */
  article?: { published: string; updated?: string | undefined; tags: string[] };
}
