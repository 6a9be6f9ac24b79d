import { robots } from '#lib/content/feeds.ts';
import { site } from '#lib/content/site.ts';

/** Tells crawlers what they may read. Prerendered. */
export function GET(): Response {
  return new Response(robots(site), { headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}
