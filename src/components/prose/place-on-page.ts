/** Pages that are being rendered, and what they have so far. */
const pages = new WeakMap<Request, Map<string, number>>();

/**
 * Counts the elements of a kind on a page, this one included: 1 for the first. For ids, of which a page has
 * each once.
 * @param page the request for which the page is made
 */
export function placeOnPage(page: Request, kind: string): number {
  const counts = pages.get(page) ?? new Map<string, number>();
  pages.set(page, counts);
  const place = (counts.get(kind) ?? 0) + 1;
  counts.set(kind, place);
  return place;
}
