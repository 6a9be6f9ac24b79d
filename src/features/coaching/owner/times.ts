/** Times of sessions in the owner's own zone, and in the coach's if that differs. */
import { endOfSession } from '#domain/session.ts';
import { dayOf, timeText, weekdayText } from '#lib/locale/dates.ts';

/** "Denver" for `America/Denver`. */
export const cityOf = (timeZone: string): string =>
  (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');

/** "Tuesday, December 8 at 3:00 PM" */
export const momentWords = (iso: string, timeZone: string, now: string): string =>
  `${weekdayText(iso, timeZone, new Date(now))} at ${timeText(iso, timeZone)}`;

/** "3:00 PM to 4:00 PM" */
export const spanWords = (
  session: { starts_at: string; minutes: number },
  timeZone: string,
): string =>
  `${timeText(session.starts_at, timeZone)} to ${timeText(endOfSession(session), timeZone)}`;

/**
 * What the clock says where the coach is: "1:00 PM in Denver", with the day if that's another one;
 * null if it says the same as the reader's.
 */
export function elsewhereWords(
  iso: string,
  timeZone: string,
  theirs: string | null,
  now: string,
): string | null {
  if (!theirs) return null;
  const isSameDay = dayOf(iso, theirs) === dayOf(iso, timeZone);
  if (isSameDay && timeText(iso, theirs) === timeText(iso, timeZone)) return null;
  const time = `${timeText(iso, theirs)} in ${cityOf(theirs)}`;
  return isSameDay ? time : `${weekdayText(iso, theirs, new Date(now))}, ${time}`;
}
