/**
 * Whether the site was built anew while a page was open. An old page goes on working, but a screen
 * that it has not loaded yet may be gone: so a reload is offered, at a moment when it costs nothing.
 */
import { http } from '#lib/http.ts';
import { $unsaved } from '#lib/unsaved.ts';
import { $toasts, addToast, dismissToast } from './toasts.ts';

/** Milliseconds between two looks at the name of the newest build. */
export const LOOK_EVERY = 5 * 60_000;
/** Coming back to the tab looks as well, but no sooner than this after the last look. */
export const LOOK_AGAIN_AFTER = 60_000;
/** Milliseconds for which nothing must be unsaved: answers that are sent one by one are a row. */
export const QUIET_FOR = 2_000;

/** What the store needs of the page; tests bring their own. */
export interface BuildEffects {
  /** The name of the newest build. Throws when it cannot be learned now. */
  latest(): Promise<string>;
  reload(): void;
  /** Whether looking makes sense: somebody sees the page, and the network is there. */
  awake(): boolean;
  /** Calls back when the page is shown again. Gives the end of it. */
  onShown(task: () => void): () => void;
}

const pageEffects: BuildEffects = {
  latest: async () => {
    const given = await http<{ id: string }>('/builds/latest.json', {
      cache: 'no-store',
      retry: 0,
    });
    return given.id;
  },
  reload: () => location.reload(),
  awake: () => document.visibilityState === 'visible' && navigator.onLine,
  onShown(task) {
    const shown = () => {
      if (document.visibilityState === 'visible') task();
    };
    document.addEventListener('visibilitychange', shown);
    return () => document.removeEventListener('visibilitychange', shown);
  },
};

/** The build that this page belongs to; null while developing. */
export function ownBuild(): string | null {
  const id = document.querySelector<HTMLMetaElement>('meta[name=build]')?.content;
  return id === undefined || id === 'dev' ? null : id;
}

/**
 * Offers a reload in a toast when there is a newer build than the page's own: once for each, never
 * while something is unsaved. Ends when the function it gives is called.
 * @param own the page's build; nothing happens where it is null
 */
export function followBuild(
  own: string | null = ownBuild(),
  effects: BuildEffects = pageEffects,
): () => void {
  if (own === null) return () => {};
  let lookedAt = Date.now();
  /** The newest build that is not the page's own, until somebody has answered the offer. */
  let newer: string | null = null;
  let answered: string | null = null;
  let toast: string | null = null;
  let quiet: ReturnType<typeof setTimeout> | undefined;

  async function look() {
    if (!effects.awake()) return;
    lookedAt = Date.now();
    try {
      const latest = await effects.latest();
      // Whoever goes back to the old build takes the offer away.
      newer = latest === own || latest === answered ? null : latest;
      offerSoon();
    } catch {
      // Not now: the next look is soon enough.
    }
  }

  /** Takes the offer away, and makes it again when nothing has been unsaved for a while. */
  function offerSoon() {
    clearTimeout(quiet);
    if (newer === null || $unsaved.get()) withdraw();
    else if (toast === null) quiet = setTimeout(offer, QUIET_FOR);
  }

  function offer() {
    toast = addToast({
      title: 'A newer version is ready',
      lasting: true,
      action: { label: 'Reload', onPress: effects.reload },
    });
  }

  function withdraw() {
    const shown = toast;
    toast = null;
    if (shown !== null) dismissToast(shown);
  }

  /** Somebody closed it: this build is not offered again. */
  function heed(toasts: readonly { id: string }[]) {
    if (toast === null || toasts.some(({ id }) => id === toast)) return;
    toast = null;
    answered = newer;
    newer = null;
  }

  const timer = setInterval(() => void look(), LOOK_EVERY);
  const endings = [
    () => clearInterval(timer),
    () => clearTimeout(quiet),
    effects.onShown(() => {
      if (Date.now() - lookedAt >= LOOK_AGAIN_AFTER) void look();
    }),
    $unsaved.listen(offerSoon),
    $toasts.listen(heed),
  ];
  return () => {
    for (const end of endings) end();
  };
}
