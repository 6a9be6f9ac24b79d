import { useMemo } from 'react';
import { type ListedEvent, listEvents } from '#data/events.ts';
import { type EventFilter, eventFilter } from '#domain/event.ts';
import type { ListPage } from '#domain/list.ts';
import { momentText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import type { DataColumn } from '#ui/table/columns.ts';
import { AdminList, useAdminList } from './list/AdminList.tsx';

interface EventsProps {
  filter: EventFilter;
  page: ListPage<ListedEvent>;
  /** The reader's IANA time zone. */
  timeZone: string;
}

const nameOf = ({ title }: ListedEvent) => title;

const columnsIn = (timeZone: string): DataColumn<ListedEvent>[] => [
  {
    id: 'title',
    header: 'Event',
    isRowHeader: true,
    cell: ({ id, title, place, state }) => (
      <>
        <a className="link wrap-anywhere" href={hrefFor('/admin/events/[id]', { id })}>
          {title}
        </a>
        <span className="block text-sm font-normal text-muted wrap-anywhere">
          {state === 'canceled' ? 'Canceled' : place}
        </span>
      </>
    ),
    csv: nameOf,
  },
  { id: 'place', header: 'Place', csv: ({ place }) => place },
  { id: 'state', header: 'State', csv: ({ state }) => state },
  {
    id: 'starts',
    header: 'Starts',
    breaks: 'never',
    onCard: 'bare',
    cell: ({ starts_at }) => momentText(starts_at, timeZone),
    csv: ({ starts_at }) => starts_at,
  },
  {
    id: 'taken',
    header: 'Seats taken',
    align: 'right',
    cell: ({ taken, held, places }) => (
      <>
        {taken} of {places}
        {held > 0 && <span className="block text-xs text-muted">{held} not confirmed yet</span>}
      </>
    ),
    csv: ({ taken }) => taken,
  },
  { id: 'places', header: 'Places', csv: ({ places }) => places },
  {
    id: 'waiting',
    header: 'Waiting',
    align: 'right',
    none: 'Nobody',
    cell: ({ waiting }) => waiting || null,
    csv: ({ waiting }) => waiting,
  },
  {
    id: 'came',
    header: 'Came',
    align: 'right',
    none: 'Nobody',
    cell: ({ came }) => came || null,
    csv: ({ came }) => came,
  },
];

/** Every date of an event that people can take places at: how full it is, and how many came. */
function EventsScreen({ filter, page, timeZone }: EventsProps) {
  const list = useAdminList<ListedEvent, EventFilter>(
    { path: hrefFor('/admin/events'), codec: eventFilter, read: listEvents },
    { filter, page },
  );
  const columns = useMemo(() => columnsIn(timeZone), [timeZone]);
  return (
    <div className="flex flex-col gap-6">
      <header>
        <h1>Events</h1>
        <p className="mt-2 max-w-[60ch] text-muted">
          Events people can sign up for. Their text and times come from the site’s content.
        </p>
      </header>
      <AdminList
        list={list}
        codec={eventFilter}
        caption="Events"
        noun={['event', 'events']}
        columns={columns}
        onlyLinks
        nameOf={nameOf}
        searchBy="event or place"
        choices={[
          {
            key: 'show',
            label: 'Show',
            any: 'Coming up',
            narrows: true,
            options: [{ value: 'past', label: 'Past' }],
          },
        ]}
        name="events"
        empty={
          <EmptyState title="No events with places">
            An event in the site’s content that says how many places it has shows up here.
          </EmptyState>
        }
      />
    </div>
  );
}

export default screen(EventsScreen);
