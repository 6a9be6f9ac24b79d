/** The current business of this browser: a cookie, so that the first paint of a page is right. */
import { BUSINESS_COOKIE } from '../session/session-facts.ts';
import { writeCookie } from './browser/write-cookie.ts';

const SECONDS = 400 * 24 * 60 * 60;

/** Remembers a business; takes effect with the next page. An id that is not theirs is ignored there. */
export function chooseBusiness(id: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  writeCookie(
    `${BUSINESS_COOKIE}=${encodeURIComponent(id)}; Path=/; Max-Age=${SECONDS}; SameSite=Lax${secure}`,
  );
}
