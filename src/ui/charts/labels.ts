/** Which labels stand under a drawing that has more places than room. */

/** Characters for which there is room under a drawing: on a phone, and from 30 rem on. */
export const ROOM = { narrow: 30, wide: 62 };

/**
 * Places whose labels fit side by side, spread evenly, the first and the last among them.
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
  for (let count = Math.min(labels.length, room); count > 2; count -= 1) {
    const places = Array.from({ length: count }, (_, index) =>
      Math.round((index * last) / (count - 1)),
    );
    const fits = places.every((place, index) => {
      const next = places[index + 1];
      return next === undefined || half(place) + half(next) + 1 <= (room * (next - place)) / gaps;
    });
    if (fits) return places;
  }
  return [0, last];
}

/** A label with an ellipsis where it is longer than its room; the table has it whole. */
export function cutLabel(label: string, most: number): string {
  return label.length <= most ? label : `${label.slice(0, most - 1).trimEnd()}…`;
}
