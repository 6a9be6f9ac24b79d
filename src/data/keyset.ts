/**
 * Keyset paging: a page begins right after a row of the page before it, or ends right before a row of
 * the page after it. The database orders by a key and, where keys are equal, by the id, so that rows
 * which come or go in between move no page, and no row is shown twice or left out.
 */
import type { ListPage, Place } from '#domain/list.ts';
import { AppError } from '#lib/errors.ts';

/** What the database knows of a row's place: null where it was changed here since. */
interface Placed {
  id: string;
  key: string | null;
}

const placeOf = (way: Place['way'], row: Placed | undefined): Place | null =>
  row && row.key !== null ? { way, key: row.key, id: row.id } : null;

/** The place right after the last row whose place is known. */
export const placeAfter = (rows: readonly Placed[]): Place | null =>
  placeOf(
    'after',
    rows.findLast(({ key }) => key !== null),
  );

/**
 * The places around a page.
 * @param place what was asked for; null for the first page
 * @param more whether there are rows beyond these in the direction that was asked for
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
 * Reads the page that a filter asks for; the first one where its place leads nowhere, because the rows
 * there are gone or an address was typed.
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

/** Reads pages from the first one on, until there are no more or `most` rows were read. */
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
