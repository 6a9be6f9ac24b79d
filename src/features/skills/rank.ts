/** Why areas rank as they do, in words: the parts of the formula that chose what to work on. */

import type { ConfidenceNote } from '#domain/attempt.ts';
import { OVERCONFIDENCE_FACTOR, priorityOf } from '#domain/scoring.ts';
import { numberText } from '#lib/locale/numbers.ts';

/** What the formula uses of an area. */
interface Rankable {
  area: { key: string; name: string; importance: number };
  score: { score: number | null; confidence_note: ConfidenceNote | null };
}

/** An area with a score; `priority` as in `priorityOf`. */
type Ranked<Each extends Rankable> = Each & { points: number; priority: number };

/** The scored areas, the most urgent first, ordered as the database does. */
export function byUrgency<Each extends Rankable>(results: readonly Each[]): Ranked<Each>[] {
  return (
    results
      .flatMap((each) => {
        const { score, confidence_note } = each.score;
        if (score === null) return [];
        const priority = priorityOf(score, each.area.importance, confidence_note);
        return [{ ...each, points: Math.round(score), priority }];
      })
      // Nine decimals, as in the database, so that rounding errors don't break a tie.
      .toSorted((a, b) => Math.round((b.priority - a.priority) * 1e9))
  );
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];
const COUNTS = ['', 'counts once', 'counts double', 'counts triple'];

const isOverrated = ({ score }: Rankable) => score.confidence_note === 'check-the-evidence';

/** `75 × 3 = 225`, with the scores as the page shows them. */
function formula(ranked: Ranked<Rankable>): string {
  const factor = isOverrated(ranked) ? ` × ${OVERCONFIDENCE_FACTOR}` : '';
  const { points, priority, area } = ranked;
  return `${100 - points} × ${area.importance}${factor} = ${Math.round(priority)}`;
}

/**
 * Says why an area ranks where it does: what it has to gain, how much it counts, what that adds up
 * to, and why an area with a lower score comes after it. Null without a score.
 */
export function rankReason(key: string, results: readonly Rankable[]): string | null {
  const ranked = byUrgency(results);
  const place = ranked.findIndex(({ area }) => area.key === key);
  const here = ranked[place];
  if (!here) return null;
  const toGo = 100 - here.points;
  const parts = [
    `${toGo} ${toGo === 1 ? 'point' : 'points'} to gain`,
    `an area that ${COUNTS[here.area.importance] ?? `counts ${here.area.importance} times`}`,
    isOverrated(here) && 'a quarter more because confidence runs ahead of the answers',
  ].filter((each) => each !== false);
  const last = parts.pop() ?? '';
  const order = ORDINALS[place] ?? `number ${place + 1}`;
  const reason = `Ranked ${order} of ${numberText(ranked.length)}: ${parts.join(', ')} and ${last} (${formula(here)}).`;
  const behind = ranked
    .slice(place + 1)
    .filter(({ points }) => points < here.points)
    .toSorted((a, b) => a.points - b.points)[0];
  if (!behind) return reason;
  return `${reason} ${behind.area.name} scores lower, but ${isOverrated(here) && behind.area.importance === here.area.importance ? 'without that' : (COUNTS[behind.area.importance] ?? '')} (${formula(behind)}).`;
}
