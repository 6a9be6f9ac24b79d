/**
 * Writes a cookie and returns once the next request is sure to carry it. Chromium writes cookies
 * asynchronously, so a request sent right away may overtake the write (13 of 1,990 times on a busy
 * machine with Chromium 153). Reading the cookie waits for pending writes.
 * @param line in the format of a `Set-Cookie` header
 */
export function writeCookie(line: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: Safari and Firefox have not had cookieStore for long
  document.cookie = line;
  void document.cookie;
}
