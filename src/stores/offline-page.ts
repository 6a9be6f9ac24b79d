import { ownBuild } from './build.ts';

/**
 * Registers the service worker (layouts/offline-page.ts) that shows a page of ours, instead of the
 * browser's own, when a signed-in page can't be loaded. Its scope is the first part of this page's
 * path (/dashboard, /admin), so it never answers for public pages. Does nothing in development.
 */
export function keepOfflinePage(): void {
  if (ownBuild() === null || !('serviceWorker' in navigator)) return;
  const scope = `/${location.pathname.split('/')[1]}`;
  // A browser that allows no worker shows its own page.
  void navigator.serviceWorker.register('/offline-worker.js', { scope }).catch(() => {});
}
