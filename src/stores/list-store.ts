/** A list that the database filters, sorts and paginates: the filter and the current page. */
import { atom } from 'nanostores';
import { readListPage, readPages } from '#data/keyset.ts';
import type { FilterCodec, ListPage, Place } from '#domain/list.ts';
import { type AnswerDeps, createLatestAnswer } from '#lib/latest-answer.ts';
import type { Db } from '#lib/supabase.ts';

/** The most rows of an exported file, and how many to fetch at a time. */
const MOST_ROWS = 10_000;
const ROWS_AT_ONCE = 500;

export interface ListDeps<Filter, Page> extends AnswerDeps {
  /** Fetches the page that a filter selects, with at most `limit` rows if given. */
  read: (db: Db, filter: Filter, limit?: number) => Promise<Page>;
  codec: FilterCodec<Filter>;
  /** The list's path, without filters. */
  path: string;
  /** Replaces the URL in the address bar. */
  showAddress: (address: string) => void;
}

/** Creates a list's store from the data that came with the page. */
export function createListStore<
  Row,
  Filter extends { place: Place | null },
  Page extends ListPage<Row>,
>(deps: ListDeps<Filter, Page>, initial: { filter: Filter; page: Page }) {
  const $filter = atom(initial.filter);
  const $page = atom(initial.page);
  const { $state, ask, retry } = createLatestAnswer(deps);

  /** The filter with a change. Any change other than the page goes back to the first page. */
  const changed = (change: Partial<Filter>): Filter => ({
    ...$filter.get(),
    place: null,
    ...change,
  });

  /** The list's URL with a change to the filter. */
  const hrefOf = (change: Partial<Filter>) => deps.path + deps.codec.write(changed(change));

  function show(filter: Filter) {
    $filter.set(filter);
    deps.showAddress(deps.path + deps.codec.write(filter));
  }

  /** Changes the filter and refetches the list. */
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

  /**
   * Replaces a count that stopped at a limit with the exact one, from a page of 0 rows. The list
   * works without it, so a failure stays unsaid and the next page tries again.
   */
  async function countAll(): Promise<void> {
    const page = $page.get();
    if (!page.count?.atLeast) return;
    try {
      const { count } = await deps.read(await deps.db(), { ...$filter.get(), place: null }, 0);
      if ($page.get() === page) $page.set({ ...page, count });
    } catch {}
  }

  /** Fetches all rows that match the filter, page by page. */
  async function* readAll(): AsyncGenerator<readonly Row[], { isComplete: boolean }> {
    const filter = $filter.get();
    const db = await deps.db();
    return yield* readPages<Row>(
      (place) => deps.read(db, { ...filter, place }, ROWS_AT_ONCE),
      MOST_ROWS,
    );
  }

  return { $filter, $page, $state, ask, choose, countAll, hrefOf, readAll, retry };
}
