import { robots } from '#lib/content/feeds.ts';
import { site } from '#lib/content/site.ts';

/** What crawlers may read. Built. */
export function GET(): Response {
  return new Response(robots(site), { headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}
