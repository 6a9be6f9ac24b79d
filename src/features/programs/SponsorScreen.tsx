import { useState } from 'react';
import type { SponsoredProgram } from '#data/programs.ts';
import { calendarDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { $changedProgram } from '#stores/program-page.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { SeatFigures } from '#ui/SeatFigures.tsx';
import { Codes } from './Codes.tsx';
import { Invite } from './Invite.tsx';
import { Reports } from './Reports.tsx';

interface SponsorProps {
  program: SponsoredProgram;
  /** The reader's IANA time zone and the day there. */
  timeZone: string;
  today: string;
  /** Below an admin's page of the same program, which has its name and figures. */
  isAdmin?: boolean;
}

/** A program for whoever runs it: its seats, codes and invitations, and the totals. Never a business. */
function SponsorScreen({ program: initial, timeZone, today, isAdmin = false }: SponsorProps) {
  const [program, setProgram] = useState(initial);
  const change = (now: SponsoredProgram) => {
    setProgram(now);
    $changedProgram.set(now);
  };
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
      {!isAdmin && <SeatFigures seats={program.seats} waiting={program.waiting} />}
      {program.open && (
        <div className="flex flex-col gap-6 print:hidden">
          <Codes program={program} onChange={change} timeZone={timeZone} today={today} />
          <Invite program={program} onChange={change} isAdmin={isAdmin} />
        </div>
      )}
      {program.has_report && <Reports program={program} />}
    </div>
  );
}

export default screen(SponsorScreen);
