/** Pages that are being made, and what stands on them by now. */
const pages = new WeakMap<Request, Map<string, number>>();

/**
 * How many of a kind stand on a page with this one: 1 for the first. For ids, of which a page has
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
