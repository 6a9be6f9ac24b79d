/** Data for the charts of skills: made up but plausible. */

import { levelOf } from '#domain/level.ts';
import type { BoxRow } from '#ui/charts/BoxChart.tsx';
import { binsOf, spreadOf } from '#ui/charts/bins.ts';
import type { SkillScore } from '#ui/charts/levels.ts';

const skill = (
  key: string,
  label: string,
  short_label: string,
  score: number | null,
): SkillScore => ({
  key,
  label,
  short_label,
  score,
  level: score === null ? null : levelOf(score),
});

export const petals: SkillScore[] = [
  skill('web-design', 'Web design', 'Web', 62.5),
  skill('custom-research', 'Customer research', 'Research', 31.25),
  skill('growth-strategy', 'Growth strategy', 'Growth', 56.25),
  skill('sales-marketing', 'Sales and marketing', 'Sales', 78.125),
  skill('business-planning', 'Business planning', 'Planning', 45),
  skill('people-management', 'People management', 'People', 21.9),
  skill('financial-projection', 'Financial projection', 'Finance', 43.75),
  skill('operations-workflows', 'Operations and workflows', 'Operations', null),
];

export const earlier = [40, 31.25, 50, 62.5, 20, 25, 30, null].map((score, index) => ({
  key: petals[index]?.key ?? '',
  score,
}));

/** The confidence in each area, from 0 to 100. */
export const confidence = [75, 50, 50, 50, 75, 0, 25, 50];

/** Two areas' scores at each attempt; one had too few answers in the second attempt. */
export const attempts = {
  labels: ['Nov 2024', 'Mar 2025', 'Jul 2025', 'Jan 2026', 'Jun 2026', 'Nov 2026'],
  series: [
    { name: 'Sales and marketing', values: [37.5, 50, 62.5, 62.5, 75, 78.125] },
    { name: 'Business planning', values: [20, null, 31.25, 37.5, 40, 45] },
  ],
};

/** Overall scores of businesses in one industry and stage. */
const peers = [
  12, 18, 22, 24, 27, 29, 31, 33, 34, 36, 38, 38, 41, 42, 44, 45, 45, 47, 49, 51, 52, 54, 56, 58,
  61, 63, 66, 71, 78, 86,
];

export const OWN = 52.4;
export const peerBins = binsOf(peers, 10);

const spread = (shift: number) => spreadOf(peers.map((score) => Math.min(100, score + shift)));
export const benchmark: BoxRow[] = petals.map(({ label, score }, index) => ({
  label,
  own: score,
  // For the seventh skill, too few businesses have a score.
  spread: index === 6 ? null : spread([8, -4, 0, 6, -6, 2, 0, 12][index] ?? 0),
}));
