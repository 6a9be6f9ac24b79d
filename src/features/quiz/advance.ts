import type { ReadableAtom } from 'nanostores';

/** How long a choice is seen before the next step is shown, in milliseconds. */
export const SEEN_FOR = 300;

/** How long after that a press of Enter still belongs to the choice, in milliseconds. */
const LATE_FOR = 700;

/**
 * Shows the next step once a choice has been seen, unless the user moves or does something else.
 * @param $moves counts the user's moves
 * @param next shows the next step
 * @param now the time in milliseconds
 */
export function createAdvance($moves: ReadableAtom<number>, next: () => void, now: () => number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let advancedAt = Number.NEGATIVE_INFINITY;
  let moveTo = -1;
  /** Cancels `advance`. */
  const stay = () => clearTimeout(timer);
  /** Shows the next step after a moment. */
  function advance() {
    stay();
    // Enter belongs to this choice now, however soon it follows the one before.
    advancedAt = Number.NEGATIVE_INFINITY;
    const from = $moves.get();
    timer = setTimeout(() => {
      if ($moves.get() !== from) return;
      advancedAt = now();
      next();
      moveTo = $moves.get();
    }, SEEN_FOR);
  }
  /** Enter shows the next step, unless that just happened without it. */
  function enter() {
    if ($moves.get() !== moveTo || now() - advancedAt > LATE_FOR) next();
  }
  return { advance, stay, enter };
}
