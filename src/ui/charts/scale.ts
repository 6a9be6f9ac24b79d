/** Scales of axes. d3-scale would bring along colors and number formats, which are larger. */
import { nice, ticks } from 'd3-array';

/** About `about` round, evenly spaced ticks that cover a domain, lowest first. */
export function roundTicks([low, high]: readonly [low: number, high: number], about: number) {
  const [from, to] = nice(low, high, about);
  return ticks(from, to, about);
}

/** Maps the axis of some ticks, highest first, to a height: the lowest tick is at the bottom. */
export function heightScale(ticks: readonly number[], height: number): (value: number) => number {
  const [low, high] = [ticks.at(-1) ?? 0, ticks[0] ?? 1];
  return (value) => (low === high ? height / 2 : (height * (high - value)) / (high - low));
}
