import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect, useState } from 'react';
import type { FilterCodec, ListPage, Place } from '#domain/list.ts';
import { db } from '#lib/db.ts';
import type { Db } from '#lib/supabase.ts';
import { createListStore } from '#stores/list-store.ts';
import { createSavedViews } from '#stores/saved-views.ts';
import { sessionEnded } from '#stores/session.ts';
import { whenBack } from '#stores/when-back.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { DataTable, type DataTableProps } from '#ui/table/DataTable.tsx';
import { ListFilters } from '#ui/table/ListFilters.tsx';

/** What every admin list filters by. */
export interface AdminFilter {
  words: string;
  sort: string;
  place: Place | null;
}

interface ListOptions<Row, Filter> {
  path: string;
  codec: FilterCodec<Filter>;
  read: (db: Db, filter: Filter, limit?: number) => Promise<ListPage<Row>>;
  /** Whether the address bar shows its filter, as it does unless the screen has another list. */
  isInAddress?: boolean;
}

export type AdminListStore<Row, Filter extends AdminFilter> = ReturnType<
  typeof createListStore<Row, Filter, ListPage<Row>>
>;

/** The store of an admin's list, from the page that came with it. It counts all rows later. */
export function useAdminList<Row, Filter extends AdminFilter>(
  { isInAddress = true, ...options }: ListOptions<Row, Filter>,
  initial: { filter: Filter; page: ListPage<Row> },
): AdminListStore<Row, Filter> {
  const [list] = useState(() =>
    createListStore<Row, Filter, ListPage<Row>>(
      {
        ...options,
        db,
        showAddress: (address) => isInAddress && history.replaceState(null, '', address),
        signedOut: sessionEnded,
      },
      initial,
    ),
  );
  useEffect(() => whenBack(list.retry), [list]);
  useEffect(() => list.$page.subscribe(() => void list.countAll()), [list]);
  return list;
}

/** A filter with a few values; `any` is the label of not choosing one. */
export interface AdminChoice<Filter> {
  key: Exclude<keyof Filter & string, 'words' | 'place'>;
  label: string;
  options: readonly { value: string; label: string }[];
  any?: string;
  /** Whether `any` leaves rows out, as "Coming up" does. */
  narrows?: boolean;
  /** Its width, as a class. */
  className?: string;
}

interface AdminListProps<Row extends { id: string }, Filter extends AdminFilter>
  extends Pick<
    DataTableProps<Row>,
    'caption' | 'noun' | 'columns' | 'nameOf' | 'actions' | 'onlyLinks' | 'onPress'
  > {
  list: AdminListStore<Row, Filter>;
  codec: FilterCodec<Filter>;
  /** What words find: "name, email or business". */
  searchBy: string;
  choices: readonly AdminChoice<Filter>[];
  /** Dates that the list begins and ends with. */
  days?: readonly { key: keyof Filter & string; label: string }[];
  /** The list's name among saved views and, in a CSV file, of the file. */
  name: string;
  /** Shown if there are no rows at all. */
  empty: ReactNode;
}

/** Whether a filter leaves rows out of the list as it's first shown. */
const narrowsAlways = <Filter,>({ key, any, narrows }: AdminChoice<Filter>) =>
  narrows || (any === undefined && key !== 'sort');

/** As many rows as are found faster by reading them than by a filter. */
const FEW = 7;

/** Whether to offer filters: not for a whole list that's short, unless they were there before. */
function useCanNarrow<Row extends { id: string }, Filter extends AdminFilter>(
  list: AdminListStore<Row, Filter>,
  choices: readonly AdminChoice<Filter>[],
  isNarrowed: boolean,
): boolean {
  const { rows, previous, next } = useStore(list.$page, { ssr: 'initial' });
  const isShort =
    !isNarrowed && rows.length <= FEW && !previous && !next && !choices.some(narrowsAlways);
  // What's there to search with doesn't vanish while it's used.
  const [canNarrow, setCanNarrow] = useState(!isShort);
  if (!isShort && !canNarrow) setCanNarrow(true);
  return canNarrow;
}

/** An admin's list: search, filters, saved views, a CSV file, and the table. */
export function AdminList<Row extends { id: string }, Filter extends AdminFilter>(
  props: AdminListProps<Row, Filter>,
) {
  const { list, codec, searchBy, choices, days = [], name, empty, ...table } = props;
  const filter = useStore(list.$filter, { ssr: 'initial' });
  const [views] = useState(() => createSavedViews({ db, signedOut: sessionEnded }, name));
  const { sort, place, ...narrowing } = filter;
  const isNarrowed = Object.entries(narrowing).some(
    ([key, value]) => value !== codec.params[key as keyof Filter].none,
  );
  const canNarrow = useCanNarrow(list, choices, isNarrowed);
  const choose = (change: object) => void list.choose(change as Partial<Filter>);
  return (
    <section aria-label="Results" data-wide className="flex flex-col gap-5">
      {canNarrow && (
        <ListFilters
          label={table.caption}
          hint={searchBy}
          words={filter.words}
          onSearch={(words) => choose({ words })}
          choices={choices.map(({ key, label, options, any, className }) => ({
            label,
            options: [...options],
            ...(className && { className }),
            name: codec.params[key].name,
            value: String(filter[key] ?? ''),
            ...(any && { placeholder: any }),
            onChoose: (value) => choose({ [key]: value || codec.params[key].none }),
          }))}
          days={days.map(({ key, label }) => ({
            label,
            name: codec.params[key].name,
            value: String(filter[key] ?? ''),
            onChoose: (value) => choose({ [key]: value || null }),
          }))}
        />
      )}
      <DataTable<Row>
        {...table}
        list={list}
        csvName={name}
        {...(canNarrow && { views })}
        empty={
          isNarrowed ? (
            <EmptyState
              title="No matches"
              action={
                <Button
                  variant="secondary"
                  onClick={() =>
                    choose(
                      Object.fromEntries(
                        Object.keys(narrowing).map((key) => [
                          key,
                          codec.params[key as keyof Filter].none,
                        ]),
                      ),
                    )
                  }
                >
                  Show all
                </Button>
              }
            >
              Nothing matches your search and filters.
            </EmptyState>
          ) : (
            empty
          )
        }
      />
    </section>
  );
}
