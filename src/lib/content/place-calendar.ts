/** The event that someone has a place at, as a calendar file. */
import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import type { EventState, PlaceState } from '#domain/event.ts';
import type { Site } from './site.ts';

interface HeldPlace {
  id: string;
  slug: string;
  title: string;
  starts_at: string;
  minutes: number;
  place: string;
  online_link: string | null;
  revision: number;
  state: PlaceState;
  event_state: EventState;
}

/**
 * The iCalendar (RFC 5545) of the event. Its id is the same as in the private calendar feed, so that
 * someone who has both sees it once. Without the place, the entry is canceled.
 */
export function placeCalendar(held: HeldPlace, site: Site): string {
  const { id, slug, title, starts_at, minutes, place, online_link, revision } = held;
  const calendar = ical({
    prodId: { company: site.organisation, product: site.product, language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
  });
  const start = new Date(starts_at);
  const isOff = held.state !== 'taken' || held.event_state === 'canceled';
  calendar.createEvent({
    id: `place-${id}@${new URL(site.url).host}`,
    sequence: revision,
    start,
    end: new Date(start.getTime() + minutes * 60_000),
    // Deterministic, so that the file changes only when the event does.
    stamp: start,
    summary: title,
    location: online_link ?? place,
    status: isOff ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    url: new URL(`/events/${slug}`, site.url).href,
  });
  return calendar.toString();
}
