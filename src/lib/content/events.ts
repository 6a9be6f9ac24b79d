/** Events for pages and calendars: their occurrences, and how dates and recurrence read. */
import ical, { ICalEventStatus } from 'ical-generator';
import { dayOf, nearDayText, timeText, weekdayText, zonedTimeText } from '../locale/dates.ts';
import { type Occurrence, occurrencesOf, type Recurring } from './occurrences.ts';
import type { Site } from './site.ts';

/** The fields of an event in `content/events` that this module uses. */
export interface HeldEvent {
  id: string;
  data: Recurring & {
    title: string;
    description: string;
    place: { name: string; address?: string | undefined; online: boolean };
    canceled?: boolean | undefined;
  };
}

/** One occurrence of an event. */
export interface Held<T extends HeldEvent> extends Occurrence {
  event: T;
}

const YEAR_MS = 365 * 24 * 3_600_000;

const inOrder = (a: Occurrence, b: Occurrence) => a.start.getTime() - b.start.getTime();

/** Every occurrence in the year after `now`, the soonest first. */
export function upcoming<T extends HeldEvent>(events: readonly T[], now: Date): Held<T>[] {
  const until = new Date(now.getTime() + YEAR_MS);
  return events
    .flatMap((event) => occurrencesOf(event.data, now, until).map((each) => ({ event, ...each })))
    .toSorted(inOrder);
}

/** One-time events, past and future, latest first. The caller can tell by `end` which are over. */
export function heldOnce<T extends HeldEvent>(events: readonly T[]): Held<T>[] {
  const [from, until] = [new Date(0), new Date(8.64e15)];
  return events
    .filter(({ data }) => !data.repeats)
    .flatMap((event) => occurrencesOf(event.data, from, until).map((each) => ({ event, ...each })))
    .toSorted((a, b) => inOrder(b, a));
}

/** Occurrences by their event, each event where its first one is. */
export function byEvent<T extends HeldEvent>(times: readonly Held<T>[]): Held<T>[][] {
  return [...Map.groupBy(times, ({ event }) => event).values()];
}

/**
 * When an occurrence is, in local time of the zone, as parts to show apart. None of them wraps
 * within a time.
 * @param now decides whether the year appears
 * @returns such as `{ weekday: 'Tuesday', date: 'December 8', tile: ['Dec', '8'], time: '5:30 to 7:30 PM MST' }`
 */
export function whenParts({ start, end }: Occurrence, timeZone: string, now: Date = new Date()) {
  const [from, to] = [start.toISOString(), end.toISOString()];
  const [weekday = '', ...date] = weekdayText(from, timeZone, now).split(', ');
  const [begins, ends] = [timeText(from, timeZone), timeText(to, timeZone)];
  const isSameHalf = begins.slice(-2) === ends.slice(-2);
  const time = `${isSameHalf ? begins.slice(0, -3) : begins} to ${zonedTimeText(to, timeZone)}`;
  const today = dayOf(now.toISOString(), timeZone);
  const tile = nearDayText(dayOf(from, timeZone), today).split(/,? /);
  return { weekday, date: date.join(', '), tile, time: time.replaceAll(/\s/g, '\u00a0') };
}

/**
 * "Tuesday, December 8, 5:30 to 7:30 PM MST", in local time of the zone. The year appears only
 * if it isn't the year of `now`.
 */
export function whenWords(occurrence: Occurrence, timeZone: string, now?: Date): string {
  const { weekday, date, time } = whenParts(occurrence, timeZone, now);
  return `${weekday}, ${date}, ${time}`;
}

const KINDS = {
  workshop: 'Workshop',
  'office-hours': 'Office hours',
  webinar: 'Webinar',
  talk: 'Talk',
} as const;

/** The kind of event, as display text. */
export function kindWords(kind: keyof typeof KINDS): string {
  return KINDS[kind];
}

/** "Second Tuesday of each month"; null for a one-time event. */
export function rhythmWords({ repeats }: Recurring): string | null {
  if (!repeats) return null;
  const place = ['First', 'Second', 'Third', 'Fourth'][repeats.week - 1];
  const weekday = repeats.weekday.charAt(0).toUpperCase() + repeats.weekday.slice(1);
  return `${place} ${weekday} of each month`;
}

/**
 * An iCalendar (RFC 5545) of these occurrences. Their ids are stable, so that a calendar app that
 * refreshes its subscription doesn't add duplicates.
 */
export function calendarOf<T extends HeldEvent>(
  name: string,
  times: Held<T>[],
  site: Site,
): string {
  const calendar = ical({
    name,
    prodId: { company: site.organisation, product: site.product, language: 'EN' },
    // Calendar apps should refresh once a day.
    ttl: 24 * 3_600,
  });
  const { host } = new URL(site.url);
  for (const { event, start, end } of times) {
    const { title, description, place, canceled } = event.data;
    calendar.createEvent({
      id: `${event.id}-${start.toISOString().slice(0, 10)}@${host}`,
      start,
      end,
      // Deterministic, so that the file changes only when an event does.
      stamp: start,
      summary: title,
      description,
      location: place.address ? `${place.name}, ${place.address}` : place.name,
      ...(canceled ? { status: ICalEventStatus.CANCELLED } : {}),
      url: new URL(`/events/${event.id}`, site.url).href,
    });
  }
  return calendar.toString();
}

/** A search for an address on OpenStreetMap. */
export const mapOf = (address: string): string =>
  `https://www.openstreetmap.org/search?query=${encodeURIComponent(address)}`;

/** The HTTP response for a calendar. */
export function calendarAnswer(calendar: string): Response {
  return new Response(calendar, { headers: { 'Content-Type': 'text/calendar; charset=utf-8' } });
}
