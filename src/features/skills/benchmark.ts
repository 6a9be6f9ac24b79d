/** What a comparison with similar businesses says. */
import type { Benchmark, StandingArea } from '#data/skills.ts';
import { numberText } from '#lib/locale/numbers.ts';
import { listed } from './comparison.ts';

type Score = Pick<StandingArea, 'key' | 'label' | 'score'>;

/** The areas with a score, divided by how it compares with the middle score, as both are shown. */
function divided(rows: Benchmark['areas'], scores: readonly Score[]) {
  const scored = rows.flatMap(({ area_key, middle }) => {
    const own = scores.find(({ key }) => key === area_key);
    if (!own || own.score === null) return [];
    return [{ name: own.label.toLowerCase(), difference: Math.round(own.score) - middle }];
  });
  const named = (fits: (difference: number) => boolean) =>
    scored.filter(({ difference }) => fits(difference)).map(({ name }) => name);
  return {
    above: named((difference) => difference > 0),
    even: named((difference) => difference === 0),
    below: named((difference) => difference < 0),
    count: scored.length,
  };
}

/** Says where the scores are above, at and below the middle of similar businesses. */
export function benchmarkSentence(rows: Benchmark['areas'], scores: readonly Score[]): string {
  const { above, even, below, count } = divided(rows, scores);
  if (count === 0) return 'Your latest quiz has no scores to compare.';
  const all = numberText(count);
  if (above.length === count) return `You score above the middle in all ${all} areas.`;
  const sentences = [
    above.length > 0
      ? `You score above the middle in ${numberText(above.length)} of ${all} areas.`
      : 'You don’t score above the middle in any area yet.',
    even.length > 0 && `Right at the middle: ${listed(even)}.`,
    below.length > 0 && `Below: ${listed(below)}.`,
  ];
  return sentences.filter(Boolean).join(' ');
}
