/** Why areas rank as they do, in words: the parts of the formula that chose what to work on. */

import type { ConfidenceNote } from '#domain/attempt.ts';
import { inEnglish, type Say } from '#domain/language.ts';
import { OVERCONFIDENCE_FACTOR, priorityOf } from '#domain/scoring.ts';
import { numberText } from '#lib/locale/numbers.ts';

/** What the formula uses of an area. */
interface Rankable {
  area: { key: string; name: string; importance: number };
  score: { score: number | null; confidence_note: ConfidenceNote | null };
}

/** An area with a score, exact and rounded (`points`); `priority` as in `priorityOf`. */
type Ranked<Each extends Rankable> = Each & { exact: number; points: number; priority: number };

/** The scored areas, the most urgent first, ordered as the database does. */
export function byUrgency<Each extends Rankable>(results: readonly Each[]): Ranked<Each>[] {
  return (
    results
      .flatMap((each) => {
        const { score, confidence_note } = each.score;
        if (score === null) return [];
        const priority = priorityOf(score, each.area.importance, confidence_note);
        return [{ ...each, exact: score, points: Math.round(score), priority }];
      })
      // Nine decimals, as in the database, so that rounding errors don't break a tie.
      .toSorted((a, b) => Math.round((b.priority - a.priority) * 1e9))
  );
}

const ordinals = (say: Say) => [
  say('first'),
  say('second'),
  say('third'),
  say('fourth'),
  say('fifth'),
  say('sixth'),
  say('seventh'),
  say('eighth'),
];
const counts = (importance: number, say: Say) =>
  ['', say('counts once'), say('counts double'), say('counts triple')][importance] ??
  say('counts {times} times', { times: importance });

const isOverrated = ({ score }: Rankable) => score.confidence_note === 'check-the-evidence';

/** `75 × 3 = 225`, or `39.2 × 3 × 1.25 = 147`: as exact as it has to be to add up. */
function formula(ranked: Ranked<Rankable>): string {
  const isMore = isOverrated(ranked);
  const toGo = Math.round((100 - ranked.exact) * 10) / 10;
  const { importance } = ranked.area;
  const priority = toGo * importance * (isMore ? OVERCONFIDENCE_FACTOR : 1);
  const factor = isMore ? ` × ${OVERCONFIDENCE_FACTOR}` : '';
  return `${toGo} × ${importance}${factor} = ${Math.round(priority)}`;
}

/**
 * Says why an area ranks where it does: what it has to gain, how much it counts, what that adds up
 * to, and why an area with a lower score comes after it. Null without a score.
 */
export function rankReason(
  key: string,
  results: readonly Rankable[],
  say: Say = inEnglish,
): string | null {
  const ranked = byUrgency(results);
  const place = ranked.findIndex(({ area }) => area.key === key);
  const here = ranked[place];
  if (!here) return null;
  const toGo = 100 - here.points;
  const parts = [
    toGo === 1 ? say('1 point to gain') : say('{points} points to gain', { points: toGo }),
    say('an area that {counts}', { counts: counts(here.area.importance, say) }),
    isOverrated(here) && say('a quarter more because confidence runs ahead of the answers'),
  ].filter((each) => each !== false);
  const last = parts.pop() ?? '';
  const reason = say('Ranked {place} of {count}: {parts} and {last} ({formula}).', {
    place: ordinals(say)[place] ?? say('number {place}', { place: place + 1 }),
    count: say(numberText(ranked.length)),
    parts: parts.join(', '),
    last,
    formula: formula(here),
  });
  const behind = ranked
    .slice(place + 1)
    .filter(({ points }) => points < here.points)
    .toSorted((a, b) => a.points - b.points)[0];
  if (!behind) return reason;
  const isAlike = isOverrated(here) && behind.area.importance === here.area.importance;
  const but = say('{area} scores lower, but {counts} ({formula}).', {
    area: behind.area.name,
    counts: isAlike ? say('without that') : counts(behind.area.importance, say),
    formula: formula(behind),
  });
  return `${reason} ${but}`;
}
