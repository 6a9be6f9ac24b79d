import sharp from 'sharp';

/** How high a gap between two lines is at least, in pixels. */
const GAP = 14;
/** Pixels this close are of one color: browsers round differently. */
const CLOSE = 6;

/**
 * Where a picture can be cut without cutting a line of text: the middle of the lowest gap above a row.
 * @param picture a picture that `sharp` reads
 * @param most the row that it may have at most
 * @returns the picture's new height in pixels; `most` if there's no gap
 */
export async function findGap(picture: Buffer, most: number): Promise<number> {
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, channels } = info;
  // Without the card's border.
  const [from, to] = [Math.round(width * 0.05), Math.round(width * 0.95)];
  const isEmpty = (row: number) => {
    const start = (row * width + from) * channels;
    for (let at = start; at < (row * width + to) * channels; at += 1) {
      const first = data[start + ((at - start) % channels)] ?? 0;
      if (Math.abs((data[at] ?? 0) - first) > CLOSE) return false;
    }
    return true;
  };
  let end = Math.min(most, info.height);
  for (let row = end - 1; row >= 0; row -= 1) {
    if (!isEmpty(row)) end = row;
    else if (end - row >= GAP) return row + GAP / 2;
  }
  return most;
}
