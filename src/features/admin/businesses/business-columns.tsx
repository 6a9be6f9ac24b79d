import type { ListedBusiness } from '#data/admin-businesses.ts';
import { BUSINESS_STATE_LABELS, ENGAGEMENT_LABELS } from '#domain/admin-businesses.ts';
import { shortDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import type { DataColumn } from '#ui/table/columns.ts';

/** A business's name, for its checkbox. */
export const nameOf = ({ name }: ListedBusiness) => name;

const ownersOf = ({ owners }: ListedBusiness) =>
  owners.map(({ name }) => name || 'Unnamed').join(', ');
const placeOf = ({ city, region }: ListedBusiness) => [city, region].filter(Boolean).join(', ');
const stateOf = ({ archived_at }: ListedBusiness) =>
  BUSINESS_STATE_LABELS[archived_at === null ? 'active' : 'archived'];
const coachingOf = ({ coaching }: ListedBusiness) =>
  coaching && (coaching.coach ?? ENGAGEMENT_LABELS[coaching.state]);

const linkTo = ({ id, name }: ListedBusiness['owners'][number]) => (
  <a key={id} className="link wrap-anywhere" href={hrefFor('/admin/people/[id]', { id })}>
    {name || 'Unnamed'}
  </a>
);

const ownerLinks = ({ owners }: ListedBusiness) =>
  owners.length > 0 &&
  owners.flatMap((owner, at) => (at > 0 ? [', ', linkTo(owner)] : [linkTo(owner)]));

/** The columns of all businesses, in the reader's time zone. */
export const businessColumns = (timeZone: string): DataColumn<ListedBusiness>[] => [
  {
    id: 'name',
    header: 'Business',
    isRowHeader: true,
    sort: { ascending: 'name' },
    cell: (business) => (
      <>
        <a
          className="link wrap-anywhere"
          href={hrefFor('/admin/businesses/[id]', { id: business.id })}
        >
          {business.name}
        </a>
        {placeOf(business) && (
          <span className="block text-xs font-normal text-muted">{placeOf(business)}</span>
        )}
      </>
    ),
    csv: nameOf,
  },
  { id: 'city', header: 'City', csv: ({ city }) => city },
  { id: 'region', header: 'Region', csv: ({ region }) => region },
  {
    id: 'owner',
    header: 'Owner',
    none: 'Nobody',
    breaks: 'rarely',
    onCard: 'bare',
    cell: ownerLinks,
    csv: ownersOf,
  },
  {
    id: 'members',
    header: 'Members',
    align: 'right',
    from: 'wide',
    isUsual: ({ members }) => members <= 1,
    cell: ({ members }) => members,
    csv: ({ members }) => members,
  },
  {
    id: 'state',
    header: 'State',
    onCard: 'bare',
    isUsual: ({ archived_at }) => archived_at === null,
    cell: stateOf,
    csv: stateOf,
  },
  {
    id: 'coaching',
    header: 'Coach',
    none: 'None',
    breaks: 'rarely',
    cell: coachingOf,
    csv: coachingOf,
  },
  {
    id: 'quiz',
    header: 'Last quiz',
    none: 'None finished',
    from: 'wide',
    breaks: 'never',
    cell: ({ finished_at }) => finished_at && shortDayText(finished_at, timeZone),
    csv: ({ finished_at }) => finished_at,
  },
  {
    id: 'projects',
    header: 'Open projects',
    align: 'right',
    from: 'wide',
    isUsual: ({ open_projects }) => open_projects === 0,
    cell: ({ open_projects }) => open_projects,
    csv: ({ open_projects }) => open_projects,
  },
  {
    id: 'added',
    header: 'Added',
    sort: { ascending: 'oldest', descending: 'newest' },
    breaks: 'never',
    cell: ({ created_at }) => shortDayText(created_at, timeZone),
    csv: ({ created_at }) => created_at,
  },
];
