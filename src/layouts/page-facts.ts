/** What a public page says of itself; layouts/Head.astro writes it. */
export interface PageFacts {
  /** Left out on the home page only, which has the tagline instead. */
  title?: string;
  description?: string;
  /** Kept out of search engines: private pages, error pages. */
  hidden?: boolean;
  /** What machines read of it, made by lib/structured-data.ts. */
  jsonLd?: object | object[];
  /** The path of its picture for link previews; the site's own where it is left out. */
  image?: string;
  /** Scripts of its own, run when its words are there; for a few lines, see components/events. */
  scripts?: string[];
  /** It takes the whole window and scrolls inside: it makes room for an on-screen keyboard. */
  fills?: boolean;
  /** Where it is an article: the days, YYYY-MM-DD, and what it is about. */
  article?: { published: string; updated?: string | undefined; tags: string[] };
}
