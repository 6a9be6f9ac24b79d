import { mkdir, readFile, writeFile } from 'node:fs/promises';

/** One measured figure. */
export interface Figure {
  what: string;
  value: number;
  unit: 'kB' | 'MB' | 's' | 'ms' | 'times' | 'points' | '';
  /** The most that it may be; undefined where nothing was promised. */
  budget?: number;
  /** The least that it must be. */
  least?: number;
}

/** What one part of the bench found out, by the heading it is printed under. */
export type Groups = Record<string, Figure[]>;

const DIGITS: Record<Figure['unit'], number> = {
  kB: 2,
  MB: 0,
  s: 1,
  ms: 1,
  times: 2,
  points: 0,
  '': 0,
};

/** Whether a figure is not what was promised. */
export const isOver = ({ value, budget, least }: Figure): boolean =>
  (budget !== undefined && value > budget) || (least !== undefined && value < least);

/** Prints rows of cells as columns; the cells of `right` columns are set to the right. */
export function printTable(title: string, rows: string[][], right: number[]): void {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const widths = (rows[0] ?? []).map((_, column) => width(column));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => {
        const wide = widths[column] ?? 0;
        return right.includes(column) ? cell.padStart(wide) : cell.padEnd(wide);
      })
      .join('  ')
      .trimEnd(),
  );
  process.stdout.write(`\n${title}\n${lines.map((line) => `  ${line}`).join('\n')}\n`);
}

const promised = ({ budget, least }: Figure) => {
  if (budget !== undefined) return `of ${budget}`;
  return least === undefined ? '' : `at least ${least}`;
};

/** Prints figures one below the other, with what is not as promised marked. */
export function print(title: string, figures: Figure[]): void {
  const rows = figures.map((figure) => [
    figure.what,
    `${figure.value.toFixed(DIGITS[figure.unit])} ${figure.unit}`,
    promised(figure),
    isOver(figure) ? 'OVER' : '',
  ]);
  printTable(title, rows, [1]);
}

const FILE = 'bench/results.json';

/** Writes the figures to bench/results.json. Unless all parts ran, the others' figures stay. */
export async function save(groups: Groups, all: boolean): Promise<void> {
  await mkdir('bench', { recursive: true });
  const before = all
    ? {}
    : await readFile(FILE, 'utf8')
        .then((text) => (JSON.parse(text) as { groups: Groups }).groups)
        .catch(() => ({}));
  const results = {
    measuredAt: new Date().toISOString(),
    node: process.version,
    groups: { ...before, ...groups },
  };
  await writeFile(FILE, `${JSON.stringify(results, null, 2)}\n`);
}

/** The figures that are not what was promised. */
export const overBudget = (groups: Groups): Figure[] => Object.values(groups).flat().filter(isOver);
