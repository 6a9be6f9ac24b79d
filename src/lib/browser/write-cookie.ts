/**
 * Writes a cookie of this page, and returns when the next request will carry it. Chromium only sends
 * the writing off, and a page that is asked for at once may overtake it (13 of 1,990 times on a busy
 * machine with Chromium 153); reading waits for what was written before.
 * @param line as after `Set-Cookie:`
 */
export function writeCookie(line: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: Safari and Firefox have not had cookieStore for long
  document.cookie = line;
  void document.cookie;
}
