import { useStore } from '@nanostores/react';
import { useEffect, useMemo, useState } from 'react';
import { type HubSpotRecord, type HubSpotSync, listHubSpotRecords } from '#data/hubspot.ts';
import {
  HUBSPOT_KIND_LABELS,
  HUBSPOT_KINDS,
  type HubSpotFilter,
  hubspotFilter,
  RECORD_CHANGE_LABELS,
  RECORD_CHANGES,
} from '#domain/hubspot.ts';
import type { ListPage } from '#domain/list.ts';
import { db } from '#lib/db.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { sessionEnded } from '#stores/session.ts';
import { addFailureToast, addToast } from '#stores/toasts.ts';
import { whenBack } from '#stores/when-back.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Failure } from '#ui/Failure.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import type { BulkAction } from '#ui/table/DataTable.tsx';
import { Connection } from './hubspot/Connection.tsx';
import { createHubSpotStore } from './hubspot/hubspot-store.ts';
import { Mapping } from './hubspot/Mapping.tsx';
import { columnsIn, labelOf } from './hubspot/record-columns.tsx';
import { Steps } from './hubspot/Steps.tsx';
import { type AdminChoice, AdminList, useAdminList } from './list/AdminList.tsx';

interface HubSpotProps {
  sync: HubSpotSync;
  filter: HubSpotFilter;
  page: ListPage<HubSpotRecord>;
  /** The reader's IANA time zone. */
  timeZone: string;
}

const CHOICES: readonly AdminChoice<HubSpotFilter>[] = [
  {
    key: 'kind',
    label: 'Kind',
    any: 'All',
    options: HUBSPOT_KINDS.map((value) => ({ value, label: HUBSPOT_KIND_LABELS[value] })),
  },
  {
    key: 'state',
    label: 'State',
    any: 'Any',
    options: [
      { value: 'waiting', label: 'Waiting' },
      { value: 'sent', label: 'In HubSpot' },
      { value: 'refused', label: 'Refused' },
      { value: 'removed', label: 'Removed' },
    ],
  },
  {
    key: 'change',
    label: 'Dry run',
    any: 'Any',
    options: RECORD_CHANGES.map((value) => ({ value, label: RECORD_CHANGE_LABELS[value] })),
  },
];

const NoRecords = ({ isConnected }: { isConnected: boolean }) => (
  <EmptyState title="No records yet">
    {isConnected
      ? 'A dry run lists what sending would change in HubSpot.'
      : 'Connect HubSpot first. Then a dry run lists what sending would change there.'}
  </EmptyState>
);

/** The sync with HubSpot: connection, mapping, dry run, sending, and what became of each record. */
function HubSpotScreen({ sync: initial, filter, page, timeZone }: HubSpotProps) {
  const list = useAdminList<HubSpotRecord, HubSpotFilter>(
    { path: hrefFor('/admin/hubspot-sync'), codec: hubspotFilter, read: listHubSpotRecords },
    { filter, page },
  );
  const [store] = useState(() =>
    createHubSpotStore(
      {
        db,
        signedOut: sessionEnded,
        showFailure: addFailureToast,
        recordsChanged: () => void list.choose({ place: list.$filter.get().place }),
      },
      initial,
    ),
  );
  const sync = useStore(store.$sync, { ssr: 'initial' });
  const pending = useStore(store.$pending, { ssr: 'initial' });
  const failure = useStore(store.$failure, { ssr: 'initial' });
  useEffect(() => store.watch(), [store]);
  useEffect(() => whenBack(() => void store.look()), [store]);
  const columns = useMemo(() => columnsIn(timeZone), [timeZone]);

  async function replay(ids: readonly (string | null)[]) {
    if (await store.replay(ids)) {
      addToast({ tone: 'good', title: 'They’ll be sent again.' });
    }
  }
  const actions = (rows: readonly HubSpotRecord[]): BulkAction[] =>
    rows.every(({ reason }) => reason !== null)
      ? [
          {
            label: 'Send again',
            done: 'sending again',
            onRun: () => void replay(rows.map(({ id }) => id)),
          },
        ]
      : [];

  return (
    <div className="flex flex-col gap-8">
      <header>
        <h1>HubSpot</h1>
        <p className="mt-2 max-w-[60ch] text-muted">
          This keeps contacts who agreed to the newsletter, and their businesses, up to date in
          HubSpot. People who unsubscribe are removed there. People who delete their account are
          erased.
        </p>
      </header>
      <Failure
        failure={failure}
        title="We can’t see how far it is"
        onRetry={() => void store.look()}
      />
      <Connection
        sync={sync}
        timeZone={timeZone}
        isChecking={pending === 'check'}
        onCheck={() => void store.take('check')}
      />
      <Mapping sync={sync} onSave={store.map} />
      <Steps
        sync={sync}
        timeZone={timeZone}
        pending={pending}
        onStep={(step) => void store.take(step)}
        onReplay={() => void replay([null])}
      />
      <AdminList
        list={list}
        codec={hubspotFilter}
        caption="Records"
        noun={['record', 'records']}
        columns={columns}
        nameOf={labelOf}
        actions={actions}
        searchBy="an address or a company’s name"
        choices={CHOICES}
        name="hubspot"
        empty={<NoRecords isConnected={sync.connection?.is_connected ?? false} />}
      />
    </div>
  );
}

export default screen(HubSpotScreen);
