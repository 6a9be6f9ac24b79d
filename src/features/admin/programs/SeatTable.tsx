import { useState } from 'react';
import type { AnyProgram } from '#data/admin-programs.ts';
import { SEAT_LABELS } from '#domain/program.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/routes.ts';
import { Button } from '#ui/Button.tsx';
import { Section } from '#ui/Section.tsx';

type Seat = AnyProgram['seat_list'][number];

interface SeatTableProps {
  program: AnyProgram;
  timeZone: string;
  onPassOn: (seat: Seat) => void;
}

/** How many free and ended seats are listed at first. */
const FEW = 25;

/** Each seat: who has it, how many sessions it has used, and passing it on. */
export function SeatTable({ program, timeZone, onPassOn }: SeatTableProps) {
  const [showsAll, setShowsAll] = useState(false);
  const taken = program.seat_list.filter(
    ({ state }) => state === 'assigned' || state === 'activated',
  );
  const others = program.seat_list.filter((seat) => !taken.includes(seat));
  const shown = [...taken, ...others];
  const rows = showsAll ? shown : shown.slice(0, FEW);
  return (
    <Section id="seats" title="Seats">
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
            {rows.map((seat) => (
              <Row
                key={seat.id}
                seat={seat}
                program={program}
                timeZone={timeZone}
                onPassOn={onPassOn}
              />
            ))}
          </tbody>
        </table>
      </div>
      {!showsAll && shown.length > FEW && (
        <Button
          size="small"
          variant="quiet"
          needsScript
          className="mt-2"
          onClick={() => setShowsAll(true)}
        >
          Show all {shown.length}
        </Button>
      )}
    </Section>
  );
}

function Row({ seat, program, timeZone, onPassOn }: SeatTableProps & { seat: Seat }) {
  const { number, state, since, business, address, reserved_until, used, counted, can_pass_on } =
    seat;
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
      <td>{business ? `${used} of ${program.sessions}` : '–'}</td>
      <td>
        {can_pass_on && (
          <Button size="small" variant="secondary" needsScript onClick={() => onPassOn(seat)}>
            {state === 'assigned' ? 'Free it' : 'Pass on'}
            <span className="sr-only"> seat {number}</span>
          </Button>
        )}
      </td>
    </tr>
  );
}
