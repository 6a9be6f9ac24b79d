/** Side length of stored pictures in pixels: more than the largest avatar needs on any screen. */
const SIDE = 512;
const QUALITY = 0.9;

/**
 * Crops a picture to a square and redraws it, which drops the camera's metadata (location, time).
 * @param area the part to keep, in pixels of the picture
 * @throws if the browser can't read the picture
 */
export async function cropPicture(
  file: Blob,
  area: { x: number; y: number; width: number; height: number },
): Promise<Blob> {
  const picture = await createImageBitmap(file);
  const canvas = document.createElement('canvas');
  canvas.width = SIDE;
  canvas.height = SIDE;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser has no canvas.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, area.x, area.y, area.width, area.height, 0, 0, SIDE, SIDE);
  picture.close();
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  // Browsers that can't encode WebP return a PNG instead, which we accept too.
  canvas.toBlob(resolve, 'image/webp', QUALITY);
  const blob = await promise;
  if (!blob) throw new Error('The picture couldn’t be drawn.');
  return blob;
}
