import { getCollection } from 'astro:content';
import { calendarAnswer, calendarOf, upcoming } from '#lib/content/events.ts';
import { site } from '#lib/content/site.ts';

/** All events of the next year, for calendar apps to subscribe to. */
export async function GET(): Promise<Response> {
  const times = upcoming(await getCollection('events'), new Date());
  return calendarAnswer(calendarOf(`${site.product}: events`, times, site));
}
