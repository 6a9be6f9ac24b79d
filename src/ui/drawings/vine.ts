/** Geometry of a vine: a smooth stem through given points, and leaves that grow from it. */
import type { LeafTone } from './parts.tsx';

export type Point = [x: number, y: number];

export interface LeafSpec {
  /** Where along the stem: 1.5 is halfway between the second point and the third. */
  at: number;
  side: 'left' | 'right';
  size: number;
  tone: LeafTone;
}

export interface PlacedLeaf {
  x: number;
  y: number;
  turn: number;
  size: number;
  tone: LeafTone;
  flip: boolean;
}

const round = Math.round;
const whole = (points: Point[]) => points.flat().map(round).join(' ');

/** The four points of the Bézier piece that starts at point `i` (Catmull–Rom, uniform). */
function piece(points: Point[], i: number): [Point, Point, Point, Point] {
  const at = (n: number) => points[Math.min(Math.max(n, 0), points.length - 1)] as Point;
  const [p0, p1, p2, p3] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
  return [
    p1,
    [p1[0] + (p2[0] - p0[0]) / 6, p1[1] + (p2[1] - p0[1]) / 6],
    [p2[0] - (p3[0] - p1[0]) / 6, p2[1] - (p3[1] - p1[1]) / 6],
    p2,
  ];
}

/** The point of the stem at `at`, and the direction in which it grows there (degrees). */
export function along(points: Point[], at: number): { x: number; y: number; turn: number } {
  const i = Math.min(Math.floor(at), points.length - 2);
  const t = at - i;
  const [a, b, c, d] = piece(points, i);
  const on = (k: 0 | 1) =>
    (1 - t) ** 3 * a[k] + 3 * (1 - t) ** 2 * t * b[k] + 3 * (1 - t) * t ** 2 * c[k] + t ** 3 * d[k];
  const slope = (k: 0 | 1) =>
    3 * (1 - t) ** 2 * (b[k] - a[k]) + 6 * (1 - t) * t * (c[k] - b[k]) + 3 * t ** 2 * (d[k] - c[k]);
  return { x: on(0), y: on(1), turn: (Math.atan2(slope(1), slope(0)) * 180) / Math.PI };
}

/** The stem as an SVG path, in whole units. Each piece continues smoothly from the last one (S). */
export function stem(points: Point[]): string {
  const start = points[0] as Point;
  let d = `M${start.join(' ')}`;
  for (let i = 0; i < points.length - 1; i += 1) {
    const [, b, c, e] = piece(points, i);
    d += i === 0 ? `C${whole([b, c, e])}` : `S${whole([c, e])}`;
  }
  return d;
}

/** Where a stem that grows upwards crosses the height `y`; null where it does not reach it. */
export function crossing(points: Point[], y: number): { x: number; turn: number } | null {
  let [low, high] = [0, points.length - 1];
  if (along(points, low).y < y || along(points, high).y > y) return null;
  for (let step = 0; step < 20; step += 1) {
    const middle = (low + high) / 2;
    if (along(points, middle).y > y) low = middle;
    else high = middle;
  }
  const { x, turn } = along(points, low);
  return { x: round(x), turn };
}

/** Places leaves on a stem, leaning 52 degrees away from the direction in which it grows. */
export function leavesOn(points: Point[], leaves: LeafSpec[]): PlacedLeaf[] {
  return leaves.map(({ at, side, size, tone }) => {
    const { x, y, turn } = along(points, at);
    const lean = side === 'left' ? -52 : 52;
    return {
      x: round(x),
      y: round(y),
      // Steps of five degrees: no eye sees less, and the page is smaller.
      turn: round((turn + lean) / 5) * 5,
      size,
      tone,
      flip: side === 'right',
    };
  });
}
