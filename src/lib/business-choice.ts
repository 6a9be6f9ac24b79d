/** This browser's current business, in a cookie so that the server can render the right one. */
import { BUSINESS_COOKIE } from '../session/session-facts.ts';
import { writeCookie } from './browser/write-cookie.ts';

const SECONDS = 400 * 24 * 60 * 60;

/** Remembers a business, from the next page on. The server ignores an id that isn't theirs. */
export function chooseBusiness(id: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  writeCookie(
    `${BUSINESS_COOKIE}=${encodeURIComponent(id)}; Path=/; Max-Age=${SECONDS}; SameSite=Lax${secure}`,
  );
}
