import type { ListedSeat } from '#data/admin-programs.ts';
import type { ListPage } from '#domain/list.ts';
import { SEAT_LABELS, SEAT_STATES, type SeatFilter, seatFilter } from '#domain/program.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { Section } from '#ui/Section.tsx';

export interface SeatPage {
  filter: SeatFilter;
  page: ListPage<ListedSeat>;
}

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
        <div className="mt-3 overflow-x-auto">
          <table className="rows w-full min-w-[36rem] text-left text-sm">
            <thead>
              <tr>
                <th scope="col">Seat</th>
                <th scope="col">State</th>
                <th scope="col">Business</th>
                <th scope="col">Sessions used</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {page.rows.map((seat) => (
                <Row key={seat.id} seat={seat} timeZone={timeZone} onPassOn={onPassOn} />
              ))}
            </tbody>
          </table>
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
  <nav aria-label="State" className="mt-3">
    <ul className="inline-flex flex-wrap rounded-control border border-line p-0.5">
      {[null, ...SEAT_STATES].map((state) => (
        <li key={state}>
          <a
            href={hrefOf({ state })}
            aria-current={state === filter.state ? 'true' : undefined}
            className="inline-flex min-h-10 items-center rounded-[0.55rem] px-4 text-sm text-muted hover:text-ink aria-[current]:bg-primary-soft aria-[current]:font-semibold aria-[current]:text-ink pointer-coarse:min-h-11"
          >
            {state ? SEAT_LABELS[state] : 'All'}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

interface RowProps extends Pick<SeatTableProps, 'timeZone' | 'onPassOn'> {
  seat: ListedSeat;
}

function Row({ seat, timeZone, onPassOn }: RowProps) {
  const { number, state, since, business, address, reserved_until, counted } = seat;
  return (
    <tr>
      <th scope="row">{number}</th>
      <td>
        {SEAT_LABELS[state]}
        <span className="block text-xs text-muted">
          {reserved_until
            ? `until ${dayText(reserved_until, timeZone)}`
            : `since ${dayText(since, timeZone)}`}
        </span>
      </td>
      <td className="wrap-anywhere">
        {business ? (
          <a className="link" href={hrefFor('/admin/businesses/[id]', { id: business.id })}>
            {business.name}
          </a>
        ) : (
          (address ?? '–')
        )}
        {!counted && <span className="block text-xs text-muted">Not counted anymore</span>}
      </td>
      <td>{business ? `${seat.used} of ${seat.of}` : '–'}</td>
      <td>
        {seat.can_pass_on && (
          <Button size="small" variant="secondary" needsScript onClick={() => onPassOn(seat)}>
            {state === 'assigned' ? 'Free it' : 'Pass on'}
            <span className="sr-only"> seat {number}</span>
          </Button>
        )}
      </td>
    </tr>
  );
}
