/**
 * Formats dates and times, on the server and in browsers. An instant is stored in UTC and displayed
 * in the reader's zone, which every function takes as a parameter so that server and browser render
 * the same text. A calendar day (`2026-11-21`) has no zone and is the same for everyone.
 */

import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '#domain/language.ts';
import { isTimeZone, offsetAt } from './zone-offsets.ts';

const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** An instant as the clock in a zone shows it, in the UTC fields of the result. */
function clockAt(iso: string, timeZone: string): Date {
  const instant = Date.parse(iso);
  return new Date(instant + offsetAt(instant, timeZone));
}

const monthOf = (clock: Date) => MONTHS[clock.getUTCMonth()] ?? '';

/** "Tue" */
const shortWeekday = (clock: Date) => (WEEKDAYS[clock.getUTCDay()] ?? '').slice(0, 3);

/** "Nov 21" */
const shortDay = (clock: Date) => `${monthOf(clock).slice(0, 3)} ${clock.getUTCDate()}`;

// Instants ----------------------------------------------------------------------------------------

/**
 * An instant as a day: "November 21, 2026".
 * @param iso ISO 8601
 * @param timeZone the IANA name of the reader's zone
 */
export function dayText(iso: string, timeZone: string): string {
  const clock = clockAt(iso, timeZone);
  return `${monthOf(clock)} ${clock.getUTCDate()}, ${clock.getUTCFullYear()}`;
}

/** An instant as a short day: "Nov 21, 2026". */
export function shortDayText(iso: string, timeZone: string): string {
  const clock = clockAt(iso, timeZone);
  return `${shortDay(clock)}, ${clock.getUTCFullYear()}`;
}

/** An instant with its time: "Nov 21, 2026, 3:04 PM". */
export function momentText(iso: string, timeZone: string): string {
  return `${shortDayText(iso, timeZone)}, ${timeText(iso, timeZone)}`;
}

/** "1:25 AM" on the day `today` (2026-11-28), "Nov 26, 2026" on any other. */
export function nearMomentText(iso: string, timeZone: string, today: string): string {
  return dayOf(iso, timeZone) === today ? timeText(iso, timeZone) : shortDayText(iso, timeZone);
}

