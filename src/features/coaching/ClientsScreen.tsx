import { useStore } from '@nanostores/react';
import { useEffect, useMemo, useState } from 'react';
import type { ClientCounts, ClientRow } from '#data/coaching-clients.ts';
import {
  CLIENT_SORT_LABELS,
  CLIENT_SORTS,
  CLIENT_STATES,
  type ClientFilter,
  isNarrowedToSome,
} from '#domain/client-list.ts';
import type { ListPage } from '#domain/list.ts';
import { db } from '#lib/db.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { createSavedViews } from '#stores/saved-views.ts';
import { sessionEnded } from '#stores/session.ts';
import { whenBack } from '#stores/when-back.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { DataTable } from '#ui/table/DataTable.tsx';
import { type FilterChoice, ListFilters } from '#ui/table/ListFilters.tsx';
import { ViewSwitch } from '#ui/table/ViewSwitch.tsx';
import { ClientBoard } from './clients/ClientBoard.tsx';
import { clientColumns } from './clients/client-columns.tsx';
import { type ClientListStore, createClientListStore } from './clients/client-list-store.ts';
import { STATE_LABELS } from './coach/StateMark.tsx';
import type { Reader } from './when.ts';

interface ClientsProps {
  filter: ClientFilter;
  page: ListPage<ClientRow>;
  counts: ClientCounts;
  reader: Reader;
}

const VIEWS = [
  ['board', 'Board'],
  ['table', 'Table'],
] as const;

/** A coach's clients, as a board by state or a table. */
function ClientsScreen({ filter: initial, page, counts, reader }: ClientsProps) {
  const [store] = useState(() =>
    createClientListStore(
      {
        db,
        showAddress: (address) => history.replaceState(null, '', address),
        signedOut: sessionEnded,
      },
      { filter: initial, page },
    ),
  );
  const filter = useStore(store.$filter, { ssr: 'initial' });
  const { rows } = useStore(store.$page, { ssr: 'initial' });
  useEffect(() => whenBack(store.retry), [store]);
  const isNew = Object.values(counts).every((count) => count === 0);
  return (
    <div data-wide className="flex flex-col gap-6">
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0">
          <h1>Clients</h1>
          <p className="mt-2 max-w-[60ch] text-muted">
            What’s due first comes first. You can see an owner’s results only while they share them.
          </p>
        </div>
        <Button variant="secondary" href={hrefFor('/dashboard/coaching/settings')}>
          Profile and time off
        </Button>
      </header>
      {isNew && rows.length === 0 && !isNarrowedToSome(filter) ? (
        <NoClients />
      ) : (
        <>
          <ViewSwitch
            views={VIEWS}
            shown={filter.view}
            hrefOf={(view) => store.hrefOf({ view })}
            onChoose={(view) => void store.choose({ view })}
          />
          <Filters store={store} filter={filter} />
          <Results store={store} filter={filter} counts={counts} reader={reader} />
        </>
      )}
    </div>
  );
}

const NoClients = () => (
  <EmptyState
    title="No clients yet"
    action={<Button href={hrefFor('/dashboard/coaching/settings')}>Write your profile</Button>}
  >
    When an owner asks for you, or an admin assigns you someone, they show up here with what to do
    next. Owners choose by your profile.
  </EmptyState>
);

const states = [
  { value: 'open', label: 'Open' },
  ...[...CLIENT_STATES, 'completed' as const, 'unreachable' as const].map((state) => ({
    value: state as string,
    label: STATE_LABELS[state],
  })),
];
const sorts = CLIENT_SORTS.map((sort) => ({ value: sort, label: CLIENT_SORT_LABELS[sort] }));

function Filters({ store, filter }: { store: ClientListStore; filter: ClientFilter }) {
  const choose = (change: Partial<ClientFilter>) => void store.choose(change);
  const state: FilterChoice = {
    label: 'State',
    name: 'state',
    options: states,
    value: filter.state,
    onChoose: (value) => choose({ state: value as ClientFilter['state'] }),
  };
  return (
    <ListFilters
      label="Clients"
      words={filter.q}
      hint="business or owner"
      onSearch={(q) => choose({ q })}
      choices={[
        // The board has a column for each state.
        ...(filter.view === 'table' ? [state] : []),
        {
          label: 'Sort by',
          name: 'sort',
          className: 'basis-44',
          options: sorts,
          value: filter.sort,
          onChoose: (sort) => choose({ sort: sort as ClientFilter['sort'] }),
        },
      ]}
    >
      {filter.view === 'table' && <input type="hidden" name="view" value="table" />}
    </ListFilters>
  );
}

interface ResultsProps extends Omit<ClientsProps, 'page'> {
  store: ClientListStore;
}

function Results({ store, filter, counts, reader }: ResultsProps) {
  const [views] = useState(() => createSavedViews({ db, signedOut: sessionEnded }, 'clients'));
  const columns = useMemo(() => clientColumns(reader), [reader]);
  const empty = <NothingFits store={store} filter={filter} />;
  return (
    <section aria-label="Results" className="flex flex-col gap-4">
      {filter.view === 'board' ? (
        <ClientBoard store={store} counts={counts} reader={reader} empty={empty} />
      ) : (
        <DataTable<ClientRow>
          caption="Clients"
          noun={['client', 'clients']}
          columns={columns}
          list={store}
          empty={empty}
          nameOf={({ business }) => business.name}
          csvName="clients"
          views={views}
        />
      )}
    </section>
  );
}

function NothingFits({ store, filter }: { store: ClientListStore; filter: ClientFilter }) {
  const isNarrowed = isNarrowedToSome(filter);
  return (
    <EmptyState
      title={isNarrowed ? 'No matches' : 'No open clients'}
      action={
        <Button
          variant="secondary"
          onClick={() =>
            void store.choose(
              isNarrowed ? { q: '', state: 'open' } : { view: 'table', state: 'completed' },
            )
          }
        >
          {isNarrowed ? 'Show all open clients' : 'Show completed clients'}
        </Button>
      }
    >
      {isNarrowed ? 'No clients match your search and filters.' : 'Nobody’s waiting for you.'}
    </EmptyState>
  );
}

export default screen(ClientsScreen);
