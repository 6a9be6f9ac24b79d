/** The edge cases that break charts. */

import type { Series } from '#ui/charts/LineChart.tsx';

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
