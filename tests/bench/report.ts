import { mkdir, writeFile } from 'node:fs/promises';

/** One measured figure. */
export interface Figure {
  what: string;
  value: number;
  unit: 'kB' | 's' | 'ms' | 'requests';
  /** The most that it may be; undefined where nothing was promised. */
  budget?: number;
}

const width = (rows: string[][], column: number) =>
  Math.max(...rows.map((row) => row[column]?.length ?? 0));

/** Prints figures as a table, with what is over its budget marked. */
export function print(title: string, figures: Figure[]): void {
  const rows = figures.map(({ what, value, unit, budget }) => [
    what,
    `${value.toFixed(unit === 'ms' || unit === 'requests' ? 0 : 2)} ${unit}`,
    budget === undefined ? '' : `of ${budget}`,
    budget !== undefined && value > budget ? 'OVER' : '',
  ]);
  const lines = rows.map((row) =>
    row
      .map((cell, column) =>
        column === 1 ? cell.padStart(width(rows, column)) : cell.padEnd(width(rows, column)),
      )
      .join('  ')
      .trimEnd(),
  );
  process.stdout.write(`\n${title}\n${lines.map((line) => `  ${line}`).join('\n')}\n`);
}

/** Writes every figure to bench/results.json in the working folder. */
export async function save(groups: Record<string, Figure[]>): Promise<void> {
  await mkdir('bench', { recursive: true });
  const results = { measuredAt: new Date().toISOString(), node: process.version, groups };
  await writeFile('bench/results.json', `${JSON.stringify(results, null, 2)}\n`);
}

/** The figures that are over their budget. */
export function overBudget(groups: Record<string, Figure[]>): Figure[] {
  return Object.values(groups)
    .flat()
    .filter(({ value, budget }) => budget !== undefined && value > budget);
}
