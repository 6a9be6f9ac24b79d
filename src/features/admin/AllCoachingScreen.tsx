import { useMemo } from 'react';
import { type ListedEngagement, listEngagements } from '#data/admin-coaching.ts';
import type { ListChoices } from '#data/admin-lists.ts';
import { ENGAGEMENT_LABELS } from '#domain/admin-businesses.ts';
import {
  ATTENTION_LABELS,
  type EngagementFilter,
  engagementFilter,
} from '#domain/admin-coaching.ts';
import { ENGAGEMENT_STATES } from '#domain/engagement.ts';
import type { ListPage } from '#domain/list.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { engagementColumns, nameOf } from './coaching/engagement-columns.tsx';
import { AdminList, useAdminList } from './list/AdminList.tsx';

interface CoachingProps {
  filter: EngagementFilter;
  page: ListPage<ListedEngagement> & { choices: ListChoices | null };
  /** The reader's IANA time zone and the day there. */
  timeZone: string;
  today: string;
}

const STATES = [
  { value: 'open', label: 'Open' },
  ...ENGAGEMENT_STATES.map((value) => ({ value, label: ENGAGEMENT_LABELS[value] })),
  { value: 'all', label: 'All' },
];
const ATTENTION = Object.entries(ATTENTION_LABELS).map(([value, label]) => ({ value, label }));
const SORTS = [
  { value: 'due', label: 'Due first' },
  { value: 'requested', label: 'Newest' },
];

/** The coaching of all businesses: a row is one engagement. */
function AllCoachingScreen({ filter, page, timeZone, today }: CoachingProps) {
  const list = useAdminList<ListedEngagement, EngagementFilter>(
    { path: hrefFor('/admin/coaching'), codec: engagementFilter, read: listEngagements },
    { filter, page },
  );
  const { area = [], coach = [] } = page.choices ?? {};
  const columns = useMemo(
    () => engagementColumns({ timeZone, today, areas: area }),
    [timeZone, today, area],
  );
  return (
    <section aria-labelledby="list" className="flex flex-col gap-4">
      <h2 id="list" className="text-lg">
        All coaching
      </h2>
      <AdminList
        list={list}
        codec={engagementFilter}
        caption="Coaching"
        noun={['engagement', 'engagements']}
        columns={columns}
        onlyLinks
        nameOf={nameOf}
        searchBy="business or owner"
        choices={[
          { key: 'state', label: 'State', options: STATES },
          {
            key: 'late',
            label: 'Due',
            any: 'Any',
            options: [{ value: '1', label: 'Late' }],
            className: 'basis-26',
          },
          { key: 'show', label: 'Attention', any: 'Any', options: ATTENTION },
          { key: 'coach', label: 'Coach', any: 'Any', options: coach },
          { key: 'area', label: 'Area', any: 'Any', options: area },
          { key: 'sort', label: 'Sort by', options: SORTS, className: 'basis-34' },
        ]}
        name="all-coaching"
        empty={
          <EmptyState title="No open coaching">
            Every request for a coach shows up here. Choose “All” to see ended ones too.
          </EmptyState>
        }
      />
    </section>
  );
}

export default screen(AllCoachingScreen);
