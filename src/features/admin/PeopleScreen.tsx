import { useMemo, useState } from 'react';
import { type ListedPerson, listPeople } from '#data/people.ts';
import {
  ACCOUNT_STATE_LABELS,
  ACCOUNT_STATES,
  type PeopleFilter,
  peopleFilter,
  ROLE_LABELS,
} from '#domain/admin-people.ts';
import type { ListPage } from '#domain/list.ts';
import { ROLES } from '#domain/person.ts';
import { shortDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import type { DataColumn } from '#ui/table/columns.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import { AdminList, useAdminList } from './list/AdminList.tsx';

interface PeopleProps {
  filter: PeopleFilter;
  page: ListPage<ListedPerson>;
  /** The reader's IANA time zone. */
  timeZone: string;
}

const loadDemographics = () => import('./people/DemographicsDialog.tsx');

const nameOf = ({ name, email }: ListedPerson) => name || email || 'Unnamed';

const columnsIn = (timeZone: string): DataColumn<ListedPerson>[] => [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    sort: { ascending: 'name' },
    cell: (person) => (
      <>
        <a className="link" href={hrefFor('/admin/people/[id]', { id: person.id })}>
          {nameOf(person)}
        </a>
        {person.name && <span className="block text-xs text-muted">{person.email}</span>}
      </>
    ),
    csv: ({ name }) => name,
  },
  { id: 'email', header: 'Email', csv: ({ email }) => email },
  {
    id: 'role',
    header: 'Role',
    onCard: 'bare',
    isUsual: ({ role }) => role === 'owner',
    cell: ({ role }) => ROLE_LABELS[role],
    csv: ({ role }) => ROLE_LABELS[role],
  },
  {
    id: 'state',
    header: 'Account',
    onCard: 'bare',
    isUsual: ({ state }) => state === 'active',
    cell: ({ state }) => ACCOUNT_STATE_LABELS[state],
    csv: ({ state }) => ACCOUNT_STATE_LABELS[state],
  },
  {
    id: 'businesses',
    header: 'Businesses',
    from: 'wide',
    onCard: 'bare',
    cell: ({ businesses }) => businesses.map(({ name }) => name).join(', ') || null,
    csv: ({ businesses }) => businesses.map(({ name }) => name).join(', '),
  },
  {
    id: 'joined',
    header: 'Joined',
    sort: { ascending: 'oldest', descending: 'newest' },
    breaks: 'never',
    cell: ({ joined_at }) => shortDayText(joined_at, timeZone),
    csv: ({ joined_at }) => joined_at,
  },
  {
    id: 'seen',
    header: 'Last sign-in',
    none: 'Never',
    breaks: 'never',
    cell: ({ seen_at }) => seen_at && shortDayText(seen_at, timeZone),
    csv: ({ seen_at }) => seen_at,
  },
];

const SORTS: Record<PeopleFilter['sort'], string> = {
  newest: 'Newest',
  oldest: 'Oldest',
  name: 'Name',
};
const optionsOf = <Value extends string>(labels: Record<Value, string>, values: readonly Value[]) =>
  values.map((value) => ({ value, label: labels[value] }));

/** Everyone with an account. */
function PeopleScreen({ filter, page, timeZone }: PeopleProps) {
  const list = useAdminList<ListedPerson, PeopleFilter>(
    { path: hrefFor('/admin/people'), codec: peopleFilter, read: listPeople },
    { filter, page },
  );
  const columns = useMemo(() => columnsIn(timeZone), [timeZone]);
  const [reach, setReach] = useState(false);
  const closeReach = () => setReach(false);
  const part = useOpenedPart(loadDemographics, reach, closeReach);
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1>People</h1>
        <Button size="small" variant="secondary" onClick={() => setReach(true)}>
          Who we reach
        </Button>
      </div>
      {reach && part && <part.DemographicsDialog onClose={closeReach} />}
      <AdminList
        list={list}
        codec={peopleFilter}
        caption="People"
        noun={['person', 'people']}
        columns={columns}
        onlyLinks
        nameOf={nameOf}
        searchBy="name, email or business"
        choices={[
          { key: 'role', label: 'Role', any: 'Any', options: optionsOf(ROLE_LABELS, ROLES) },
          {
            key: 'state',
            label: 'Account',
            any: 'Any',
            options: optionsOf(ACCOUNT_STATE_LABELS, ACCOUNT_STATES),
          },
          {
            key: 'sort',
            label: 'Sort by',
            options: optionsOf(SORTS, ['newest', 'oldest', 'name']),
          },
        ]}
        name="people"
        empty={<EmptyState title="No people yet">Everyone who registers shows up here.</EmptyState>}
      />
    </div>
  );
}

export default screen(PeopleScreen);
