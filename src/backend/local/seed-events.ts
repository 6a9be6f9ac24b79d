/** The dates of events that people can take places at, from content/events. */
import { type Database, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { occasionOf, occurrencesOf, type Recurring } from '#lib/content/occurrences.ts';

/** The fields of an event's file that the database needs; src/collections/publishing.ts has them all. */
export interface EventFile extends Recurring {
  slug: string;
  title: string;
  place: { name: string; address?: string };
  places?: number;
  online_link?: string;
  canceled?: boolean;
}

/** A date of an event, as `private.seed_events` takes it. */
export interface EventDate {
  slug: string;
  occasion: string;
  title: string;
  starts_at: string;
  minutes: number;
  time_zone: string;
  place: string;
  address: string | null;
  online_link: string | null;
  places: number;
  canceled: boolean;
}

/** People can look a year ahead on the site; a month more, because a site may run that long. */
const AHEAD_MS = 395 * 24 * 3_600_000;

/** The dates that begin after `now`, for a bit more than a year, of events that have places. */
export function comingDates(files: readonly EventFile[], now: Date): EventDate[] {
  const until = new Date(now.getTime() + AHEAD_MS);
  return files.flatMap((file) => {
    const { places } = file;
    if (!places) return [];
    // What's held once may be planned for further ahead.
    const end = file.repeats ? until : new Date(8.64e15);
    return occurrencesOf(file, now, end)
      .filter(({ start }) => start > now)
      .map((date) => ({
        slug: file.slug,
        occasion: occasionOf(file, date),
        title: file.title,
        starts_at: date.start.toISOString(),
        minutes: file.minutes,
        time_zone: file.time_zone,
        place: [file.place.name, file.place.address].filter(Boolean).join(', '),
        address: file.place.address ?? null,
        online_link: file.online_link ?? null,
        places,
        canceled: file.canceled ?? false,
      }));
  });
}

/** Brings the database's dates in line with these; people keep their places, and hear of changes. */
export async function seedEvents(
  db: Database,
  dates: readonly EventDate[],
  log: (line: string) => void,
): Promise<void> {
  const row = await queryOne<{ left: string[] }>(db)`
    select private.seed_events(${JSON.stringify(dates)}::jsonb) as left`;
  for (const slug of row?.left ?? []) {
    log(
      `content/events/${slug}.mdx no longer has a date that people have places at. They still have them; ` +
        'to cancel it, open it on /admin/events.',
    );
  }
}
