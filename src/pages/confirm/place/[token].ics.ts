import type { APIRoute } from 'astro';
import { getEventPlace } from '#data/events.ts';
import { serverConfig } from '#lib/app-config.ts';
import { calendarAnswer } from '#lib/content/events.ts';
import { placeCalendar } from '#lib/content/place-calendar.ts';
import { site } from '#lib/content/site.ts';

export const prerender = false;

/** The event someone has a place at, as a calendar file. */
export const GET: APIRoute = async ({ locals, params }) => {
  const place = await getEventPlace(locals.db, params.token ?? '');
  return calendarAnswer(placeCalendar(place, { ...site, url: serverConfig().siteUrl }));
};
