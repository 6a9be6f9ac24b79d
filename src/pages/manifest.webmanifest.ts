import { site } from '#lib/content/site.ts';

/** The web app manifest, for adding the site to a phone's apps. Prerendered. */
export function GET(): Response {
  const manifest = {
    name: site.product,
    short_name: site.product,
    description: site.tagline,
    start_url: '/dashboard',
    display: 'minimal-ui',
    icons: [
      { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
      { src: '/icon-512.png', type: 'image/png', sizes: '512x512', purpose: 'any maskable' },
    ],
  };
  return new Response(JSON.stringify(manifest), {
    headers: { 'Content-Type': 'application/manifest+json' },
  });
}
