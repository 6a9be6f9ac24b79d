import { ownBuild } from './build.ts';

/**
 * From now on this browser shows a page of ours, and not its own, where a signed-in page cannot be
 * loaded: the worker (layouts/offline-page.ts) answers for the pages beside this one, and for no public
 * page. Not while developing, where a page may come from somewhere else tomorrow.
 */
export function keepOfflinePage(): void {
  if (ownBuild() === null || !('serviceWorker' in navigator)) return;
  const scope = `/${location.pathname.split('/')[1]}`;
  // A browser that allows no worker shows its own page.
  void navigator.serviceWorker.register('/offline-worker.js', { scope }).catch(() => {});
}
