/** Contacts as admins see them: the list's filters, and what sources, states and consent are called. */
import { choiceParam, type FilterOf, filterCodec, placeParam, textParam } from './list.ts';

export const CONTACT_SOURCES = ['wrote', 'newsletter', 'registered', 'imported'] as const;
export type ContactSource = (typeof CONTACT_SOURCES)[number];

export const SOURCE_LABELS: Record<ContactSource, string> = {
  wrote: 'Contact form',
  newsletter: 'Newsletter',
  registered: 'Account',
  imported: 'Import',
};

/** Consent to the newsletter. */
export const CONSENTS = ['none', 'pending', 'subscribed', 'left', 'bounced'] as const;
export type Consent = (typeof CONSENTS)[number];

export const CONSENT_LABELS: Record<Consent, string> = {
  none: 'Not subscribed',
  pending: 'Not confirmed yet',
  subscribed: 'Subscribed',
  left: 'Unsubscribed',
  bounced: 'Email bounced',
};

export const CONTACT_STATES = [
  'waiting',
  'registered',
  'subscribed',
  'unsubscribed',
  'bounced',
  'answered',
  'unconfirmed',
  'imported',
  'inactive',
] as const;
export type ContactState = (typeof CONTACT_STATES)[number];

export const CONTACT_STATE_LABELS: Record<ContactState, string> = {
  waiting: 'Waiting for an answer',
  registered: 'Registered',
  subscribed: 'Subscribed',
  unsubscribed: 'Unsubscribed',
  bounced: 'Email bounced',
  answered: 'Answered',
  unconfirmed: 'Newsletter not confirmed',
  imported: 'Imported',
  inactive: 'Nothing open',
};

/** What became of a message from the contact form; null while it waits. */
export const MESSAGE_OUTCOMES = ['replied', 'elsewhere', 'not-needed'] as const;
export type MessageOutcome = (typeof MESSAGE_OUTCOMES)[number];

export const MESSAGE_OUTCOME_LABELS: Record<MessageOutcome, string> = {
  replied: 'Answered by email',
  elsewhere: 'Answered elsewhere',
  'not-needed': 'No answer needed',
};

/** Why two contacts may be the same person. */
export const TWIN_LABELS = {
  mailbox: 'Same mailbox',
  business: 'Same name and business',
  phone: 'Same name and phone number',
} as const;

export const contactFilter = filterCodec({
  words: textParam('q'),
  source: choiceParam('source', CONTACT_SOURCES, null),
  consent: choiceParam('consent', CONSENTS, null),
  show: choiceParam('show', ['waiting', 'twins'], null),
  sort: choiceParam('sort', ['newest', 'name'], 'newest'),
  place: placeParam(),
});
export type ContactFilter = FilterOf<typeof contactFilter>;
