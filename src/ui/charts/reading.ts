/** Which place of a drawing is read: by where a pointer is, and by keys. */

/** The place next to a pointer. `share` is how far it is along the drawing, 0 to 1 inside of it. */
export function placeAt(share: number, count: number, places: 'points' | 'bands'): number | null {
  if (count === 0 || !Number.isFinite(share)) return null;
  const place = places === 'bands' ? Math.floor(share * count) : Math.round(share * (count - 1));
  return Math.min(count - 1, Math.max(0, place));
}

/**
 * The place to which a key leads from another; undefined of a key that leads nowhere. Larger steps
 * are a tenth of all places. Where the places are rows, the down key moves to the next one.
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
