/** What the contact form and the newsletter's accept; the same rules for page and function. */
import * as v from 'valibot';
import { email, fullName } from './account.ts';
import { textUpTo } from './fields.ts';

/** What somebody writes about, and how the form calls it. */
export const TOPICS = {
  general: 'Something else',
  coaching: 'Coaching',
  pricing: 'Prices and buying',
  event: 'An event',
  press: 'Press',
  accessibility: 'A barrier on this site',
  privacy: 'My data',
} as const;

export type Topic = keyof typeof TOPICS;
const topics = Object.keys(TOPICS) as Topic[];

/** Agreed to by ticking the box; stored with the address word for word. */
export const CONSENT = 'Send me the newsletter, one mail a month. I can leave at any time.';

export const contactMessage = v.object({
  /** Made by the form, so that sending twice stores once. */
  id: v.pipe(v.string(), v.uuid()),
  name: fullName,
  email,
  business: textUpTo(120),
  topic: v.picklist(topics, 'Choose what it is about.'),
  message: v.pipe(
    textUpTo(5000, 'Keep it to 5,000 characters.'),
    v.minLength(1, 'Write what you need, in a sentence or two.'),
  ),
  newsletter: v.boolean(),
});

export const newsletterRequest = v.object({ email });
