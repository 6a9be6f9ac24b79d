/** Times are stored in UTC and shown in the reader's own time zone; a day has none. */

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(
  timeZone: string,
  locale: string,
  style: 'long' | 'medium' | 'short',
): Intl.DateTimeFormat {
  const key = `${locale} ${style} ${timeZone}`;
  const made = formats.get(key);
  if (made) return made;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat(locale, { dateStyle: style, timeZone });
  } catch {
    // A name that this runtime does not know: a date in UTC is better than no page.
    format = new Intl.DateTimeFormat(locale, { dateStyle: style, timeZone: 'UTC' });
  }
  formats.set(key, format);
  return format;
}

/**
 * A moment as a day: "November 21, 2026".
 * @param iso ISO 8601
 * @param timeZone an IANA name; the same on server and browser, so that both draw the same
 */
export function dayText(iso: string, timeZone = 'UTC'): string {
  return formatIn(timeZone, 'en-US', 'long').format(new Date(iso));
}

/** A moment as a day where there is little room: "Nov 21, 2026". */
export function shortDayText(iso: string, timeZone = 'UTC'): string {
  return formatIn(timeZone, 'en-US', 'medium').format(new Date(iso));
}

/** The day that a moment falls on for somebody in this time zone: `2026-11-21`. */
export function dayOf(iso: string, timeZone: string): string {
  // Canada writes dates the way ISO 8601 does.
  return formatIn(timeZone, 'en-CA', 'short').format(new Date(iso));
}

const DAY_MS = 86_400_000;

/** The day that lies so many days after `day`, both as `2026-11-21`. */
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

/**
 * The day that it is somewhere: "2026-11-21".
 * @param timeZone an IANA name
 */
export function today(timeZone: string, now = new Date()): string {
  const parts = (zone: string) =>
    new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: zone }).format(now);
  try {
    return parts(timeZone);
  } catch {
    return parts('UTC');
  }
}

/**
 * A moment with its time: "Nov 21, 2026, 3:04 PM".
 * @param iso ISO 8601
 * @param timeZone an IANA name
 */
export function momentText(iso: string, timeZone = 'UTC'): string {
  const options = { dateStyle: 'medium', timeStyle: 'short' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone }).format(new Date(iso));
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(new Date(iso));
  }
}

const inZone = new Map<string, Intl.DateTimeFormat>();

/** A format that is made once; a zone that this runtime does not know is UTC. */
function zoned(timeZone: string, name: string, options: Intl.DateTimeFormatOptions) {
  const key = `${name} ${timeZone}`;
  const made = inZone.get(key);
  if (made) return made;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { ...options, timeZone });
  } catch {
    format = new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
  }
  inZone.set(key, format);
  return format;
}

/** The time of day of a moment: "3:04 PM". */
export function timeText(iso: string, timeZone: string): string {
  return zoned(timeZone, 'time', { timeStyle: 'short' }).format(new Date(iso));
}

/**
 * A moment's day as it is said today: "Today", "Yesterday", "Thursday" within a week, else
 * "November 12, 2026".
 * @param today where the reader is: `2026-11-21`
 */
export function recentDayText(iso: string, timeZone: string, today: string): string {
  const days = daysBetween(dayOf(iso, timeZone), today);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (days > 1 && days < 7) {
    return zoned(timeZone, 'weekday', { weekday: 'long' }).format(new Date(iso));
  }
  return dayText(iso, timeZone);
}
