/** How articles relate: newest first, previous and next, and by topic. */

/** The parts of an article that matter here. */
export interface Published {
  /** The last part of its address. */
  id: string;
  data: { title: string; published_on: string; tags: string[]; area?: string | undefined };
}

/** How many articles a page of the list shows. */
export const PAGE_SIZE = 12;

/** The newest first; of one day by title. */
export function newestFirst<T extends Published>(articles: readonly T[]): T[] {
  return articles.toSorted(
    (a, b) =>
      b.data.published_on.localeCompare(a.data.published_on) ||
      a.data.title.localeCompare(b.data.title),
  );
}

/** The articles on page 1, 2 …, as many lists as there are pages; one empty list where there are none. */
export function pagesOf<T>(articles: readonly T[]): T[][] {
  const count = Math.max(1, Math.ceil(articles.length / PAGE_SIZE));
  return Array.from({ length: count }, (_, page) =>
    articles.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE),
  );
}

/** The articles of each tag, in the order given. */
export function byTag<T extends Published>(articles: readonly T[]): Map<string, T[]> {
  const pairs = articles.flatMap((article) => article.data.tags.map((tag) => ({ tag, article })));
  const groups = Map.groupBy(pairs, ({ tag }) => tag);
  return new Map([...groups].map(([tag, list]) => [tag, list.map(({ article }) => article)]));
}

/** How many of the newest of a tag are compared: enough to choose from, whatever their number. */
const COMPARED = 12;

/**
 * Finds what to read after each article: those that share most tags, two points each, or its area,
 * one point; of equals the newest. Looks at a few of each tag only, so that it costs the same for
 * each of 10,000 articles.
 * @param articles newest first
 * @param most how many for each
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

/** How many of its newest articles the page of a tag shows; search finds the others. */
export const PER_TAG = 60;

/** The words on the page of a tag with this many articles. */
export function tagPageWords(tag: string, count: number) {
  const about = tagWords(tag);
  const lead = `${count} ${count === 1 ? 'article' : 'articles'}, newest first.`;
  return {
    title: `Articles: ${about}`,
    lead,
    description: `${lead} Worked numbers for small-business owners. Topic: ${about}.`,
  };
}

/** A tag as a reader sees it: `cash-flow` is "Cash flow". */
export function tagWords(tag: string): string {
  const words = tag.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Where an article is, with its picture for link previews and, where given, what it is called. */
export function articlePlace(id: string, title = '') {
  return { path: `/blog/${id}`, image: `/og/blog/${id}.png`, title };
}

/** So many of the newest articles have a picture of their own: drawing one takes as long as 20 pages. */
export const OWN_PICTURES = 40;

/**
 * The picture of an article for link previews: its own, or that of the blog where it is an old one.
 * @param index its place among all articles, the newest first, from 0
 */
export function articlePicture(id: string, index: number): string {
  return index < OWN_PICTURES ? articlePlace(id).image : '/og/blog.png';
}

/** A case study likewise; `label` says what it is about where it is a neighbour. */
export function casePlace(id: string, title = '', label?: string) {
  return { path: `/case-studies/${id}`, image: `/og/case-studies/${id}.png`, title, label };
}
