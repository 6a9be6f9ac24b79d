import { securityText } from '#lib/content/feeds.ts';
import { site } from '#lib/content/site.ts';

/** Says where to report vulnerabilities. Prerendered, so each build renews its expiration date. */
export function GET(): Response {
  return new Response(securityText(site, new Date()), {
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  });
}
