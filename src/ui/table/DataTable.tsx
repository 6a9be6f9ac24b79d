import { useStore } from '@nanostores/react';
import type { ReadableAtom } from 'nanostores';
import { type ReactNode, useRef, useState } from 'react';
import type { ListPage, Place } from '#domain/list.ts';
import type { AnswerState } from '#lib/latest-answer.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { Button } from '../Button.tsx';
import { classNames } from '../class-names.ts';
import { Failure } from '../Failure.tsx';
import { Skeleton } from '../Skeleton.tsx';
import { useFocusBack } from '../use-focus-back.ts';
import { CsvButton } from './CsvButton.tsx';
import type { DataColumn } from './columns.ts';
import { DataRows } from './DataRows.tsx';
import { Pager } from './Pager.tsx';
import { SavedViews, type ViewSource } from './SavedViews.tsx';
import { NOTHING, type Selection } from './selection.ts';

/** The part of a list store that the table uses: the requested filter, the page, and paging. */
export interface ListSource<Row> {
  $filter: ReadableAtom<{ sort: string; place: Place | null }>;
  $page: ReadableAtom<ListPage<Row>>;
  $state: ReadableAtom<AnswerState>;
  choose(change: { sort?: string; place?: Place | null }): Promise<void>;
  hrefOf(change: { place?: Place | null }): string;
  retry(): Promise<void>;
  readAll(): AsyncGenerator<readonly Row[], { isComplete: boolean }>;
}

export interface BulkAction {
  label: string;
  /** Announced once it has run, after "2 selected": "moved to …". */
  done: string;
  onRun: () => void;
  danger?: boolean;
}

export interface DataTableProps<Row extends { id: string }> {
  /** The table's name: "Projects". */
  caption: string;
  /** What rows are called, singular and plural: `['project', 'projects']`. */
  noun: readonly [one: string, many: string];
  columns: readonly DataColumn<Row>[];
  list: ListSource<NoInfer<Row>>;
  /** Shown instead of a table without rows. */
  empty: ReactNode;
  /** A row's name, for its checkbox. */
  nameOf: (row: Row) => string;
  /** Bulk actions for the selected rows. Without it, rows can't be selected. */
  actions?: (rows: readonly Row[]) => readonly BulkAction[];
  /** Whether cells are only text, links and buttons with `data-press`, so that rows work without React. */
  onlyLinks?: boolean | undefined;
  /** Called when a row's button with `data-press` is pressed, with its value. */
  onPress?: ((row: Row, name: string) => void) | undefined;
  /** The name of the CSV file with all matching rows. Without it, there's no CSV button. */
  csvName?: string;
  /** The user's saved views. */
  views?: ViewSource;
}

/** The rows that are checked. Another filter, which shows other rows, begins with none. */
function useSelection<Row extends { id: string }>(filter: object, rows: readonly Row[]) {
  const [held, hold] = useState({ filter, selection: NOTHING });
  const selectionOf = (of: typeof held) => (of.filter === filter ? of.selection : NOTHING);
  const selection = selectionOf(held);
  // Several may be checked before anything renders again.
  const select = (change: (now: Selection) => Selection) =>
    hold((now) => ({ filter, selection: change(selectionOf(now)) }));
  return { selection, select, selected: rows.filter(({ id }) => selection.ids.has(id)) };
}

