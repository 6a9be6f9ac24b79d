/**
 * Formats dates and times, on the server and in browsers. An instant is stored in UTC and displayed
 * in the reader's zone, which every function takes as a parameter so that server and browser render
 * the same text. A calendar day (`2026-11-21`) has no zone and is the same for everyone.
 */

type Options = Intl.DateTimeFormatOptions;

const formats = new Map<string, Intl.DateTimeFormat>();

/** A cached format. A zone that this runtime doesn't know falls back to UTC rather than failing. */
function formatIn(timeZone: string, options: Options, locale = 'en-US'): Intl.DateTimeFormat {
  const key = `${timeZone} ${locale} ${JSON.stringify(options)}`;
  const made = formats.get(key);
  if (made) return made;
  const known = isTimeZone(timeZone) ? timeZone : 'UTC';
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: known });
  formats.set(key, format);
  return format;
}

const write = (iso: string, timeZone: string, options: Options) =>
  formatIn(timeZone, options).format(new Date(iso));

/** Whether this runtime knows a time zone by this name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

// Instants ----------------------------------------------------------------------------------------

/**
 * An instant as a day: "November 21, 2026".
 * @param iso ISO 8601
 * @param timeZone the IANA name of the reader's zone
 */
export function dayText(iso: string, timeZone: string): string {
  return write(iso, timeZone, { dateStyle: 'long' });
}

/** An instant as a short day: "Nov 21, 2026". */
export function shortDayText(iso: string, timeZone: string): string {
  return write(iso, timeZone, { dateStyle: 'medium' });
}

/** An instant with its time: "Nov 21, 2026, 3:04 PM". */
export function momentText(iso: string, timeZone: string): string {
  return write(iso, timeZone, { dateStyle: 'medium', timeStyle: 'short' });
}

/** An instant's time of day: "3:04 PM". */
export function timeText(iso: string, timeZone: string): string {
  return write(iso, timeZone, { timeStyle: 'short' });
}

/** The same with its zone: "3:04 PM MST". Don't hydrate it: browsers name zones differently. */
export function zonedTimeText(iso: string, timeZone: string): string {
  return write(iso, timeZone, { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' });
}

/** An instant as "Tuesday, December 8", with the year if it isn't the year of `now`. */
export function weekdayText(iso: string, timeZone: string, now: Date): string {
  const sameYear =
    dayOf(iso, timeZone).slice(0, 4) === dayOf(now.toISOString(), timeZone).slice(0, 4);
  const year: Options = sameYear ? {} : { year: 'numeric' };
  return write(iso, timeZone, { weekday: 'long', month: 'long', day: 'numeric', ...year });
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
  if (days > 1 && days < 7) return write(iso, timeZone, { weekday: 'long' });
  return dayText(iso, timeZone);
}

/** The time of the latest message, as short as possible: "3:04 PM", "Yesterday", "Nov 12, 2026". */
export function whenText(iso: string, timeZone: string, today: string): string {
  const days = daysBetween(dayOf(iso, timeZone), today);
  if (days <= 0) return timeText(iso, timeZone);
  return days < 7 ? recentDayText(iso, timeZone, today) : shortDayText(iso, timeZone);
}

/** The calendar day of an instant in a zone: `2026-11-21`. */
export function dayOf(iso: string, timeZone: string): string {
  // The Canadian format is the same as ISO 8601.
  return formatIn(timeZone, { dateStyle: 'short' }, 'en-CA').format(new Date(iso));
}

/** The current calendar day in a zone: `2026-11-21`. */
export function today(timeZone: string, now = new Date()): string {
  return dayOf(now.toISOString(), timeZone);
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

/** A calendar day as people write it: "Nov 28", with the year if it isn't the year of `today`. */
export function nearDayText(day: string, today: string): string {
  const year: Options = day.slice(0, 4) === today.slice(0, 4) ? {} : { year: 'numeric' };
  return write(day, 'UTC', { month: 'short', day: 'numeric', ...year });
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
