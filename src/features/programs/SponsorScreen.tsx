import { useState } from 'react';
import type { SponsoredProgram } from '#data/programs.ts';
import { calendarDayText } from '#lib/locale/dates.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Codes } from './Codes.tsx';
import { Invite } from './Invite.tsx';
import { Reports } from './Reports.tsx';

interface SponsorProps {
  program: SponsoredProgram;
  /** The reader's IANA time zone and the day there. */
  timeZone: string;
  today: string;
  /** Below an admin's page of the same program, which has its name. */
  isAdmin?: boolean;
}

/** A program for whoever runs it: its seats, codes and invitations, and the totals. Never a business. */
function SponsorScreen({ program: initial, timeZone, today, isAdmin = false }: SponsorProps) {
  const [program, setProgram] = useState(initial);
  return (
    <div className="flex flex-col gap-8">
      {!isAdmin && (
        <header>
          <p className="mb-2 text-sm print:hidden">
            <a className="link" href={hrefFor('/dashboard/programs')}>
              Programs
            </a>
          </p>
          <h1 className="wrap-anywhere">{program.name}</h1>
          <p className="mt-2 text-muted">
            {program.sponsor}, {calendarDayText(program.starts_on)} through{' '}
            {calendarDayText(program.ends_on)}. {program.sessions} sessions for each business.
          </p>
        </header>
      )}
      <Seats program={program} />
      {program.open && (
        <div className="grid gap-6 print:hidden lg:grid-cols-2">
          <Codes program={program} onChange={setProgram} timeZone={timeZone} today={today} />
          <Invite program={program} onChange={setProgram} />
        </div>
      )}
      {program.has_report && <Reports program={program} />}
    </div>
  );
}

function Seats({ program: { seats, waiting } }: Pick<SponsorProps, 'program'>) {
  const shown: [label: string, value: number][] = [
    ['Seats', seats.all],
    ['Free', seats.free],
    ['Reserved or in use', seats.taken],
    ...(seats.ended > 0 ? [['Ended', seats.ended] as [string, number]] : []),
    ['On the waiting list', waiting],
  ];
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {shown.map(([label, value]) => (
        <div key={label} className="card flex flex-col-reverse p-4">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="text-xl font-semibold">{wholeText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

export default screen(SponsorScreen);
