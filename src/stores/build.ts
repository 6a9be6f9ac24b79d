/**
 * Whether the site was rebuilt while a page was open. An old page keeps working, but a screen that it
 * hasn't loaded yet may be missing: so a reload is offered, at a moment when nothing is unsaved.
 */
import { $unsaved } from '#lib/browser/unsaved.ts';
import { $toasts, addToast, dismissToast } from './toasts.ts';

/** Milliseconds between two checks for a newer build. */
export const CHECK_EVERY = 5 * 60_000;
/** Coming back to the tab checks too, but not within these milliseconds of the last check. */
export const CHECK_AGAIN_AFTER = 60_000;
/** Milliseconds for which nothing may be unsaved: answers sent one by one have short gaps. */
export const QUIET_FOR = 2_000;

/** What the store needs from the page; tests bring their own. */
export interface BuildDeps {
  /** The name of the newest build. Throws when that can't be learned now. */
  latest(): Promise<string>;
  reload(): void;
  /** Whether checking makes sense: the page is visible, and the network is there. */
  isAwake(): boolean;
  /** Calls back when the page is shown again. Gives the function that stops it. */
  onShown(task: () => void): () => void;
}

const pageDeps: BuildDeps = {
  latest: async () => {
    const { http } = await import('#lib/http.ts');
    const latest = await http<{ id: string }>('/builds/latest.json', {
      cache: 'no-store',
      retry: 0,
    });
    return latest.id;
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

/** The build that this page belongs to; null while developing. */
export function ownBuild(): string | null {
  const id = document.querySelector<HTMLMetaElement>('meta[name=build]')?.content;
  return id === undefined || id === 'dev' ? null : id;
}

/** The toast that offers a reload: shown while a build is set and nothing has been unsaved for a while. */
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
      // It was closed: this build isn't offered again.
      dismissed = build;
      toast = null;
      build = null;
    }),
    () => clearTimeout(timer),
  ];
  return {
    /** Offers a build, unless the person has dismissed it; null withdraws the offer. */
    set(offered: string | null) {
      build = offered === dismissed ? null : offered;
      update();
    },
    stops,
  };
}

/**
 * Offers a reload in a toast when there is a newer build than the page's own: once for each, never
 * while something is unsaved. Gives the function that stops it.
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
      // Going back to the old build takes the offer away.
      offer.set(latest === own ? null : latest);
    } catch {
      // The next check is soon enough.
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
