import type { ListedSeat } from '#data/admin-programs.ts';
import type { ListPage } from '#domain/list.ts';
import { SEAT_LABELS, SEAT_STATES, type SeatFilter, seatFilter } from '#domain/program.ts';
import { shortDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { ChoiceLinks } from '#ui/ChoiceLinks.tsx';
import { Section } from '#ui/Section.tsx';
import type { DataColumn } from '#ui/table/columns.ts';
import { PlainTable } from '#ui/table/PlainTable.tsx';

export interface SeatPage {
  filter: SeatFilter;
  page: ListPage<ListedSeat>;
}

const columnsIn = (
  timeZone: string,
  onPassOn: SeatTableProps['onPassOn'],
): DataColumn<ListedSeat>[] => [
  { id: 'number', header: 'Seat', isRowHeader: true, cell: ({ number }) => `Seat ${number}` },
  {
    id: 'business',
    header: 'Business',
    none: 'Nobody',
    onCard: 'bare',
    breaks: 'anywhere',
    cell: ({ business, address, counted }) =>
      (business || address) && (
        <>
          {business ? (
            <a className="link" href={hrefFor('/admin/businesses/[id]', { id: business.id })}>
              {business.name}
            </a>
          ) : (
            address
          )}
          {!counted && <span className="block text-xs text-muted">Not counted anymore</span>}
        </>
      ),
  },
  {
    id: 'state',
    header: 'State',
    onCard: 'bare',
    cell: ({ state, since, reserved_until }) => (
      <>
        {SEAT_LABELS[state]}{' '}
        <span className="text-muted md:block md:text-xs">
          {reserved_until
            ? `until ${shortDayText(reserved_until, timeZone)}`
            : `since ${shortDayText(since, timeZone)}`}
        </span>
      </>
    ),
  },
  {
    id: 'used',
    header: 'Sessions used',
    align: 'right',
    none: 'None',
    cell: ({ business, used, of }) => business && `${used} of ${of}`,
  },
  {
    id: 'change',
    header: 'Change',
    none: 'Nothing to change',
    onCard: 'bare',
    cell: (seat) =>
      seat.can_pass_on && (
        <Button size="small" variant="secondary" needsScript onClick={() => onPassOn(seat)}>
          {seat.state === 'assigned' ? 'Free it' : 'Pass on'}
          <span className="sr-only"> seat {seat.number}</span>
        </Button>
      ),
  },
];

interface SeatTableProps {
  programId: string;
  seats: SeatPage;
  timeZone: string;
  onPassOn: (seat: ListedSeat) => void;
}

/** A page of a program's seats: who has each, how many sessions it has used, and passing it on. */
export function SeatTable({ programId, seats, timeZone, onPassOn }: SeatTableProps) {
  const { filter, page } = seats;
  const hrefOf = (change: Partial<SeatFilter>) =>
    `${hrefFor('/admin/programs/[id]', { id: programId })}${seatFilter.write({ ...filter, place: null, ...change })}#seats`;
  return (
    <Section id="seats" title="Seats">
      <States filter={filter} hrefOf={hrefOf} />
      {page.rows.length === 0 ? (
        <p className="mt-3 text-sm text-muted">None.</p>
      ) : (
        <div className="mt-3">
          <PlainTable caption="Seats" columns={columnsIn(timeZone, onPassOn)} rows={page.rows} />
        </div>
      )}
      {(page.previous || page.next) && (
        <nav aria-label="Pages of seats" className="mt-3 flex gap-3">
          {page.previous && (
            <Button href={hrefOf({ place: page.previous })} variant="secondary" size="small">
              Previous
            </Button>
          )}
          {page.next && (
            <Button href={hrefOf({ place: page.next })} variant="secondary" size="small">
              Next
            </Button>
          )}
        </nav>
      )}
    </Section>
  );
}

interface StatesProps {
  filter: SeatFilter;
  hrefOf: (change: Partial<SeatFilter>) => string;
}

const States = ({ filter, hrefOf }: StatesProps) => (
  <ChoiceLinks
    label="State"
    options={[null, ...SEAT_STATES].map((state) => ({
      name: state ? SEAT_LABELS[state] : 'All',
      href: hrefOf({ state }),
      isChosen: state === filter.state,
    }))}
    columns={3}
    className="mt-3"
  />
);