/** An instant's time of day: "3:04 PM". */
export function timeText(iso: string, timeZone: string): string {
  const clock = clockAt(iso, timeZone);
  const hours = clock.getUTCHours();
  const minutes = String(clock.getUTCMinutes()).padStart(2, '0');
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`;
}

/** The same with its zone: "3:04 PM MST". Don't hydrate it: browsers name zones differently. */
export function zonedTimeText(iso: string, timeZone: string): string {
  const known = isTimeZone(timeZone) ? timeZone : 'UTC';
  return new Intl.DateTimeFormat('en-US', {
    timeZone: known,
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(iso));
}

/** An instant as "Tuesday, December 8", with the year if it isn't the year of `now`. */
export function weekdayText(iso: string, timeZone: string, now: Date): string {
  const clock = clockAt(iso, timeZone);
  const year = clock.getUTCFullYear();
  const isThisYear = year === clockAt(now.toISOString(), timeZone).getUTCFullYear();
  const day = `${WEEKDAYS[clock.getUTCDay()]}, ${monthOf(clock)} ${clock.getUTCDate()}`;
  return isThisYear ? day : `${day}, ${year}`;
}

/**
 * An instant's day as people say it: "Today", "Yesterday", "Thursday" within a week, else
 * "November 12, 2026".
 * @param today the reader's current day: `2026-11-21`
 */
export function recentDayText(iso: string, timeZone: string, today: string): string {
  const days = daysBetween(dayOf(iso, timeZone), today);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (days > 1 && days < 7) return WEEKDAYS[clockAt(iso, timeZone).getUTCDay()] ?? '';
  return dayText(iso, timeZone);
}

/** The time of the latest message, as short as possible: "3:04 PM", "Yesterday", "Nov 12, 2026". */
export function whenText(iso: string, timeZone: string, today: string): string {
  const days = daysBetween(dayOf(iso, timeZone), today);
  if (days <= 0) return timeText(iso, timeZone);
  return days < 7 ? recentDayText(iso, timeZone, today) : shortDayText(iso, timeZone);
}

/**
 * An instant's day, near today, as short as people say it: "today", "tomorrow", "yesterday", "Tue"
 * within six days, else "Dec 8", with the year if it isn't this one.
 * @param today the reader's current day: `2026-11-21`
 */
export function soonText(iso: string, timeZone: string, today: string): string {
  const day = dayOf(iso, timeZone);
  const days = daysBetween(today, day);
  if (days >= -1 && days <= 1) return dueText(day, today);
  if (days > 1 && days < 7) return shortWeekday(clockAt(iso, timeZone));
  return nearDayText(day, today);
}

/**
 * An instant as "Tue, Dec 8", with the year if it isn't this one.
 * @param today the reader's current day: `2026-11-21`
 */
export function shortWeekdayText(iso: string, timeZone: string, today: string): string {
  return `${shortWeekday(clockAt(iso, timeZone))}, ${nearDayText(dayOf(iso, timeZone), today)}`;
}

/**
 * When a session starts, as short as it's clear: "Today, 2:00 PM", "Tue, Dec 8, 2:00 PM".
 * @param today the reader's current day: `2026-11-21`
 */
export function sessionText(iso: string, timeZone: string, today: string): string {
  const day = dayOf(iso, timeZone);
  const days = daysBetween(today, day);
  const near = { '-1': 'Yesterday', 0: 'Today', 1: 'Tomorrow' }[String(days)];
  const words = near ?? shortWeekdayText(iso, timeZone, today);
  return `${words}, ${timeText(iso, timeZone)}`;
}

/**
 * When something starts, as people say it: "today at 2:00 PM", "Tuesday at 2:00 PM" within a week,
 * else "Tuesday, December 8 at 2:00 PM", with the year if it isn't this one.
 * @param now ISO 8601
 */
export function startText(iso: string, timeZone: string, now: string): string {
  const days = daysBetween(dayOf(now, timeZone), dayOf(iso, timeZone));
  const near: Record<number, string> = { [-1]: 'yesterday', 0: 'today', 1: 'tomorrow' };
  const isThisWeek = days > 1 && days < 7;
  const day =
    near[days] ??
    (isThisWeek
      ? (WEEKDAYS[clockAt(iso, timeZone).getUTCDay()] ?? '')
      : weekdayText(iso, timeZone, new Date(now)));
  return `${day} at ${timeText(iso, timeZone)}`;
}

/** An instant's time in a zone as a time field has it: `14:30`. */
export function timeOf(iso: string, timeZone: string): string {
  return clockAt(iso, timeZone).toISOString().slice(11, 16);
}

/**
 * The instant at which the clock of a zone shows this day and time, in ISO format. A time that the
 * change to summer time skips counts as an hour later; one that occurs twice is the first.
 * @param day `2026-11-21`
 * @param time `14:30`
 */
export function instantOf(day: string, time: string, timeZone: string): string {
  const shown = Date.parse(`${day}T${time}Z`);
  // The offset on the day before is the one before a change, if there's one that night.
  const before = shown - offsetAt(shown - DAY_MS, timeZone);
  const offset = offsetAt(before, timeZone);
  const after = shown - offset;
  // If the offset at that instant differs, the clock has changed: unless the time was skipped.
  const isShown = offsetAt(after, timeZone) === offset;
  return new Date(isShown ? after : before).toISOString();
}

/** The calendar day of an instant in a zone: `2026-11-21`. */
export function dayOf(iso: string, timeZone: string): string {
  return clockAt(iso, timeZone).toISOString().slice(0, 10);
}

/** The current calendar day in a zone: `2026-11-21`. */
export function today(timeZone: string, now = new Date()): string {
  return dayOf(now.toISOString(), timeZone);
}

/** An instant as a day in a language: "November 21, 2026" or "21 de noviembre de 2026". */
export function dayIn(language: Language, iso: string, timeZone: string): string {
  if (language === DEFAULT_LANGUAGE) return dayText(iso, timeZone);
  const { region } = LANGUAGES[language];
  return new Intl.DateTimeFormat(region, { dateStyle: 'long', timeZone }).format(Date.parse(iso));
}

// Calendar days ----------------------------------------------------------------------------------

const DAY_MS = 86_400_000;

/** A calendar day: "November 21, 2026". */
export function calendarDayText(day: string): string {
  return dayText(day, 'UTC');
}

/** A short calendar day: "Nov 21, 2026". */
export function shortCalendarDayText(day: string): string {
  return shortDayText(day, 'UTC');
}

/** The month of a calendar day: "Nov 2026". */
export function monthOfDayText(day: string): string {
  return `${monthOf(clockAt(day, 'UTC')).slice(0, 3)} ${day.slice(0, 4)}`;
}

/** A calendar day as people write it: "Nov 28", with the year if it isn't the year of `today`. */
export function nearDayText(day: string, today: string): string {
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  return isThisYear ? shortDay(clockAt(day, 'UTC')) : shortDayText(day, 'UTC');
}

/** Adds a number of days to a day, both as `2026-11-21`. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Whole days from one day to another, both as `2026-11-21`; negative if the second is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** How far away a due date is: "in 12 days", "today", "3 days ago". */
export function dueText(dueOn: string, today: string): string {
  const days = daysBetween(today, dueOn);
  if (days === 0) return 'today';
  if (days === 1) return 'tomorrow';
  if (days === -1) return 'yesterday';
  return days > 0 ? `in ${days} days` : `${-days} days ago`;
}

/**
 * A due day with how far away it is: "today", "Tuesday, in 3 days", "Monday, 2 days ago", and from a
 * week away "December 8, in 12 days", with the year if it isn't the year of `today`.
 */
export function dueDayText(dueOn: string, today: string): string {
  const days = daysBetween(today, dueOn);
  if (Math.abs(days) <= 1) return dueText(dueOn, today);
  const clock = clockAt(dueOn, 'UTC');
  const isThisYear = dueOn.slice(0, 4) === today.slice(0, 4);
  const date = isThisYear ? `${monthOf(clock)} ${clock.getUTCDate()}` : calendarDayText(dueOn);
  const day = Math.abs(days) < 7 ? WEEKDAYS[clock.getUTCDay()] : date;
  return `${day}, ${dueText(dueOn, today)}`;
}
