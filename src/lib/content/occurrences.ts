/** Computes when an event takes place: once, or monthly on the same weekday. */
import { offsetAt } from '../locale/zone-offsets.ts';

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

/** The fields of an event that decide when it takes place; `content/events` has the others. */
export interface Recurring {
  /** The first start in local time of `time_zone`, YYYY-MM-DDTHH:MM. */
  starts_at: string;
  /** An IANA time zone. */
  time_zone: string;
  minutes: number;
  repeats?:
    | {
        every: 'month';
        /** Which one of that weekday in the month: 1 to 4. */
        week: number;
        weekday: Weekday;
        /** The last day it can take place, YYYY-MM-DD. */
        until?: string | undefined;
      }
    | undefined;
}

/** One occurrence of an event. */
export interface Occurrence {
  start: Date;
  end: Date;
}

const MINUTE = 60_000;

/**
 * Converts a local time in a zone, YYYY-MM-DDTHH:MM, to an instant. A time that daylight saving
 * skips in spring moves one hour later; of one that occurs twice in fall, the first counts.
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

/** The day of the month of its first to fourth Monday, Tuesday … `month` counts from 0. */
function dayOf(year: number, month: number, week: number, weekday: Weekday): number {
  const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
  return 1 + ((WEEKDAYS.indexOf(weekday) - first + 7) % 7) + 7 * (week - 1);
}

/** Local start times through the month after `until`; the caller trims them to the exact range. */
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
 * Which of its dates an occurrence is: of an event that repeats, its month, as YYYY-MM; otherwise ''.
 * It stays the same if the date moves within the month.
 */
export function occasionOf({ repeats, time_zone }: Recurring, { start }: Occurrence): string {
  if (!repeats) return '';
  return new Date(start.getTime() + offsetAt(start.getTime(), time_zone)).toISOString().slice(0, 7);
}

/**
 * The occurrences, in order, that end after `from` and start before `until`. A repeating event
 * never takes place before the day of `starts_at`.
 */
export function occurrencesOf(event: Recurring, from: Date, until: Date): Occurrence[] {
  return clocksUntil(event, until)
    .map((clock) => {
      const start = instantOf(clock, event.time_zone);
      return { start, end: new Date(start.getTime() + event.minutes * MINUTE) };
    })
    .filter(({ start, end }) => end > from && start < until);
}
