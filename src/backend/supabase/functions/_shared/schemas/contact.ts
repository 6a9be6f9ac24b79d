/** What the contact form and the newsletter's accept; the same rules for page and function. */
import * as z from 'zod/mini';
import { email, fullName } from './account.ts';

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
const topics = Object.keys(TOPICS) as [Topic, ...Topic[]];

/** Agreed to by ticking the box; stored with the address word for word. */
export const CONSENT = 'Send me the newsletter, one mail a month. I can leave at any time.';

export const contactMessage = z.object({
  /** Made by the form, so that sending twice stores once. */
  id: z.uuid(),
  name: fullName,
  email,
  business: z.string().check(z.trim(), z.maxLength(120, 'Use at most 120 characters.')),
  topic: z.enum(topics, 'Choose what it is about.'),
  message: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Write what you need, in a sentence or two.'),
      z.maxLength(5000, 'Keep it to 5,000 characters.'),
    ),
  newsletter: z.boolean(),
});

export const newsletterRequest = z.object({ email });
