/** The current business of this browser: a cookie, so that the first paint of a page is right. */
import { BUSINESS_COOKIE } from './session-facts.ts';

const SECONDS = 400 * 24 * 60 * 60;

/** Remembers a business; takes effect with the next page. An id that is not theirs is ignored there. */
export function chooseBusiness(id: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: Safari and Firefox have no cookieStore yet
  document.cookie = `${BUSINESS_COOKIE}=${encodeURIComponent(id)}; Path=/; Max-Age=${SECONDS}; SameSite=Lax${secure}`;
}
