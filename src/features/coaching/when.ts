/** What an engagement waits for, in words for its coach: "Accept by Tue", "2 days late". */
import type { DueKind } from '#domain/engagement.ts';
import { dayOf, daysBetween, sessionText, soonText, timeText } from '#lib/locale/dates.ts';

export interface Reader {
  /** The reader's IANA time zone. */
  timeZone: string;
  /** When the page was rendered, in ISO format: server and browser show the same. */
  now: string;
}

/** The reader's day. */
export const dayOfReader = ({ timeZone, now }: Reader): string => dayOf(now, timeZone);

export interface Clock {
  /** What has to happen: "Accept". */
  what: string;
  /** By when: "by Tue", "2 days late". */
  when: string;
  isLate: boolean;
}

const WHAT: Record<DueKind, string> = {
  assign: 'Waits for a coach',
  accept: 'Accept or decline',
  contact: 'Get in touch',
  pick: 'They pick a time',
  session: 'Next session',
  write_up: 'Write up the session',
  plan: 'Plan the next session',
  resume: 'Pick it up again',
};

/** How late something is: "late since 5:00 PM", "2 days late". */
function lateText(due: string, reader: Reader): string {
  const days = daysBetween(dayOf(due, reader.timeZone), dayOfReader(reader));
  if (days <= 0) return `late since ${timeText(due, reader.timeZone)}`;
  return days === 1 ? '1 day late' : `${days} days late`;
}

/** "by 5:00 PM" today, else "by Tue". */
function byText(due: string, reader: Reader): string {
  const today = dayOfReader(reader);
  return dayOf(due, reader.timeZone) === today
    ? `by ${timeText(due, reader.timeZone)}`
    : `by ${soonText(due, reader.timeZone, today)}`;
}

/** The clock of an engagement; null if nothing is due. */
export function clockOf(
  { due_what, due_at }: { due_what: DueKind | null; due_at: string | null },
  reader: Reader,
): Clock | null {
  if (due_what === null || due_at === null) return null;
  const what = WHAT[due_what];
  const today = dayOfReader(reader);
  const isOver = Date.parse(due_at) < Date.parse(reader.now);
  if (due_what === 'session') {
    // Until it ends, a session isn't late but going on.
    return isOver
      ? { what: 'Session', when: `since ${timeText(due_at, reader.timeZone)}`, isLate: false }
      : { what, when: sessionText(due_at, reader.timeZone, today), isLate: false };
  }
  if (due_what === 'pick' && !isOver) {
    return { what, when: `earliest ${sessionText(due_at, reader.timeZone, today)}`, isLate: false };
  }
  if (due_what === 'resume' && !isOver) {
    return { what, when: soonText(due_at, reader.timeZone, today), isLate: false };
  }
  if (isOver) return { what, when: lateText(due_at, reader), isLate: true };
  return { what, when: byText(due_at, reader), isLate: false };
}
