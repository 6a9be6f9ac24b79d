/**
 * Keyset pagination: a page starts right after a row of the previous page, or ends right before a
 * row of the next one. The database orders by a key and then by id, so rows added or removed in
 * between don't shift pages, and no row is repeated or skipped.
 */
import type { ListPage, Place } from '#domain/list.ts';
import { AppError } from '#lib/errors.ts';

/** A row's sort key and id; the key is null once a local change has made it unknown. */
interface Placed {
  id: string;
  key: string | null;
}

const placeOf = (way: Place['way'], row: Placed | undefined): Place | null =>
  row && row.key !== null ? { way, key: row.key, id: row.id } : null;

/** The cursor right after the last row with a known key. */
export const placeAfter = (rows: readonly Placed[]): Place | null =>
  placeOf(
    'after',
    rows.findLast(({ key }) => key !== null),
  );

/**
 * The cursors to the pages around this one.
 * @param place the requested cursor; null for the first page
 * @param more whether there are more rows in the requested direction
 */
export function placesAround(
  rows: readonly Placed[],
  place: Place | null,
  more: boolean,
): { previous: Place | null; next: Place | null } {
  const backward = place?.way === 'before';
  return {
    previous: place && (!backward || more) ? placeOf('before', rows[0]) : null,
    next: backward || more ? placeOf('after', rows.at(-1)) : null,
  };
}

/**
 * Reads the page a filter requests. Falls back to the first page if its cursor leads nowhere,
 * because the rows there are gone or the URL was edited by hand.
 */
export async function readListPage<
  Filter extends { place: Place | null },
  Page extends ListPage<unknown>,
>(
  read: (filter: Filter) => Promise<Page>,
  filter: Filter,
): Promise<{ filter: Filter; page: Page }> {
  const first = { ...filter, place: null };
  try {
    const page = await read(filter);
    if (page.rows.length > 0 || !filter.place) return { filter, page };
  } catch (thrown) {
    if (!filter.place || !(thrown instanceof AppError) || thrown.kind !== 'invalid') throw thrown;
  }
  return { filter: first, page: await read(first) };
}

/** Reads pages from the first one on, until there are no more or it has yielded `most` rows. */
export async function* readPages<Row>(
  read: (place: Place | null) => Promise<ListPage<Row>>,
  most: number,
): AsyncGenerator<readonly Row[], { isComplete: boolean }> {
  let place: Place | null = null;
  for (let left = most; left > 0; ) {
    const { rows, next }: ListPage<Row> = await read(place);
    yield rows.slice(0, left);
    if (!next) return { isComplete: rows.length <= left };
    left -= rows.length;
    place = next;
  }
  return { isComplete: false };
}
