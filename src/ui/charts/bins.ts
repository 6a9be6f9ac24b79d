/** Distributions of values: histogram bins and quartiles. */
import { roundTicks } from './scale.ts';
import { valueText } from './values.ts';

/** A bin: `from` is inclusive, `to` exclusive (inclusive in the last one). */
export interface Bin {
  from: number;
  to: number;
  count: number;
}

/** Five figures of a distribution, in the unit of its values. */
export interface Spread {
  low: number;
  q1: number;
  median: number;
  q3: number;
  high: number;
}

/** Counts values in about `about` bins of equal, round width; empty if there are no values. */
export function binsOf(values: readonly number[], about = 8): Bin[] {
  if (values.length === 0) return [];
  const [low, high] = values.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const edges = roundTicks(low === high ? [low - 0.5, high + 0.5] : [low, high], about);
  const bins = edges.slice(1).map((to, index) => ({ from: edges[index] ?? to, to, count: 0 }));
  for (const value of values) {
    const bin = bins[placeOf(bins, value) ?? -1];
    if (bin) bin.count += 1;
  }
  return bins;
}

/** The index of the bin that contains a value; null if none does. */
export function placeOf(bins: readonly Bin[], value: number): number | null {
  const place = bins.findIndex(({ from, to }) => value >= from && value < to);
  if (place >= 0) return place;
  return bins.at(-1)?.to === value ? bins.length - 1 : null;
}

/** A bin's label: "25 to 50%". */
export function binText({ from, to }: Pick<Bin, 'from' | 'to'>, unit = ''): string {
  return `${valueText(from, unit === '$' ? '$' : '')} to ${valueText(to, unit)}`;
}

/**
 * Minimum, quartiles and maximum; null without values. Interpolated between two values like
 * PostgreSQL's `percentile_cont` (type 7 of Hyndman and Fan, 1996).
 */
export function spreadOf(values: readonly number[]): Spread | null {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => {
    const place = share * (sorted.length - 1);
    const low = sorted[Math.floor(place)] ?? 0;
    const high = sorted[Math.ceil(place)] ?? low;
    // Weighted separately: the difference of two large values of opposite sign could overflow.
    const part = place % 1;
    return part === 0 ? low : low * (1 - part) + high * part;
  };
  if (sorted.length === 0) return null;
  return { low: at(0), q1: at(0.25), median: at(0.5), q3: at(0.75), high: at(1) };
}
