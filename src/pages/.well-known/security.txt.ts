import { securityText } from '#lib/content/feeds.ts';
import { site } from '#lib/content/site.ts';

/** Where to report a weakness. Built, so that each build puts off the day on which it expires. */
export function GET(): Response {
  return new Response(securityText(site, new Date()), {
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  });
}
