import { offlineWorker } from '#layouts/offline-page.ts';

/** The service worker that serves the offline page (stores/offline-page.ts). Prerendered. */
export function GET(): Response {
  return new Response(offlineWorker(), {
    headers: { 'Content-Type': 'text/javascript; charset=utf-8' },
  });
}
