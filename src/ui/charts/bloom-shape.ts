/** The geometry of the bloom chart, shared by the page and the PDF. */

/** Radii of the flower and its center, in viewBox units. */
export const EDGE = 118;
export const CENTER = 13;
export const RINGS = [25, 50, 75, 100];

/** How far from the center a score reaches, in viewBox units. */
export const reach = (score: number) => CENTER + ((EDGE - CENTER) * score) / 100;
/** Rounds to a tenth, for short paths. */
export const short = (value: number) => Math.round(value * 10) / 10;

/** The path of a petal that points upward, widest beyond its middle. */
export function petalPath(score: number): string {
  const tip = reach(Math.max(score, 5));
  const length = tip - CENTER;
  const wide = 5 + length * 0.19;
  const low = short(-(CENTER + length * 0.3));
  const high = short(-(CENTER + length * 0.72));
  const w = short(wide);
  return `M0-${CENTER}C${w} ${low} ${short(wide * 0.92)} ${high} 0 ${short(-tip)}C${short(-wide * 0.92)} ${high} ${-w} ${low} 0-${CENTER}Z`;
}
