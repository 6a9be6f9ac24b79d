import type { ListedEngagement } from '#data/admin-coaching.ts';
import type { ListChoices } from '#data/admin-lists.ts';
import { ENGAGEMENT_LABELS } from '#domain/admin-businesses.ts';
import { ATTENTION_LABELS, awayText, NEXT_STEP_LABELS } from '#domain/admin-coaching.ts';
import { dayOf, nearDayText, shortDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import type { DataColumn } from '#ui/table/columns.ts';

/** A business's name, for what's read aloud of its row. */
export const nameOf = ({ business }: ListedEngagement) => business.name;

const ownerOf = ({ owner }: ListedEngagement) =>
  owner ? owner.name || 'Unnamed' : 'A deleted account';
const coachOf = ({ coach }: ListedEngagement) => coach && (coach.name || 'Unnamed');
const stepOf = ({ due_what }: ListedEngagement) => due_what && NEXT_STEP_LABELS[due_what];

interface Where {
  /** The reader's IANA time zone and the day there. */
  timeZone: string;
  today: string;
  /** Names of the skill areas, by key. */
  areas: ListChoices[string];
}

/** What has to happen next and by when. Text says that it's late, not color alone. */
function NextStep({ engagement, timeZone, today }: { engagement: ListedEngagement } & Where) {
  const { due_at, late } = engagement;
  if (due_at === null) return null;
  const day = nearDayText(dayOf(due_at, timeZone), today);
  return (
    <span className="md:inline-block md:min-w-40">
      {stepOf(engagement)}
      <span className="md:hidden">, </span>
      <time
        dateTime={due_at}
        className={`whitespace-nowrap md:block ${late ? 'font-medium text-danger' : 'text-muted'}`}
      >
        {late ? `was due ${day}` : day}
      </time>
    </span>
  );
}

function Coach({ engagement: { coach }, today }: { engagement: ListedEngagement } & Where) {
  if (!coach) return null;
  return (
    <>
      <a className="link wrap-anywhere" href={hrefFor('/admin/people/[id]', { id: coach.id })}>
        {coach.name || 'Unnamed'}
      </a>
      {coach.away && (
        <span className="block text-xs font-medium text-caution">
          {awayText(coach.away, (day) => nearDayText(day, today))}
        </span>
      )}
    </>
  );
}

function areaNames({ areas: keys }: ListedEngagement, names: ListChoices[string]): string {
  return keys.map((key) => names.find(({ value }) => value === key)?.label ?? key).join(', ');
}

/** The columns of all engagements, in the reader's time zone. */
export const engagementColumns = (where: Where): DataColumn<ListedEngagement>[] => [
  {
    id: 'business',
    header: 'Business',
    isRowHeader: true,
    cell: (engagement) => (
      <>
        <a
          className="link wrap-anywhere"
          href={hrefFor('/admin/coaching/[id]', { id: engagement.id })}
        >
          {engagement.business.name}
        </a>
        <span className="block text-xs text-muted">{ownerOf(engagement)}</span>
      </>
    ),
    csv: nameOf,
  },
  { id: 'owner', header: 'Owner', csv: ownerOf },
  {
    id: 'state',
    header: 'State',
    onCard: 'bare',
    cell: ({ state, change_requested }) => (
      <>
        <span className="xl:whitespace-nowrap">{ENGAGEMENT_LABELS[state]}</span>
        {change_requested && (
          <span className="block text-xs font-medium text-caution">{ATTENTION_LABELS.change}</span>
        )}
      </>
    ),
    csv: ({ state }) => ENGAGEMENT_LABELS[state],
  },
  {
    id: 'change',
    header: ATTENTION_LABELS.change,
    csv: ({ change_requested }) => (change_requested ? 'Yes' : 'No'),
  },
  {
    id: 'next',
    header: 'Next step',
    none: 'Ended',
    sort: { ascending: 'due' },
    cell: (engagement) => engagement.due_at && <NextStep engagement={engagement} {...where} />,
    csv: stepOf,
  },
  { id: 'due', header: 'Due', csv: ({ due_at }) => due_at },
  { id: 'late', header: 'Late', csv: ({ late }) => (late ? 'Yes' : 'No') },
  {
    id: 'coach',
    header: 'Coach',
    none: 'No coach',
    breaks: 'rarely',
    cell: (engagement) => engagement.coach && <Coach engagement={engagement} {...where} />,
    csv: coachOf,
  },
  {
    id: 'areas',
    header: 'Areas',
    none: 'None chosen',
    from: 'wide',
    cell: (engagement) => areaNames(engagement, where.areas) || null,
    csv: (engagement) => areaNames(engagement, where.areas),
  },
  {
    id: 'sessions',
    header: 'Sessions',
    align: 'right',
    from: 'wide',
    cell: ({ sessions }) => sessions,
    csv: ({ sessions }) => sessions,
  },
  {
    id: 'requested',
    header: 'Requested',
    sort: { descending: 'requested' },
    breaks: 'never',
    cell: ({ requested_at }) => shortDayText(requested_at, where.timeZone),
    csv: ({ requested_at }) => requested_at,
  },
];
