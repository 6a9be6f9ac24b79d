import { expect, test } from 'vitest';
import type { Benchmark } from '#data/skills.ts';
import { benchmarkSentence } from '#features/skills/benchmark.ts';

/** A comparison of areas, each with the middle score and the owner's own. */
function compared(areas: Record<string, [middle: number, own: number | null]>) {
  const rows = Object.entries(areas).map(([area_key, [middle]]) => ({
    area_key,
    middle,
    lower: middle - 10,
    upper: middle + 10,
  })) satisfies Benchmark['areas'];
  const own = Object.entries(areas).map(([key, [, score]]) => ({ key, label: key, score }));
  return benchmarkSentence(rows, own);
}

test.each([
  [
    'above, at and below',
    { Web: [50, 60.4], Sales: [50, 50.4], Planning: [50, 40], People: [50, 20] },
    'You score above the middle in one of four areas. Right at the middle: sales. Below: planning and people.',
  ],
  ['all above', { Web: [50, 60], Sales: [50, 51] }, 'You score above the middle in all two areas.'],
  [
    'none above',
    { Web: [50, 40], Sales: [50, null] },
    'You don’t score above the middle in any area yet. Below: web.',
  ],
  ['no scores', { Web: [50, null] }, 'Your latest quiz has no scores to compare.'],
] satisfies [string, Record<string, [number, number | null]>, string][])(
  'A comparison in a sentence: %s',
  (_, areas, sentence) => expect(compared(areas)).toBe(sentence),
);
