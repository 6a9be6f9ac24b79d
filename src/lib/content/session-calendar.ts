/** A coaching session as a calendar file. */
import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { endOfSession, SESSION_KIND_LABELS, type SessionState } from '#domain/session.ts';
import type { SessionKind } from '#domain/session-values.ts';
import type { Site } from './site.ts';

interface HeldSession {
  id: string;
  state: SessionState;
  starts_at: string;
  minutes: number;
  kind: SessionKind;
  place: string | null;
  revision: number;
  business: { name: string };
  coach_name: string | null;
}

/**
 * The iCalendar (RFC 5545) of a session, with its times in UTC, which every calendar app shows in
 * its own zone. Its id is the same as in the private calendar feed, so that someone who has both
 * sees it once.
 * @param reader whose calendar it's for
 */
export function sessionCalendar(
  session: HeldSession,
  reader: 'owner' | 'coach',
  site: Site,
): string {
  const { id, state, starts_at, kind, place, revision, business, coach_name } = session;
  const calendar = ical({
    prodId: { company: site.organisation, product: site.product, language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
  });
  const start = new Date(starts_at);
  calendar.createEvent({
    id: `session-${id}@${new URL(site.url).host}`,
    sequence: revision,
    start,
    end: new Date(endOfSession(session)),
    // Deterministic, so that the file changes only when the session does.
    stamp: start,
    summary:
      reader === 'owner'
        ? `Coaching with ${coach_name ?? 'your coach'}`
        : `Coaching: ${business.name}`,
    description: SESSION_KIND_LABELS[kind],
    ...(place ? { location: place } : {}),
    status: state === 'canceled' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    url: new URL('/dashboard/coaching', site.url).href,
  });
  return calendar.toString();
}
