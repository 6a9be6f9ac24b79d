/**
 * Detects that the site was rebuilt while a page is open. The old page keeps working, but a chunk
 * it hasn't loaded yet may be gone, so we offer a reload when nothing is unsaved.
 */
import { $unsaved } from '#lib/browser/unsaved.ts';
import { http } from '#lib/http.ts';
import { $toasts, addToast, dismissToast } from './toasts.ts';

/** Milliseconds between checks for a newer build. */
export const CHECK_EVERY = 5 * 60_000;
/** Returning to the tab also checks, but not within these milliseconds of the last check. */
export const CHECK_AGAIN_AFTER = 60_000;
/** Milliseconds that nothing must be unsaved, since answers sent one by one leave short gaps. */
export const QUIET_FOR = 2_000;

/** What the store needs from the page; tests pass fakes. */
export interface BuildDeps {
  /** The id of the newest build. Throws if it can't be loaded. */
  latest(): Promise<string>;
  reload(): void;
  /** Whether a check makes sense: the page is visible and the browser is online. */
  isAwake(): boolean;
  /** Calls back when the page becomes visible again. Returns the cleanup. */
  onShown(task: () => void): () => void;
}

const pageDeps: BuildDeps = {
  latest: async () => {
    const latest = await http('/builds/latest.json', { cache: 'no-store' });
    return (latest as { id: string }).id;
  },
  reload: () => location.reload(),
  isAwake: () => document.visibilityState === 'visible' && navigator.onLine,
  onShown(task) {
    const look = () => {
      if (document.visibilityState === 'visible') task();
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  },
};

/** The build that this page came from; null in development. */
export function ownBuild(): string | null {
  const id = document.querySelector<HTMLMetaElement>('meta[name=build]')?.content;
  return id === undefined || id === 'dev' ? null : id;
}

/** The toast that offers a reload, once a build is set and nothing has been unsaved for a while. */
function createReloadOffer(reload: () => void) {
  let build: string | null = null;
  let dismissed: string | null = null;
  let toast: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function show() {
    toast = addToast({
      title: 'A newer version is ready',
      lasting: true,
      action: { label: 'Reload', onPress: reload },
    });
  }

  function update() {
    clearTimeout(timer);
    if (build !== null && !$unsaved.get()) {
      if (toast === null) timer = setTimeout(show, QUIET_FOR);
      return;
    }
    const shown = toast;
    toast = null;
    if (shown !== null) dismissToast(shown);
  }

  const stops = [
    $unsaved.listen(update),
    $toasts.listen((toasts) => {
      if (toast === null || toasts.some(({ id }) => id === toast)) return;
      // The person closed the toast, so don't offer this build again.
      dismissed = build;
      toast = null;
      build = null;
    }),
    () => clearTimeout(timer),
  ];
  return {
    /** Offers a build, unless the person dismissed that one; null withdraws the offer. */
    set(offered: string | null) {
      build = offered === dismissed ? null : offered;
      update();
    },
    stops,
  };
}

/**
 * Offers a reload in a toast when there's a newer build: once per build, and never while something
 * is unsaved. Returns the cleanup.
 * @param own the page's build; null does nothing
 */
export function followBuild(
  own: string | null = ownBuild(),
  deps: BuildDeps = pageDeps,
): () => void {
  if (own === null) return () => {};
  const offer = createReloadOffer(deps.reload);
  let checkedAt = Date.now();

  async function check() {
    if (!deps.isAwake()) return;
    checkedAt = Date.now();
    try {
      const latest = await deps.latest();
      // If the site was rolled back to this page's build, withdraw the offer.
      offer.set(latest === own ? null : latest);
    } catch {
      // The next check will do.
    }
  }

  const timer = setInterval(() => void check(), CHECK_EVERY);
  const stops = [
    ...offer.stops,
    () => clearInterval(timer),
    deps.onShown(() => {
      if (Date.now() - checkedAt >= CHECK_AGAIN_AFTER) void check();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
