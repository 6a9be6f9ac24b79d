/** One page of results: what the database has, and the swaps that are on their way to it. */
import { atom, computed } from 'nanostores';
import { type AttemptView, swapRecommendation } from '#data/attempts.ts';
import type { AppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';
import { reportError } from '#stores/session.ts';
import { withSwap } from './results.ts';

/** Another area at one of the three places, not answered for yet. */
interface Swap {
  position: number;
  areaKey: string;
}

interface ResultsDeps {
  db: () => Promise<Db>;
  /** Tells the person that a swap did not happen; `again` tries it once more. */
  failed: (error: AppError, again: () => void) => void;
}

export type ResultsStore = ReturnType<typeof createResultsStore>;

/** Makes the store of one page of results. */
export function createResultsStore(deps: ResultsDeps, initial: AttemptView) {
  const $stored = atom(initial);
  const $swaps = atom<readonly Swap[]>([]);
  /** What the page shows: the stored results with the swaps that are under way. */
  const $view = computed([$stored, $swaps], (stored, swaps) =>
    swaps.reduce((view, { position, areaKey }) => withSwap(view, position, areaKey), stored),
  );
  // One after another: an answer then never lacks a swap that was made before it.
  let last: Promise<void> = Promise.resolve();

  async function send(swap: Swap): Promise<void> {
    try {
      const { id } = initial.attempt;
      $stored.set(await swapRecommendation(await deps.db(), id, swap.position, swap.areaKey));
    } catch (thrown) {
      deps.failed(reportError(thrown), () => void swapTo(swap.position, swap.areaKey));
    } finally {
      $swaps.set($swaps.get().filter((each) => each !== swap));
    }
  }

  /** Puts another area at a position: at once on the page, and back again when it is refused. */
  function swapTo(position: number, areaKey: string): Promise<void> {
    const swap = { position, areaKey };
    $swaps.set([...$swaps.get(), swap]);
    last = last.then(() => send(swap));
    return last;
  }

  return { $view, $swaps, swapTo };
}