/**
 * A list that the database filters, sorts and pages: a table, or cards on a phone. Filters and the
 * sort order are also in a separate form next to it, which works without scripts.
 */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { noun, list, empty, csvName, views, actions } = props;
  const filter = useStore(list.$filter, { ssr: 'initial' });
  const page = useStore(list.$page, { ssr: 'initial' });
  const state = useStore(list.$state, { ssr: 'initial' });
  const { selection, select, selected } = useSelection(filter, page.rows);
  const isLoading = state.name === 'loading';
  const isBlank = page.rows.length === 0;
  const around = useRef<HTMLDivElement>(null);
  const selectAll = useRef({ focus: () => focusSelectAll(around.current) });
  useFocusBack(selectAll, selected.length > 0);
  return (
    <div ref={around} aria-busy={isLoading} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <p role="status" className="mr-auto text-sm text-muted max-sm:w-full">
          {state.name === 'ready' && countText(page, noun)}
        </p>
        <div className="flex min-h-9 pointer-coarse:min-h-11 flex-wrap items-center gap-x-2 gap-y-1 max-sm:-ml-3 max-sm:w-full [@media(scripting:none)]:hidden">
          {views && <SavedViews views={views} {...placeOf(list.hrefOf({ place: null }))} />}
          {csvName && !isBlank && (
            <CsvButton name={csvName} columns={props.columns} readAll={() => list.readAll()} />
          )}
        </div>
      </div>
      {state.name === 'failed' && (
        <Failure
          failure={state.error}
          onRetry={() => void list.retry()}
          title="We couldn’t load the list"
        />
      )}
      {selected.length > 0 && actions && (
        <Selected
          count={selected.length}
          actions={actions(selected)}
          onClear={() => select(() => NOTHING)}
        />
      )}
      <div className={classNames('transition-opacity', isLoading && !isBlank && 'opacity-60')}>
        {!isBlank ? (
          <DataRows
            {...props}
            rows={page.rows}
            sort={filter.sort}
            onSort={(sort) => void list.choose({ sort })}
            selection={selection}
            onSelect={select}
          />
        ) : isLoading ? (
          <Waiting />
        ) : (
          state.name === 'ready' && empty
        )}
      </div>
      <Pager
        previous={page.previous && list.hrefOf({ place: page.previous })}
        next={page.next && list.hrefOf({ place: page.next })}
        onGo={(way) => void list.choose({ place: page[way] })}
      />
    </div>
  );
}

/** Focuses the visible "select all" checkbox: the table's, or the cards' on a phone. */
function focusSelectAll(around: HTMLElement | null) {
  const boxes = around?.querySelectorAll<HTMLElement>('[data-select-all] input') ?? [];
  [...boxes].find((box) => box.checkVisibility())?.focus();
}

interface SelectedProps {
  count: number;
  actions: readonly BulkAction[];
  onClear: () => void;
}

function Selected({ count, actions, onClear }: SelectedProps) {
  const [ran, setRan] = useState({ count: 0, done: '' });
  const bar = useRef<HTMLFieldSetElement>(null);
  // Running an action may remove its button, if the rows then allow different ones.
  useFocusBack(bar, actions.map(({ label }) => label).join());
  return (
    <fieldset
      ref={bar}
      tabIndex={-1}
      className="sticky top-2 z-10 card flex min-w-0 flex-wrap items-center gap-2 bg-raised px-4 py-2 float"
    >
      <legend className="sr-only">With the selected rows</legend>
      <p role="status" className="mr-auto text-sm font-medium">
        {count} selected{ran.count === count && `, ${ran.done}`}
      </p>
      {actions.map(({ label, done, onRun, danger }) => (
        <Button
          key={label}
          size="small"
          variant={danger ? 'danger' : 'secondary'}
          onClick={() => {
            setRan({ count, done });
            onRun();
          }}
        >
          {label}
        </Button>
      ))}
      <Button size="small" variant="quiet" onClick={onClear}>
        Clear selection
      </Button>
    </fieldset>
  );
}

const Waiting = () => (
  <div className="card flex flex-col gap-4 p-5 md:p-6">
    {['a', 'b', 'c', 'd', 'e'].map((key) => (
      <Skeleton key={key} className="h-6" />
    ))}
  </div>
);

/** Splits a URL into path and query. */
function placeOf(href: string): { path: string; query: string } {
  const [path = '', query] = href.split('?');
  return { path, query: query === undefined ? '' : `?${query}` };
}

/** "25 of 60 projects", "25 of more than 100 projects". */
function countText<Row>(
  { rows, count }: ListPage<Row>,
  [one, many]: DataTableProps<never>['noun'],
) {
  const shown = rows.length;
  if (!count) return `${shown} ${shown === 1 ? one : many}`;
  const total = wholeText(count.total);
  if (count.atLeast) return `${shown} of more than ${total} ${many}`;
  const noun = count.total === 1 ? one : many;
  return count.total === shown ? `${total} ${noun}` : `${shown} of ${total} ${noun}`;
}
