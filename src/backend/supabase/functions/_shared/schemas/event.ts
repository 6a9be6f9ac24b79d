/** What the form for a place at an event accepts; the page and the function share these rules. */
import * as v from 'valibot';
import { email, fullName } from './account.ts';
import { textUpTo } from './fields.ts';

export const WISH_LENGTH = 500;

export const eventSignup = v.object({
  /** The event's file name. */
  event: v.pipe(v.string(), v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)),
  /** Which of its dates, if it repeats: YYYY-MM; otherwise empty. */
  occasion: v.pipe(v.string(), v.regex(/^(\d{4}-\d{2})?$/, 'Choose a date.')),
  name: fullName,
  email,
  wish: textUpTo(WISH_LENGTH, `Keep it to ${WISH_LENGTH} characters.`),
});
