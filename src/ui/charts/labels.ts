/** Which labels stand under a drawing that has more places than room. */

/** Characters for which there is room under a drawing: on a phone, and from 30 rem on. */
export const ROOM = { narrow: 32, wide: 66 };
/** Between two labels, in characters. */
const GAP = 1.5;

/**
 * Places whose labels fit side by side, evenly spaced, counted back from the last. Where not even
 * two fit they are the first and the last, which are cut.
 * @param room how many characters fit into the whole width
 * @param ends labels at the ends stand inside the drawing, as under a line; else each is centred
 */
export function placesShown(labels: readonly string[], room: number, ends = true): number[] {
  const last = labels.length - 1;
  if (last < 1) return labels.map((_, place) => place);
  const gaps = ends ? last : labels.length;
  const half = (place: number) => {
    const wide = labels[place]?.length ?? 0;
    return ends && (place === 0 || place === last) ? wide : wide / 2;
  };
  for (let step = Math.max(1, Math.floor(last / room)); step <= last; step += 1) {
    const places: number[] = [];
    for (let place = last; place >= 0; place -= step) places.unshift(place);
    const fits = places.every((place, index) => {
      const next = places[index + 1];
      return next === undefined || half(place) + half(next) + GAP <= (room * step) / gaps;
    });
    if (fits) return places;
  }
  return [0, last];
}

/** A label with an ellipsis where it is longer than its room; the table has it whole. */
export function cutLabel(label: string, most: number): string {
  return label.length <= most ? label : `${label.slice(0, most - 1).trimEnd()}…`;
}
