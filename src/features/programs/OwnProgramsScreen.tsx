import { useState } from 'react';
import { leaveProgram, listOwnSeats, type OwnSeat, stopCounting } from '#data/programs.ts';
import { SEAT_LABELS } from '#domain/program.ts';
import { db } from '#lib/db.ts';
import { calendarDayText, dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { Confirm, type Question } from '#ui/Confirm.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { Figures } from './Figures.tsx';
import { Paragraphs } from './OfferScreen.tsx';

interface OwnProgramsProps {
  seats: OwnSeat[];
  /** Programs that the person sponsors. */
  programs: { id: string; name: string }[];
  timeZone: string;
}

/** Someone's seats, with what each sponsor sees and how to stop it, and the programs they sponsor. */
function OwnProgramsScreen({ seats: initial, programs, timeZone }: OwnProgramsProps) {
  const [seats, setSeats] = useState(initial);
  const [question, setQuestion] = useState<Question | null>(null);
  async function change(work: () => Promise<unknown>, done: string) {
    await work();
    setSeats(await listOwnSeats(await db()));
    addToast({ tone: 'good', title: done });
  }
  return (
    <div className="flex max-w-3xl flex-col gap-8">
      <header>
        <h1>Programs</h1>
        <p className="mt-2 max-w-[60ch] text-muted">
          Coaching that an organization pays for: who pays, what they see, and how to stop it.
        </p>
      </header>
      {programs.length > 0 && (
        <Section id="sponsored" title="Programs you run">
          <ul className="mt-3 flex flex-col gap-2">
            {programs.map(({ id, name }) => (
              <li key={id}>
                <a
                  className="link wrap-anywhere"
                  href={hrefFor('/dashboard/programs/[id]', { id })}
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {seats.length === 0 && programs.length === 0 && (
        <EmptyState
          title="No programs yet"
          action={<Button href={hrefFor('/purchase')}>Use a seat code</Button>}
        >
          If your county, lender or employer gave you a code, it pays for your coaching.
        </EmptyState>
      )}
      {seats.map((seat) => (
        <Seat
          key={seat.id}
          seat={seat}
          timeZone={timeZone}
          onStop={() => setQuestion(stopQuestion(seat, change))}
          onLeave={() => setQuestion(leaveQuestion(seat, change))}
        />
      ))}
      <Confirm question={question} onClose={() => setQuestion(null)} onError={reportError} />
    </div>
  );
}

type Change = (work: () => Promise<unknown>, done: string) => Promise<void>;

const stopQuestion = (seat: OwnSeat, change: Change): Question => ({
  title: 'Stop being counted?',
  text: `You keep your seat and your sessions. No new total that ${seat.sponsor} sees counts ${seat.business}. Totals made before stay as they are, because taking one business out would show its figures.`,
  yes: 'Stop counting us',
  act: () => change(async () => stopCounting(await db(), seat.id), 'You’re not counted anymore.'),
});

const leaveQuestion = (seat: OwnSeat, change: Change): Question => ({
  title: `Leave ${seat.program}?`,
  text: 'Your unused sessions end, and nobody counts you anymore. If you haven’t used any, another business gets the seat. Your results, your plan and your messages stay.',
  yes: 'Leave the program',
  danger: true,
  act: () => change(async () => leaveProgram(await db(), seat.id), 'You’ve left the program.'),
});

interface SeatProps {
  seat: OwnSeat;
  timeZone: string;
  onStop: () => void;
  onLeave: () => void;
}

function Seat({ seat, timeZone, onStop, onLeave }: SeatProps) {
  const isOn = seat.state === 'activated';
  return (
    <Section id={`seat-${seat.id}`} title={seat.program} className="card p-5 md:p-6">
      <p className="mt-1 text-sm text-muted wrap-anywhere">
        {seat.sponsor} pays for {seat.business}.{' '}
        {isOn
          ? `${seat.used} of ${seat.sessions} sessions used, good through ${calendarDayText(seat.ends_on)}.`
          : `${SEAT_LABELS[seat.state]}, after ${seat.used} of ${seat.sessions} sessions.`}
      </p>
      <details className="mt-4">
        <summary className="min-h-11 font-semibold">
          What you agreed to on {dayText(seat.activated_at, timeZone)}
        </summary>
        <div className="mt-2 flex flex-col gap-3 text-sm">
          <Paragraphs text={seat.consent} />
          {seat.shares_figures && <p>The change in your jobs and sales counts in the totals.</p>}
        </div>
      </details>
      {seat.figures && (
        <details className="mt-2">
          <summary className="min-h-11 font-semibold">Exactly what {seat.sponsor} sees now</summary>
          <div className="mt-3">
            <Figures figures={seat.figures} />
          </div>
        </details>
      )}
      {seat.withdrawn_at && (
        <p className="mt-3 text-sm">
          You haven’t been counted since {dayText(seat.withdrawn_at, timeZone)}.
        </p>
      )}
      {isOn && (
        <div className="mt-4 flex flex-wrap gap-2">
          <Button size="small" href={hrefFor('/dashboard/coaching')}>
            Your coaching
          </Button>
          {seat.has_report && !seat.withdrawn_at && (
            <Button size="small" variant="secondary" needsScript onClick={onStop}>
              Stop being counted
            </Button>
          )}
          <Button size="small" variant="secondary" needsScript onClick={onLeave}>
            Leave the program
          </Button>
        </div>
      )}
    </Section>
  );
}

export default screen(OwnProgramsScreen);
