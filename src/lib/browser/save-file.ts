/** Milliseconds after which a browser has surely begun to read the file. */
const KEPT = 60_000;

/**
 * Starts a download of what the page made, by clicking a temporary link.
 * @param name with its extension
 */
export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT);
}
