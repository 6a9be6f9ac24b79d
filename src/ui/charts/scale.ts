/** Scales of axes. */

/** The distance of ticks: 1, 2 or 5 times a power of ten, whichever is closest by ratio. */
function roundStep(low: number, high: number, about: number): number {
  const step = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(step));
  const part = step / power;
  if (part >= Math.sqrt(50)) return 10 * power;
  if (part >= Math.sqrt(10)) return 5 * power;
  return part >= Math.SQRT2 ? 2 * power : power;
}

const SLACK = 1e-9;

/** About `about` round, evenly spaced ticks that cover a domain, lowest first. */
export function roundTicks(
  [low, high]: readonly [low: number, high: number],
  about: number,
): number[] {
  if (low === high) return [low];
  const step = roundStep(low, high, about);
  // Three times 0.1 is 0.30000000000000004, but three tenths are 0.3.
  const parts = step < 1 ? Math.round(1 / step) : null;
  const at = (place: number) => (parts ? place / parts : place * step);
  const placeOf = (value: number) => (parts ? value * parts : value / step);
  // A hundred times 0.07 is 7.000000000000001.
  const [from, to] = [Math.floor(placeOf(low) + SLACK), Math.ceil(placeOf(high) - SLACK)];
  const [first, last] = [at(from), at(to)];
  // What the ticks cover may be enough more for a larger step.
  if (roundStep(first, last, about) > step) return roundTicks([first, last], about);
  return Array.from({ length: to - from + 1 }, (_, place) => at(from + place));
}

/** Maps the axis of some ticks, highest first, to a height: the lowest tick is at the bottom. */
export function heightScale(ticks: readonly number[], height: number): (value: number) => number {
  const [low, high] = [ticks.at(-1) ?? 0, ticks[0] ?? 1];
  return (value) => (low === high ? height / 2 : (height * (high - value)) / (high - low));
}
