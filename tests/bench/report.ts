import { mkdir, readFile, writeFile } from 'node:fs/promises';

/** One measured figure. */
export interface Figure {
  what: string;
  value: number;
  unit: 'kB' | 'MB' | 's' | 'ms' | 'times' | 'points' | '';
  /** The maximum; undefined if it has no budget. */
  budget?: number | undefined;
  /** The minimum. */
  least?: number;
}

/** Figures by heading. */
export type Groups = Record<string, Figure[]>;

export const figure = (
  what: string,
  value: number,
  unit: Figure['unit'] = '',
  budget?: number,
): Figure => ({ what, value, unit, budget });

/** A count that must be 0. */
export const none = (what: string, count: number): Figure => figure(what, count, '', 0);

/** The percentile of some values, as a share from 0 to 1. */
export const below = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ] ?? 0;
export const median = (values: number[]): number => below(values, 0.5);

/** The median and 95th percentile of times in ms; the budget is for the latter. */
export const spread = (what: string, values: number[], budget?: number): Figure[] => [
  figure(`${what}, median`, median(values), 'ms'),
  figure(`${what}, 95 of 100`, below(values, 0.95), 'ms', budget),
];

const DIGITS: Partial<Record<Figure['unit'], number>> = { kB: 2, s: 1, ms: 1, times: 2 };

/** Whether a figure misses its budget or minimum. */
export const isOver = ({ value, budget, least }: Figure): boolean =>
  (budget !== undefined && value > budget) || (least !== undefined && value < least);

/** Prints rows as a table; columns whose index is in `right` are right-aligned. */
export function printTable(title: string, rows: string[][], right: number[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) => {
    const cells = row.map((cell, column) =>
      right.includes(column)
        ? cell.padStart(widths[column] ?? 0)
        : cell.padEnd(widths[column] ?? 0),
    );
    return `  ${cells.join('  ').trimEnd()}`;
  });
  process.stdout.write(`\n${title}\n${lines.join('\n')}\n`);
}

const promised = ({ budget, least }: Figure) => {
  if (budget !== undefined) return `of ${budget}`;
  return least === undefined ? '' : `at least ${least}`;
};

/** Prints figures, one per line, and marks those that miss their budget. */
export function print(title: string, figures: Figure[]): void {
  const rows = figures.map((each) => [
    each.what,
    `${each.value.toFixed(DIGITS[each.unit] ?? 0)} ${each.unit}`,
    promised(each),
    isOver(each) ? 'OVER' : '',
  ]);
  printTable(title, rows, [1]);
}

const FILE = 'bench/results.json';

/** Writes the figures to bench/results.json with those of parts that didn't run; returns them all. */
export async function save(groups: Groups, all: boolean): Promise<Groups> {
  await mkdir('bench', { recursive: true });
  const before = all
    ? {}
    : await readFile(FILE, 'utf8').then(
        (text) => (JSON.parse(text) as { groups: Groups }).groups,
        () => ({}),
      );
  const results = {
    measuredAt: new Date().toISOString(),
    node: process.version,
    groups: { ...before, ...groups },
  };
  await writeFile(FILE, `${JSON.stringify(results, null, 2)}\n`);
  return results.groups;
}
