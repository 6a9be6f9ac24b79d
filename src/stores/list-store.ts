/** A list that the database filters, sorts and pages: what is asked for, and what came. */
import { atom } from 'nanostores';
import { readListPage, readPages } from '#data/keyset.ts';
import type { FilterCodec, ListPage, Place } from '#domain/list.ts';
import { type AnswerDeps, createLatestAnswer } from '#lib/latest-answer.ts';
import type { Db } from '#lib/supabase.ts';

/** The most rows a file can have, and how many of them are read at a time. */
const MOST_ROWS = 10_000;
const ROWS_AT_ONCE = 500;

export interface ListDeps<Filter, Page> extends AnswerDeps {
  /** Asks for the page of a filter; `limit` rows of it where that is given. */
  read: (db: Db, filter: Filter, limit?: number) => Promise<Page>;
  codec: FilterCodec<Filter>;
  /** The path of the list, without its filters. */
  path: string;
  /** Puts an address in place of that of the page. */
  showAddress: (address: string) => void;
}

/** Makes the store of one list, with what came with the page. */
export function createListStore<
  Row,
  Filter extends { place: Place | null },
  Page extends ListPage<Row>,
>(deps: ListDeps<Filter, Page>, initial: { filter: Filter; page: Page }) {
  const $filter = atom(initial.filter);
  const $page = atom(initial.page);
  const { $state, ask, retry } = createLatestAnswer(deps);

  /** The filter with something else chosen. Anything but another page starts from the first one. */
  const changed = (change: Partial<Filter>): Filter => ({
    ...$filter.get(),
    place: null,
    ...change,
  });

  /** The address of the list with something else chosen. */
  const hrefOf = (change: Partial<Filter>) => deps.path + deps.codec.write(changed(change));

  function show(filter: Filter) {
    $filter.set(filter);
    deps.showAddress(deps.path + deps.codec.write(filter));
  }

  /** Chooses something else, and asks for the list again. */
  function choose(change: Partial<Filter>): Promise<void> {
    const wanted = changed(change);
    show(wanted);
    return ask(async (db) => {
      const { filter, page } = await readListPage((each: Filter) => deps.read(db, each), wanted);
      return () => {
        if (filter !== wanted) show(filter);
        $page.set(page);
      };
    });
  }

  /** All rows that the filter selects, page by page. */
  async function* readAll(): AsyncGenerator<readonly Row[], { isComplete: boolean }> {
    const filter = $filter.get();
    const db = await deps.db();
    return yield* readPages<Row>(
      (place) => deps.read(db, { ...filter, place }, ROWS_AT_ONCE),
      MOST_ROWS,
    );
  }

  return { $filter, $page, $state, ask, choose, hrefOf, readAll, retry };
}
