/** How articles relate: newest first, pages of the list, by tag, related ones. */

/** The fields of an article that this module uses. */
export interface Published {
  /** The last segment of its URL. */
  id: string;
  data: { title: string; published_on: string; tags: string[]; area?: string | undefined };
}

/** How many articles a page of the list shows. */
export const PAGE_SIZE = 12;

/** Newest first; on the same day, by title. */
export function newestFirst<T extends Published>(articles: readonly T[]): T[] {
  return articles.toSorted(
    (a, b) =>
      b.data.published_on.localeCompare(a.data.published_on) ||
      a.data.title.localeCompare(b.data.title),
  );
}

/** Splits articles into pages. Always returns at least one page, which may be empty. */
export function pagesOf<T>(articles: readonly T[]): T[][] {
  const count = Math.max(1, Math.ceil(articles.length / PAGE_SIZE));
  return Array.from({ length: count }, (_, page) =>
    articles.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE),
  );
}

/** Articles grouped by tag, in the order given. */
export function byTag<T extends Published>(articles: readonly T[]): Map<string, T[]> {
  const pairs = articles.flatMap((article) => article.data.tags.map((tag) => ({ tag, article })));
  const groups = Map.groupBy(pairs, ({ tag }) => tag);
  return new Map([...groups].map(([tag, list]) => [tag, list.map(({ article }) => article)]));
}

/** How many of a tag's newest articles we compare: enough to choose from, however many it has. */
const COMPARED = 12;

/**
 * Ranks articles that share a tag: two points per shared tag, one more for the same area; the
 * newest wins a tie. It compares only a few per tag, so that each of 10,000 articles costs the
 * same.
 * @param articles newest first
 * @param most how many to return for each article
 */
export function relatedOf<T extends Published>(
  articles: readonly T[],
  most = 3,
): (article: T) => T[] {
  const tags = byTag(articles);
  return (article) => {
    const points = new Map<T, number>();
    for (const tag of article.data.tags) {
      for (const other of tags.get(tag)?.slice(0, COMPARED) ?? []) {
        if (other !== article) points.set(other, (points.get(other) ?? 0) + 2);
      }
    }
    const { area } = article.data;
    for (const [other, count] of points) {
      if (area !== undefined && other.data.area === area) points.set(other, count + 1);
    }
    return newestFirst([...points.keys()])
      .toSorted((a, b) => (points.get(b) ?? 0) - (points.get(a) ?? 0))
      .slice(0, most);
  };
}

/** How many of its newest articles a tag's page shows; readers find the rest by search. */
export const PER_TAG = 60;

/** The text on the page of a tag with this many articles. */
export function tagPageWords(tag: string, count: number) {
  const about = tagWords(tag);
  const lead = `${count} ${count === 1 ? 'article' : 'articles'}, newest first.`;
  return {
    title: `Articles: ${about}`,
    lead,
    description: `${lead} Worked numbers for small-business owners. Topic: ${about}.`,
  };
}

/** A tag as display text: `cash-flow` is "Cash flow". */
export function tagWords(tag: string): string {
  const words = tag.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** An article's path and Open Graph image, with its title if given. */
export function articlePlace(id: string, title = '') {
  return { path: `/blog/${id}`, image: `/og/blog/${id}.png`, title };
}

/** How many of the newest articles get their own image: drawing one takes as long as 20 pages. */
export const OWN_PICTURES = 40;

/**
 * An article's Open Graph image: its own, or the blog's if the article is too old.
 * @param index position among all articles, newest first, from 0
 */
export function articlePicture(id: string, index: number): string {
  return index < OWN_PICTURES ? articlePlace(id).image : '/og/blog.png';
}

/** The same for a tool. */
export function toolPlace(slug: string, title = '') {
  return { path: `/toolbox/${slug}`, image: `/og/toolbox/${slug}.png`, title };
}

/** The same for a case study. `label` names its subject when it's a link to a neighbor. */
export function casePlace(id: string, title = '', label?: string) {
  return { path: `/case-studies/${id}`, image: `/og/case-studies/${id}.png`, title, label };
}
