import type { APIRoute } from 'astro';
import { getSession } from '#data/coaching-sessions.ts';
import { serverConfig } from '#lib/app-config.ts';
import { calendarAnswer } from '#lib/content/events.ts';
import { sessionCalendar } from '#lib/content/session-calendar.ts';
import { site } from '#lib/content/site.ts';
import { AppError } from '#lib/errors.ts';
import { signedIn } from '#session/session.ts';

export const prerender = false;

/** A coaching session as a calendar file, for its owner and its coach. */
export const GET: APIRoute = async ({ locals, params }) => {
  const { role } = signedIn(locals);
  const session = await getSession(locals.db, params.id ?? '');
  if (!session) throw new AppError('not-found');
  const reader = role === 'coach' ? 'coach' : 'owner';
  // The address under which people reach the site, as in the calendar feed.
  return calendarAnswer(sessionCalendar(session, reader, { ...site, url: serverConfig().siteUrl }));
};
