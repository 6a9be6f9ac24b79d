import type { APIRoute } from 'astro';
import { listEventPlaces } from '#data/events.ts';

export const prerender = false;

/**
 * How many places the dates of an event have right now, as its page writes it, and who's signed in, to
 * fill in the form: {dates: {"2026-12": [left, places]}, person: {name, email}}. A canceled date is null.
 */
export const GET: APIRoute = async ({ locals, url }) => {
  const dates = await listEventPlaces(locals.db, url.searchParams.get('event') ?? '');
  const person = locals.session;
  return Response.json(
    {
      dates: Object.fromEntries(
        dates.map(({ occasion, left, places, state }) => [
          occasion,
          state === 'canceled' ? null : [left, places],
        ]),
      ),
      person: person && { name: person.fullName, email: person.email },
    },
    { headers: { 'cache-control': 'private, no-cache' } },
  );
};
