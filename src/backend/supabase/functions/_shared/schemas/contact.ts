/** What the contact and newsletter forms accept; the page and the function share these rules. */
import * as v from 'valibot';
import { email, fullName } from './account.ts';
import { textUpTo } from './fields.ts';

/** The topics people write about, with their labels in the form. */
export const TOPICS = {
  coaching: 'Coaching',
  pricing: 'Pricing and buying',
  event: 'An event',
  press: 'Press',
  accessibility: 'Accessibility',
  privacy: 'My data',
  general: 'Something else',
} as const;

export type Topic = keyof typeof TOPICS;
const topics = Object.keys(TOPICS) as Topic[];

/** What people agree to by checking the box; it's stored word for word with the address. */
export const CONSENT = 'Send me the newsletter, at most once a month. I can unsubscribe anytime.';

/** What people agree to by subscribing on the newsletter's page; stored the same way. */
export const SUBSCRIBING =
  'We’ll email you the newsletter at most once a month. You can unsubscribe anytime.';

export const contactMessage = v.object({
  /** Created by the form, so that sending it twice stores it once. */
  id: v.pipe(v.string(), v.uuid()),
  name: fullName,
  email,
  business: textUpTo(120),
  topic: v.picklist(topics, 'Choose a topic.'),
  message: v.pipe(
    textUpTo(5000, 'Keep it to 5,000 characters.'),
    v.minLength(1, 'Tell us what you need, in a sentence or two.'),
  ),
  newsletter: v.boolean(),
});

export const newsletterRequest = v.object({ email });
