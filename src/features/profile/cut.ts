/** Side of a stored picture in pixels: an avatar at its largest, on the sharpest screens, with room. */
const SIDE = 512;
const QUALITY = 0.9;

/**
 * Cuts a square out of a picture and draws it anew: what a camera wrote into the file (place, time)
 * stays here.
 * @param area in pixels of the picture
 * @throws when the browser cannot read the picture
 */
export async function cut(
  file: Blob,
  area: { x: number; y: number; width: number; height: number },
): Promise<Blob> {
  const picture = await createImageBitmap(file);
  const canvas = document.createElement('canvas');
  canvas.width = SIDE;
  canvas.height = SIDE;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser draws nothing.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, area.x, area.y, area.width, area.height, 0, 0, SIDE, SIDE);
  picture.close();
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  // A browser that makes no WebP gives a PNG instead, which is taken too.
  canvas.toBlob(resolve, 'image/webp', QUALITY);
  const made = await promise;
  if (!made) throw new Error('The picture could not be drawn.');
  return made;
}
