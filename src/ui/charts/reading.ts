/** Which position of a chart is active, from the pointer's location or a key press. */

/** The position nearest the pointer. `share` is how far along the chart it is, 0 to 1 inside it. */
export function placeAt(share: number, count: number, places: 'points' | 'bands'): number | null {
  if (count === 0 || !Number.isFinite(share)) return null;
  const place = places === 'bands' ? Math.floor(share * count) : Math.round(share * (count - 1));
  return Math.min(count - 1, Math.max(0, place));
}

/**
 * The position that a key moves to; undefined for keys that don't move. Page Up and Page Down move
 * by a tenth of all positions. Along y, the down key moves to the next one.
 */
export function placeByKey(
  key: string,
  from: number | null,
  count: number,
  along: 'x' | 'y',
): number | undefined {
  if (count === 0) return undefined;
  const [up, down] = along === 'x' ? [1, -1] : [-1, 1];
  const far = Math.max(1, Math.round(count / 10));
  const steps: Record<string, number> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowUp: up,
    ArrowDown: down,
    PageUp: up * far,
    PageDown: down * far,
    Home: -count,
    End: count,
  };
  const step = steps[key];
  if (step === undefined) return undefined;
  if (from === null) return step < 0 && key !== 'Home' ? count - 1 : key === 'End' ? count - 1 : 0;
  return Math.min(count - 1, Math.max(0, from + step));
}
