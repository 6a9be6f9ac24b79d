/** The time that a browser has to read the head of a video, in milliseconds. */
const PATIENCE_MS = 5_000;

/** How many seconds a video takes; null if the browser can't tell, or can't play it. */
export async function videoLength(file: Blob): Promise<number | null> {
  const address = URL.createObjectURL(file);
  const video = document.createElement('video');
  video.preload = 'metadata';
  const known = new Promise<void>((resolve) => {
    for (const event of ['loadedmetadata', 'error']) {
      video.addEventListener(event, () => resolve(), { once: true });
    }
    setTimeout(resolve, PATIENCE_MS);
  });
  video.src = address;
  await known;
  const { duration } = video;
  video.removeAttribute('src');
  URL.revokeObjectURL(address);
  return Number.isFinite(duration) && duration > 0 ? Math.round(duration * 1000) / 1000 : null;
}
