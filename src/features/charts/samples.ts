/** Data for the charts page: made up but plausible, plus the edge cases that break charts. */

import { levelOf } from '#domain/level.ts';
import type { BoxRow } from '#ui/charts/BoxChart.tsx';
import { binsOf, spreadOf } from '#ui/charts/bins.ts';
import type { Series } from '#ui/charts/LineChart.tsx';
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

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export const cash = {
  labels: months,
  series: [
    {
      name: 'In the bank',
      values: [8200, 6900, 4100, 1250, -600, 900, 2400, 5100, 7400, 6800, 9100, 12400],
    },
    {
      name: 'Forecast',
      values: [8000, 7200, 6000, 4500, 3100, 3000, 3900, 5600, 7000, 8200, 9600, 11800],
    },
  ],
};

export const profit = {
  labels: months,
  values: [1200, 400, -1900, -850, 300, 1450, 2100, null, 2600, 1750, 2900, 4100],
};

/** Two areas' scores at each attempt; one had too few answers in the second attempt. */
export const attempts = {
  labels: ['Nov 2024', 'Mar 2025', 'Jul 2025', 'Jan 2026', 'Jun 2026', 'Nov 2026'],
  series: [
    { name: 'Sales and marketing', values: [37.5, 50, 62.5, 62.5, 75, 78.125] },
    { name: 'Business planning', values: [20, null, 31.25, 37.5, 40, 45] },
  ],
};

export const revenue = {
  labels: ['2021', '2022', '2023', '2024', '2025', '2026'],
  series: [{ name: 'Revenue', values: [186000, 204500, 231000, 228400, 262000, 301500] }],
};

export const answers = {
  labels: ['I always knew my next step', 'My coach came prepared', 'I would come back'],
  series: [
    { name: '1, not at all', values: [2, 0, 1] },
    { name: '2', values: [4, 1, 2] },
    { name: '3', values: [9, 4, 5] },
    { name: '4', values: [18, 21, 12] },
    { name: '5, completely', values: [11, 18, 24] },
  ],
};

export const channels = {
  labels: ['Spring', 'Summer', 'Fall', 'Winter'],
  series: [
    { name: 'Walk-in', values: [4200, 6100, 5200, 3100] },
    { name: 'Orders', values: [2600, 2900, 3800, 5400] },
    { name: 'Markets', values: [1800, 3900, 2100, null] },
  ],
};

export const hours = [
  { label: 'Kitchen', value: 8.76 },
  { label: 'Measure and fit', value: 45.82 },
  { label: 'Repairs', value: -3.5 },
  { label: 'Advice by phone', value: null },
];

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

/** More points than a phone has pixels: a daily balance over three years, not randomized. */
const days = Array.from({ length: 1_095 }, (_, day) => day);
const daily = {
  labels: days.map((day) => `Day ${day + 1}`),
  series: [
    {
      name: 'Balance',
      values: days.map((day) =>
        Math.round(9_000 + day * 4 + 5_200 * Math.sin(day / 58) + 900 * Math.sin(day * 1.7)),
      ),
    },
  ],
};

export interface EdgeCase {
  title: string;
  labels: string[];
  series: Series[];
  unit?: string;
}

const one = (
  title: string,
  labels: string[],
  values: (number | null)[],
  unit?: string,
): EdgeCase => ({
  title,
  labels,
  series: [{ name: 'Sales', values }],
  ...(unit && { unit }),
});

/** Each is shown as a line chart and as a column chart. */
export const edges: EdgeCase[] = [
  one('No figures', [], []),
  one('Unknown figures', ['May', 'June'], [null, null]),
  one('One figure', ['May'], [420], '$'),
  one('All zeros', ['May', 'June', 'July'], [0, 0, 0], '$'),
  one('All below zero', ['May', 'June', 'July', 'August'], [-3200, -150, -980, -2100], '$'),
  one(
    'Very large next to very small',
    ['2023', '2024', '2025', '2026'],
    [0.5, 984_000_000_000, 12, 410_000_000_000],
    '$',
  ),
  one(
    'Long labels',
    [
      'The three months before the opening',
      'The first summer, with one person in the shop',
      'Winter, when the street was closed for repairs',
    ],
    [12.25, 40, 33.5],
    '%',
  ),
  { title: 'More than a thousand figures', ...daily, unit: '$' },
];
