import { useMemo } from 'react';
import { type ListedBusiness, listAllBusinesses } from '#data/admin-businesses.ts';
import type { ListChoices } from '#data/admin-lists.ts';
import {
  type AllBusinessesFilter,
  allBusinessesFilter,
  BUSINESS_STATE_LABELS,
  COACHING_LABELS,
} from '#domain/admin-businesses.ts';
import type { ListPage } from '#domain/list.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { businessColumns, nameOf } from './businesses/business-columns.tsx';
import { useArchiving } from './businesses/use-archiving.tsx';
import { AdminList, useAdminList } from './list/AdminList.tsx';

interface BusinessesProps {
  filter: AllBusinessesFilter;
  page: ListPage<ListedBusiness> & { choices: ListChoices | null };
  /** The reader's IANA time zone. */
  timeZone: string;
}

const optionsOf = <Value extends string>(labels: Record<Value, string>) =>
  Object.entries<string>(labels).map(([value, label]) => ({ value, label }));

/** All businesses, active and archived. */
function AllBusinessesScreen({ filter, page, timeZone }: BusinessesProps) {
  const list = useAdminList<ListedBusiness, AllBusinessesFilter>(
    { path: hrefFor('/admin/businesses'), codec: allBusinessesFilter, read: listAllBusinesses },
    { filter, page },
  );
  const columns = useMemo(() => businessColumns(timeZone), [timeZone]);
  const { actions, dialog } = useArchiving(() => list.choose({ place: list.$filter.get().place }));
  return (
    <div className="flex flex-col gap-6">
      <h1>Businesses</h1>
      <AdminList
        list={list}
        codec={allBusinessesFilter}
        caption="Businesses"
        noun={['business', 'businesses']}
        columns={columns}
        nameOf={nameOf}
        actions={actions}
        onlyLinks
        searchBy="name, city, postal code or industry"
        choices={[
          { key: 'state', label: 'State', any: 'Any', options: optionsOf(BUSINESS_STATE_LABELS) },
          { key: 'coaching', label: 'Coaching', any: 'Any', options: optionsOf(COACHING_LABELS) },
          { key: 'region', label: 'Region', any: 'Any', options: page.choices?.region ?? [] },
          {
            key: 'sort',
            label: 'Sort by',
            options: optionsOf({ newest: 'Newest', oldest: 'Oldest', name: 'Name' }),
          },
        ]}
        name="all-businesses"
        empty={
          <EmptyState title="No businesses yet">
            Every business that an owner adds shows up here.
          </EmptyState>
        }
      />
      {dialog}
    </div>
  );
}

export default screen(AllBusinessesScreen);
