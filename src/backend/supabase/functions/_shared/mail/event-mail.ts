import type { MailBrand } from './layout.ts';
import { line, linesOf, link, type MailData, pathLink, type Templates } from './mail-data.ts';

/** Emails about a place at an event. */
export const EVENT_MAIL = {
  /** What every email about a place has (see `eventParts`), and `until` */
  'event-held': (data, brand) => ({
    ...eventParts(data, brand, 'Confirm my place'),
    subject: `Confirm your place: ${line(data, 'title')}`,
    preview: `We’re holding it until ${line(data, 'until')}.`,
    heading: 'Confirm your place',
    paragraphs: [
      `Someone, probably you, asked for a place at “${line(data, 'title')}” with this address. We’re holding it until ${line(data, 'until')}.`,
      ...whenAndWhere(data),
      'Open the page and press the button, and the place is yours. If you don’t, it goes to the next person.',
    ],
    why: 'You’re getting this email because someone entered this address on the event’s page. If it wasn’t you, ignore this email: the place goes to someone else.',
  }),

  /** The same without `until`; `online_link`, or null */
  'event-taken': (data, brand) => ({
    ...eventParts(data, brand, 'See or cancel your place'),
    subject: `You have a place: ${line(data, 'title')}`,
    preview: line(data, 'when'),
    heading: 'You have a place',
    paragraphs: [
      `We’re looking forward to seeing you at “${line(data, 'title')}.”`,
      ...whenAndWhere(data),
      ...toJoin(data),
      'The page has the event for your calendar. If you can’t come, cancel there, and someone on the waiting list gets your place.',
    ],
    why: 'You’re getting this email because you took a place at this event.',
  }),

  /** The same; `position` on the waiting list */
  'event-waiting': (data, brand) => ({
    ...eventParts(data, brand, 'See your turn or leave the list'),
    subject: `You’re on the waiting list: ${line(data, 'title')}`,
    preview: `You’re number ${Number(data.position)}.`,
    heading: `You’re number ${Number(data.position)} on the waiting list`,
    paragraphs: [
      `All places at “${line(data, 'title')}” are taken right now. When one is free and it’s your turn, we’ll email you, and you’ll have up to two days to take it.`,
      ...whenAndWhere(data),
    ],
    why: 'You’re getting this email because someone entered this address on the event’s page. If it wasn’t you, ignore this email, or leave the list.',
  }),

  /** The same; `until` */
  'event-offer': (data, brand) => ({
    ...eventParts(data, brand, 'Take the place'),
    subject: `A place is free: ${line(data, 'title')}`,
    preview: `It’s yours if you take it by ${line(data, 'until')}.`,
    heading: 'A place is free',
    paragraphs: [
      `It’s your turn: a place at “${line(data, 'title')}” is free. Open the page and press the button by ${line(data, 'until')}, and it’s yours. After that, it goes to the next person.`,
      ...whenAndWhere(data),
      'Can’t come anymore? Say so on the same page, and the next person doesn’t have to wait.',
    ],
    why: 'You’re getting this email because you’re on the waiting list for this event.',
  }),

  /** The same; `stage`: "day" or "hour" before; `online_link`, or null */
  'event-reminder': (data, brand) => ({
    ...eventParts(data, brand, 'See or cancel your place'),
    subject: `${data.stage === 'hour' ? 'Starting soon' : 'Coming up'}: ${line(data, 'title')}`,
    preview: line(data, 'when'),
    heading: data.stage === 'hour' ? 'It starts soon' : 'See you soon',
    paragraphs: [
      `You have a place at “${line(data, 'title')}.”`,
      ...whenAndWhere(data),
      ...toJoin(data),
      'If you can’t come, cancel on your page, so that someone else can.',
    ],
    why: 'You’re getting this email because you have a place at this event.',
  }),

  /** The same; `was_when`, `was_where` */
  'event-moved': (data, brand) => ({
    ...eventParts(data, brand, 'See or cancel your place'),
    subject: `A new date or place: ${line(data, 'title')}`,
    preview: line(data, 'when'),
    heading: 'The date or place has changed',
    paragraphs: [
      `“${line(data, 'title')}” was planned for ${line(data, 'was_when')}, at this place: ${line(data, 'was_where')}. This is how it is now:`,
      ...whenAndWhere(data),
      'You keep what you have. If you can’t come now, cancel on your page. If it’s in your calendar, add it again from there.',
    ],
    why: 'You’re getting this email because you have a place at this event or are on its waiting list.',
  }),

  /** The same; `reason`, or null */
  'event-canceled': (data, { siteUrl }) => ({
    subject: `Canceled: ${line(data, 'title')}`,
    preview: `It was planned for ${line(data, 'when')}.`,
    heading: 'This event is canceled',
    paragraphs: [
      `We’re sorry: “${line(data, 'title')}” on ${line(data, 'when')} won’t take place.`,
      ...linesOf(data.reason),
      'You don’t have to do anything. Take it off your calendar if you’ve added it.',
    ],
    button: { label: 'See other events', href: pathLink(siteUrl, '/events') },
    why: 'You’re getting this email because you have a place at this event or are on its waiting list.',
  }),

  /** The same; `reason` */
  'event-removed': (data, { siteUrl, email }) => ({
    subject: `We had to cancel your place: ${line(data, 'title')}`,
    preview: line(data, 'when'),
    heading: 'We had to cancel your place',
    paragraphs: [
      `You no longer have a place or a turn at “${line(data, 'title')}” on ${line(data, 'when')}. Why:`,
      ...linesOf(data.reason),
      `If this surprises you, write to ${email}.`,
    ],
    button: { label: 'See other events', href: pathLink(siteUrl, '/events') },
    why: 'You’re getting this email because you had a place at this event or were on its waiting list.',
  }),
} satisfies Templates;

/**
 * What emails about a place share: `title`, `when`, `minutes`, `where`, `event_path`, and `path`, the
 * page that shows the place and where it's canceled.
 */
const eventParts = (data: MailData, { siteUrl }: MailBrand, label: string) => ({
  button: { label, href: pathLink(siteUrl, line(data, 'path')) },
  aside: {
    before: 'What it’s about:',
    label: line(data, 'title'),
    href: pathLink(siteUrl, line(data, 'event_path')),
  },
});

const whenAndWhere = (data: MailData): string[] => [
  `When: ${line(data, 'when')}, for ${Number(data.minutes)} minutes`,
  `Where: ${line(data, 'where')}`,
];

/** How to join online, for people with a place. */
const toJoin = (data: MailData): string[] =>
  typeof data.online_link === 'string' ? [`To join: ${link(data, 'online_link')}`] : [];
