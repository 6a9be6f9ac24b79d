import { offlineWorker } from '#layouts/offline-page.ts';

/** Answers signed-in pages that cannot be loaded (stores/offline-page.ts). Built. */
export function GET(): Response {
  return new Response(offlineWorker(), {
    headers: { 'Content-Type': 'text/javascript; charset=utf-8' },
  });
}
