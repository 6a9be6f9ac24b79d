import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import * as v from 'valibot';
import { isOutOfSpace, queryOne } from '../_shared/connection.ts';
import { database } from '../_shared/database.ts';
import { hashOfCaller } from '../_shared/public-form.ts';
import { answer } from '../_shared/requests.ts';
import { brandFromSettings } from '../_shared/settings.ts';

/** Calendar apps should refresh once an hour. */
const TTL_SECONDS = 3_600;

const feed = v.object({
  sessions: v.array(
    v.object({
      uid: v.string(),
      sequence: v.number(),
      starts_at: v.string(),
      minutes: v.number(),
      title: v.string(),
      place: v.nullable(v.string()),
      description: v.string(),
      canceled: v.boolean(),
      /** The page it's about. */
      path: v.string(),
    }),
  ),
  due: v.array(
    v.object({ uid: v.string(), day: v.string(), title: v.string(), description: v.string() }),
  ),
});
type Feed = v.InferOutput<typeof feed>;

/** The iCalendar (RFC 5545) of a feed, with times in UTC and due dates as all-day entries. */
function calendarOf({ sessions, due }: Feed): string {
  const { product, organisation, siteUrl } = brandFromSettings();
  const { host } = new URL(siteUrl);
  const calendar = ical({
    name: product,
    prodId: { company: organisation, product, language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: TTL_SECONDS,
  });
  for (const {
    uid,
    sequence,
    starts_at,
    minutes,
    title,
    place,
    description,
    canceled,
    path,
  } of sessions) {
    const start = new Date(starts_at);
    calendar.createEvent({
      id: `${uid}@${host}`,
      sequence,
      start,
      end: new Date(start.getTime() + minutes * 60_000),
      // Deterministic, so that the file changes only when an entry does.
      stamp: start,
      summary: title,
      description,
      ...(place ? { location: place } : {}),
      status: canceled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      url: siteUrl + path,
    });
  }
  for (const { uid, day, title, description } of due) {
    const start = new Date(`${day}T00:00:00Z`);
    calendar.createEvent({
      id: `${uid}@${host}`,
      allDay: true,
      start,
      end: new Date(start.getTime() + 24 * 3_600_000),
      stamp: start,
      summary: title,
      description,
    });
  }
  return calendar.toString();
}

/** Reads the feed with a secret; null if there's none. Throws the database's error over a limit. */
async function readFeed(token: string, caller: string | null): Promise<Feed | null> {
  const row = await queryOne<{ feed: unknown }>(database())`
    select private.calendar_of(${caller}, ${token}) as feed`;
  return v.parse(v.nullable(feed), row?.feed ?? null);
}

/** The response to an error. Nothing of the request is logged, because its address has the secret. */
function failed(thrown: unknown): Response {
  const { code, message, detail } = thrown as { code?: string; message?: string; detail?: string };
  if (code === 'PT429') return answer(429, message ?? '', { 'Retry-After': detail || '3600' });
  // Reading a feed counts the request, which a full disk can't store.
  if (isOutOfSpace(thrown)) return answer(503, 'Try again later', { 'Retry-After': '3600' });
  throw thrown;
}

/** A person's calendar feed: GET with the secret in `token`, as calendar apps ask. */
export default {
  async fetch(request: Request): Promise<Response> {
    if (!['GET', 'HEAD'].includes(request.method)) {
      return answer(405, 'GET only', { Allow: 'GET, HEAD' });
    }
    const token = new URL(request.url).searchParams.get('token') ?? '';
    const missing = () => answer(404, 'This calendar doesn’t exist');
    if (!/^[0-9a-f]{64}$/.test(token)) return missing();
    try {
      const found = await readFeed(token, hashOfCaller(request));
      if (!found) return missing();
      return new Response(calendarOf(found), {
        headers: {
          'Content-Type': 'text/calendar; charset=utf-8',
          'Cache-Control': 'private, max-age=300',
          'X-Robots-Tag': 'noindex',
        },
      });
    } catch (thrown) {
      return failed(thrown);
    }
  },
};
