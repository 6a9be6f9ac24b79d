/** When something that is held takes place: once, or on the same weekday of each month. */
import { offsetAt } from '../locale/time-zones.ts';

const WEEKDAYS = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** What decides when an event is held; `content/events` has its other facts. */
export interface Recurring {
  /** The first start on the clock of `time_zone`, YYYY-MM-DDTHH:MM. */
  starts_at: string;
  /** An IANA time zone. */
  time_zone: string;
  minutes: number;
  repeats?:
    | {
        every: 'month';
        /** The first to fourth of its weekday in the month. */
        week: number;
        weekday: Weekday;
        /** The last day on which it may be held, YYYY-MM-DD. */
        until?: string | undefined;
      }
    | undefined;
}

/** One time that an event is held. */
export interface Occurrence {
  start: Date;
  end: Date;
}

const MINUTE = 60_000;

/**
 * The instant at which a clock of a zone shows a time, YYYY-MM-DDTHH:MM. A time that the clock skips
 * in spring is the one an hour later; of one that it shows twice in autumn, the first.
 */
export function instantOf(clock: string, timeZone: string): Date {
  const wanted = Date.parse(`${clock}:00Z`);
  const before = wanted - offsetAt(wanted - 24 * 60 * MINUTE, timeZone);
  const after = wanted - offsetAt(wanted + 24 * 60 * MINUTE, timeZone);
  for (const instant of [before, after]) {
    if (instant + offsetAt(instant, timeZone) === wanted) return new Date(instant);
  }
  return new Date(before);
}

/** The day of the first to fourth weekday of a month; month counts from 0. */
function dayOf(year: number, month: number, week: number, weekday: Weekday): number {
  const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
  return 1 + ((WEEKDAYS.indexOf(weekday) - first + 7) % 7) + 7 * (week - 1);
}

/** All days on which it is held up to the year and month of `until`, as clock times. */
function clocksUntil({ starts_at, repeats }: Recurring, until: Date): string[] {
  if (!repeats) return [starts_at];
  const [day = '', time = ''] = starts_at.split('T');
  const [year = 0, month = 1] = day.split('-').map(Number);
  const months = (until.getUTCFullYear() - year) * 12 + until.getUTCMonth() - (month - 1) + 1;
  const days = Array.from({ length: Math.max(0, months + 1) }, (_, count) => {
    const first = new Date(Date.UTC(year, month - 1 + count, 1));
    const date = dayOf(first.getUTCFullYear(), first.getUTCMonth(), repeats.week, repeats.weekday);
    return `${first.toISOString().slice(0, 8)}${String(date).padStart(2, '0')}`;
  });
  return days
    .filter((each) => each >= day && (repeats.until === undefined || each <= repeats.until))
    .map((each) => `${each}T${time}`);
}

/**
 * The times at which an event is held that have not ended at `from` and begin before `until`, in
 * order. With `repeats`, days before `starts_at` do not count.
 */
export function occurrencesOf(event: Recurring, from: Date, until: Date): Occurrence[] {
  return clocksUntil(event, until)
    .map((clock) => {
      const start = instantOf(clock, event.time_zone);
      return { start, end: new Date(start.getTime() + event.minutes * MINUTE) };
    })
    .filter(({ start, end }) => end > from && start < until);
}
