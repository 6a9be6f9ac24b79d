/**
 * Hides pictures with `data-cover` that can't be loaded, now and later, so that what they cover shows.
 * One handler for the page instead of one for each picture.
 */
export function hideBrokenPictures(): void {
  const hide = (image: EventTarget | null) => {
    if (image instanceof HTMLImageElement && image.dataset.cover !== undefined) image.hidden = true;
  };
  // These events don't bubble.
  document.addEventListener('error', ({ target }) => hide(target), { capture: true });
  // Those that failed before this script ran.
  for (const image of document.images) {
    if (image.complete && image.naturalWidth === 0) hide(image);
  }
}
