/**
 * How dates and times are written, on the server and in browsers. A moment is stored in UTC and shown
 * in the zone of its reader, which every function here is given: what the server draws is then what
 * the browser draws. A calendar day (`2026-11-21`) has no zone and is the same for everyone.
 */

type Options = Intl.DateTimeFormatOptions;

const formats = new Map<string, Intl.DateTimeFormat>();

/** A format, made once. A zone this runtime doesn't know is UTC: that is better than no page. */
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

/** Whether this runtime knows a zone of that name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

// Moments ----------------------------------------------------------------------------------------

/**
 * A moment as a day: "November 21, 2026".
 * @param iso ISO 8601
 * @param timeZone the IANA name of the reader's zone
 */
export function dayText(iso: string, timeZone: string): string {
  return write(iso, timeZone, { dateStyle: 'long' });
}

/** A moment as a day where there is little room: "Nov 21, 2026". */
export function shortDayText(iso: string, timeZone: string): string {
  return write(iso, timeZone, { dateStyle: 'medium' });
}

/** A moment with its time: "Nov 21, 2026, 3:04 PM". */
export function momentText(iso: string, timeZone: string): string {
  return write(iso, timeZone, { dateStyle: 'medium', timeStyle: 'short' });
}

/** The time of day of a moment: "3:04 PM". */
export function timeText(iso: string, timeZone: string): string {
  return write(iso, timeZone, { timeStyle: 'short' });
}

/** The same with its zone: "3:04 PM MST". For pages the browser doesn't draw again: it may name a zone otherwise. */
export function zonedTimeText(iso: string, timeZone: string): string {
  return write(iso, timeZone, { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' });
}

/** A moment as a weekday and a day, with the year where it isn't that of `now`: "Tuesday, December 8". */
export function weekdayText(iso: string, timeZone: string, now: Date): string {
  const sameYear =
    dayOf(iso, timeZone).slice(0, 4) === dayOf(now.toISOString(), timeZone).slice(0, 4);
  const year: Options = sameYear ? {} : { year: 'numeric' };
  return write(iso, timeZone, { weekday: 'long', month: 'long', day: 'numeric', ...year });
}

/**
 * A moment's day as people say it: "Today", "Yesterday", "Thursday" within a week, else
 * "November 12, 2026".
 * @param today where the reader is: `2026-11-21`
 */
export function recentDayText(iso: string, timeZone: string, today: string): string {
  const days = daysBetween(dayOf(iso, timeZone), today);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (days > 1 && days < 7) return write(iso, timeZone, { weekday: 'long' });
  return dayText(iso, timeZone);
}

/** When something was last said, as short as it can be: "3:04 PM", "Yesterday", "Nov 12, 2026". */
export function whenText(iso: string, timeZone: string, today: string): string {
  const days = daysBetween(dayOf(iso, timeZone), today);
  if (days <= 0) return timeText(iso, timeZone);
  return days < 7 ? recentDayText(iso, timeZone, today) : shortDayText(iso, timeZone);
}

/** The calendar day that a moment falls on in a zone: `2026-11-21`. */
export function dayOf(iso: string, timeZone: string): string {
  // Canada writes dates the way ISO 8601 does.
  return formatIn(timeZone, { dateStyle: 'short' }, 'en-CA').format(new Date(iso));
}

/** The calendar day that it is in a zone: `2026-11-21`. */
export function today(timeZone: string, now = new Date()): string {
  return dayOf(now.toISOString(), timeZone);
}

// Calendar days ----------------------------------------------------------------------------------

const DAY_MS = 86_400_000;

/** A calendar day: "November 21, 2026". */
export function calendarDayText(day: string): string {
  return dayText(day, 'UTC');
}

/** A calendar day where there is little room: "Nov 21, 2026". */
export function shortCalendarDayText(day: string): string {
  return shortDayText(day, 'UTC');
}

/** A calendar day as people write it: "Nov 28", with the year where it isn't that of `today`. */
export function nearDayText(day: string, today: string): string {
  const year: Options = day.slice(0, 4) === today.slice(0, 4) ? {} : { year: 'numeric' };
  return write(day, 'UTC', { month: 'short', day: 'numeric', ...year });
}

/** The day that many days after `day`, both as `2026-11-21`. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Whole days from one day to another, both as `2026-11-21`; negative when the second is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** How far away a due date is, in words: "in 12 days", "today", "3 days ago". */
export function dueText(dueOn: string, today: string): string {
  const days = daysBetween(today, dueOn);
  if (days === 0) return 'today';
  if (days === 1) return 'tomorrow';
  if (days === -1) return 'yesterday';
  return days > 0 ? `in ${days} days` : `${-days} days ago`;
}
