import { ownBuild } from './build.ts';

/**
 * Registers the service worker (layouts/offline-page.ts) that shows our own page instead of the
 * browser's when a signed-in page can't load. Its scope is the first segment of this page's path
 * (/dashboard, /admin), so it never handles public pages. Does nothing in development.
 */
export function keepOfflinePage(): void {
  if (ownBuild() === null || !('serviceWorker' in navigator)) return;
  const scope = `/${location.pathname.split('/')[1]}`;
  // Without service workers, the browser shows its own page.
  void navigator.serviceWorker.register('/offline-worker.js', { scope }).catch(() => {});
}
