/** The lowest and the highest of some values, with 0 between or at an end, and never the same. */
export function extent(values: readonly (number | null)[]): [low: number, high: number] {
  const known = values.filter((value) => value !== null);
  const low = Math.min(0, ...known);
  const high = Math.max(0, ...known);
  return low === high ? [0, 1] : [low, high];
}
