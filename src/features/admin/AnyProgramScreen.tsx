import { useEffect, useState } from 'react';
import { type AnyProgram, type ListedSeat, listSeats, passOnSeat } from '#data/admin-programs.ts';
import { db } from '#lib/db.ts';
import { calendarDayText, dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { hrefIfExists } from '#lib/routing/routes.ts';
import { $changedProgram } from '#stores/program-page.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { SeatFigures } from '#ui/SeatFigures.tsx';
import { Section } from '#ui/Section.tsx';
import { useOpenedPart } from '#ui/use-part.ts';
import { type SeatPage, SeatTable } from './programs/SeatTable.tsx';

interface AnyProgramProps {
  program: AnyProgram;
  seats: SeatPage;
  /** The admin's IANA time zone. */
  timeZone: string;
}

const loadReason = () => import('./ReasonDialog.tsx');

async function readSeats(id: string, filter: SeatPage['filter']): Promise<SeatPage> {
  return { filter, page: await listSeats(await db(), id, filter) };
}

/** A program for an admin: how many seats it has, who has each, and the waiting list. */
function AnyProgramScreen({ program: initial, seats: first, timeZone }: AnyProgramProps) {
  const [program, setProgram] = useState(initial);
  const [seats, setSeats] = useState(first);
  const [passing, setPassing] = useState<ListedSeat | null>(null);
  const close = () => setPassing(null);
  const part = useOpenedPart(loadReason, passing !== null, close);

  const { id } = initial;
  const { filter } = first;

  useEffect(
    () =>
      $changedProgram.listen((now) => {
        setProgram((before) => ({ ...before, ...now }));
        // Seats that were just reserved are in the table; if they can't be read, it stays as it is.
        void readSeats(id, filter).then(setSeats, reportError);
      }),
    [id, filter],
  );

  async function passOn(seat: ListedSeat, reason: string) {
    try {
      setProgram(await passOnSeat(await db(), seat.id, reason));
      setSeats(await readSeats(id, filter));
    } catch (thrown) {
      throw reportError(thrown);
    }
    addToast({ tone: 'good', title: `Seat ${seat.number} is free.` });
  }
  return (
    <div className="flex flex-col gap-8 print:hidden">
      <Head program={program} />
      <SeatFigures seats={program.seats} waiting={program.waiting} />
      <SeatTable programId={program.id} seats={seats} timeZone={timeZone} onPassOn={setPassing} />
      {program.waiting_list.length > 0 && (
        <Section id="waiting" title="Waiting list">
          <ol className="mt-3 flex list-decimal flex-col gap-1 pl-6 text-sm">
            {program.waiting_list.map(({ id, name, joined_at }) => (
              <li key={id}>
                <a className="link" href={hrefFor('/admin/people/[id]', { id })}>
                  {name || 'Unnamed'}
                </a>
                , since {dayText(joined_at, timeZone)}
              </li>
            ))}
          </ol>
          {program.waiting > program.waiting_list.length && (
            <p className="mt-2 text-sm text-muted">
              And {program.waiting - program.waiting_list.length} more.
            </p>
          )}
        </Section>
      )}
      {passing && part && (
        <part.ReasonDialog
          action={{
            title: passing.state === 'assigned' ? 'Free this seat?' : 'Pass on this seat?',
            description:
              passing.state === 'assigned'
                ? 'The invitation no longer works, and the next in line is offered the seat.'
                : 'The business loses its unused sessions and hears of it. The next in line is offered the seat.',
            action: passing.state === 'assigned' ? 'Free the seat' : 'Pass it on',
            danger: true,
            onSubmit: (reason) => passOn(passing, reason),
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

function Head({ program }: { program: AnyProgram }) {
  const order = program.order && hrefIfExists(`/admin/orders/${program.order.id}`);
  return (
    <header className="min-w-0">
      <p className="mb-2 text-sm">
        <a className="link" href={hrefFor('/admin/programs')}>
          Programs
        </a>
      </p>
      <h1 className="wrap-anywhere">{program.name}</h1>
      <p className="mt-2 text-muted wrap-anywhere">
        {program.sponsor !== program.name && `${program.sponsor}, `}
        {calendarDayText(program.starts_on)} through {calendarDayText(program.ends_on)}
        {program.open ? '' : ', over'}. {program.sessions} sessions for each business.{' '}
        {program.reason && `Given: ${program.reason}`}
        {order && (
          <a className="link" href={order}>
            The order
          </a>
        )}
      </p>
    </header>
  );
}

export default screen(AnyProgramScreen);
