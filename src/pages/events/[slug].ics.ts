import { type CollectionEntry, getCollection } from 'astro:content';
import { calendarAnswer, calendarOf, heldOnce, upcoming } from '#lib/content/events.ts';
import { site } from '#lib/content/site.ts';

export async function getStaticPaths() {
  const events = await getCollection('events');
  return events.map((event) => ({ params: { slug: event.id }, props: { event } }));
}

/** The times of one event as a calendar file. */
export function GET({ props }: { props: { event: CollectionEntry<'events'> } }): Response {
  const { event } = props;
  const times = event.data.repeats ? upcoming([event], new Date()) : heldOnce([event]);
  return calendarAnswer(calendarOf(event.data.title, times, site));
}
