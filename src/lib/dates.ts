/** Times are stored in UTC and shown in the reader's own time zone. */

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const made = formats.get(timeZone);
  if (made) return made;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone });
  } catch {
    // A name that this runtime does not know: a date in UTC is better than no page.
    format = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  }
  formats.set(timeZone, format);
  return format;
}

/**
 * A moment as a day: "November 21, 2026".
 * @param iso ISO 8601
 * @param timeZone an IANA name; the same on server and browser, so that both draw the same
 */
export function dayText(iso: string, timeZone = 'UTC'): string {
  return formatIn(timeZone).format(new Date(iso));
}
