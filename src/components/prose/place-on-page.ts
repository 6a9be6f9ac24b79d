/** Element counts by kind, for each page that's being rendered. */
const pages = new WeakMap<Request, Map<string, number>>();

/**
 * Counts the elements of a kind on a page so far, including this one: 1 for the first. For ids,
 * which must be unique on a page.
 * @param page the request that the page is rendered for
 */
export function placeOnPage(page: Request, kind: string): number {
  const counts = pages.get(page) ?? new Map<string, number>();
  pages.set(page, counts);
  const place = (counts.get(kind) ?? 0) + 1;
  counts.set(kind, place);
  return place;
}
