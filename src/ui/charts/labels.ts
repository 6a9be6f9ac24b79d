/** Chooses which labels to show under a chart that doesn't have room for all of them. */

/** How many characters fit under a chart: on a phone, and from 34 rem on. */
export const ROOM = { narrow: 28, wide: 66 };
/** Minimum space between two labels, in characters. */
const GAP = 1.5;
/** The same between labels at times, which are longer than a month's name and would read as one. */
const TIME_GAP = 3;

export interface PlacedLabel {
  place: number;
  /** Its position as a share of the width, and which part of the text is aligned there. */
  share: number;
  anchor: 'start' | 'middle' | 'end';
  /** The label, truncated with an ellipsis if it doesn't fit; the table has it in full. */
  text: string;
}

const cut = (label: string, most: number) =>
  label.length <= most ? label : `${label.slice(0, Math.floor(most) - 1).trimEnd()}…`;

/** Scales ascending numbers, such as times, to positions from 0 (the first) to 1 (the last). */
export function sharesOf(at: readonly number[]): number[] {
  const [first = 0, last = 0] = [at[0], at.at(-1)];
  return at.map((each) => (last === first ? 0.5 : (each - first) / (last - first)));
}

/**
 * Picks labels that fit side by side, evenly spaced, counting back from the last. If not even two
 * fit, it returns the first and the last, truncated. No label extends beyond the chart.
 * @param room how many characters fit in the full width
 * @param places points from edge to edge, or bands side by side
 * @param shares each point's position, 0 to 1, if they aren't evenly spaced: then the last label, the
 * first if there's room, and as many as fit in between, counting back from the last
 */
export function labelsThatFit(
  labels: readonly string[],
  room: number,
  places: 'points' | 'bands',
  shares?: readonly number[],
): PlacedLabel[] {
  const last = labels.length - 1;

  function stand(place: number, most: number): PlacedLabel {
    const text = cut(labels[place] ?? '', most);
    const even = places === 'bands' || last === 0 ? (place + 0.5) / (last + 1) : place / last;
    const share = shares?.[place] ?? even;
    const half = text.length / 2 / room;
    if (share - half < 0) return { place, text, share: 0, anchor: 'start' };
    if (share + half > 1) return { place, text, share: 1, anchor: 'end' };
    return { place, text, share, anchor: 'middle' };
  }
  const from = ({ share, anchor, text }: PlacedLabel) =>
    share * room - { start: 0, middle: text.length / 2, end: text.length }[anchor];
  const to = (label: PlacedLabel) => from(label) + label.text.length;

  if (last < 1) return labels.map((_, place) => stand(place, room));
  if (shares) {
    const [first, end] = [stand(0, room), stand(last, room)];
    const isClear = (label: PlacedLabel, next: PlacedLabel | undefined) =>
      next !== undefined && to(label) + TIME_GAP <= from(next);
    // Where the chart begins and ends comes before what's in between.
    const hasFirst = isClear(first, end);
    const standing = [end];
    for (let place = last - 1; place >= 1; place -= 1) {
      const label = stand(place, room);
      if (isClear(label, standing[0]) && (!hasFirst || isClear(first, label))) {
        standing.unshift(label);
      }
    }
    if (hasFirst) standing.unshift(first);
    return standing;
  }
  for (let step = Math.max(1, Math.floor(last / room)); step <= last; step += 1) {
    const standing: PlacedLabel[] = [];
    for (let place = last; place >= 0; place -= step) {
      standing.unshift(stand(place, Number.POSITIVE_INFINITY));
    }
    const fits = standing.every((label, index) => {
      const next = standing[index + 1];
      const within = from(label) >= 0 && to(label) <= room;
      return within && (next === undefined || to(label) + GAP <= from(next));
    });
    if (fits && standing.length > 1) return standing;
  }
  const half = (room - GAP) / 2;
  return [0, last].map((place) => ({
    ...stand(place, half),
    share: place === 0 ? 0 : 1,
    anchor: place === 0 ? ('start' as const) : ('end' as const),
  }));
}
