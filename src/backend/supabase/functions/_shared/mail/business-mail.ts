import {
  line,
  lines,
  linesOf,
  type MailData,
  name,
  pathLink,
  type Templates,
} from './mail-data.ts';

/** Emails about a business, its coaching and its seat in a program. */
export const BUSINESS_MAIL = {
  /** `path`, `plain_path`, `privacy` */
  'survey-invitation': (data, { product, siteUrl }) => ({
    subject: 'How was your coaching?',
    preview: 'Thirteen questions, about three minutes.',
    heading: 'How was your coaching?',
    paragraphs: [
      `You’ve worked with a ${product} coach. Tell us how it went: thirteen questions, about three minutes, and you can skip any.`,
      line(data, 'privacy') === 'anonymous'
        ? 'The survey is anonymous. We can see that your link was used, not what you answered.'
        : 'The survey is confidential. We only report your answers together with other people’s.',
      ...withoutScripts(data, siteUrl),
    ],
    button: { label: 'Answer the survey', href: pathLink(siteUrl, line(data, 'path')) },
    why: `You’re getting this email because you asked for a ${product} coach. The link is only for you and works once, within the next 90 days.`,
  }),

  /** `path`, `plain_path`, `privacy`; sent once, a week after the invitation */
  'survey-reminder': (data, { product, siteUrl }) => ({
    subject: 'A reminder: how was your coaching?',
    preview: 'Thirteen questions, about three minutes. We won’t ask again.',
    heading: 'How was your coaching?',
    paragraphs: [
      `A week ago, we asked how it went with your ${product} coach. If you have three minutes, we’d still like to know. If you don’t, that’s fine: we won’t remind you again.`,
      line(data, 'privacy') === 'anonymous'
        ? 'The survey is anonymous. We can see that your link was used, not what you answered.'
        : 'The survey is confidential. We only report your answers together with other people’s.',
      'The link in our first email works too. You can answer once, with either of them.',
      ...withoutScripts(data, siteUrl),
    ],
    button: { label: 'Answer the survey', href: pathLink(siteUrl, line(data, 'path')) },
    why: `You’re getting this email because you asked for a ${product} coach. You can turn off emails about coaching in your profile.`,
  }),

  /** `business`, `inviter`, `path` */
  'business-invitation': (data, { product, siteUrl }) => ({
    subject: `${name(data, 'inviter')} invites you to ${name(data, 'business')}`,
    preview: `Work on ${name(data, 'business')} together on ${product}.`,
    heading: `Join ${name(data, 'business')}`,
    paragraphs: [
      `${name(data, 'inviter')} would like to work on ${name(data, 'business')} with you on ${product}: its figures, its one-page plan and its projects.`,
      'To join, open the invitation and sign in, or create an account, with this email address. The link works for 14 days, and for nobody else.',
    ],
    button: { label: 'See the invitation', href: pathLink(siteUrl, line(data, 'path')) },
    why: `You’re getting this email because someone entered this address on ${product}. If you don’t know them, ignore this email: nobody can join as you.`,
  }),

  /** `sponsor`, `program`, `words` (of theirs, or ''), `path` */
  'program-invitation': (data, { product, siteUrl }) => ({
    subject: `${name(data, 'sponsor')} has a seat for your business`,
    preview: `Coaching for your business on ${product}, paid for by ${name(data, 'sponsor')}.`,
    heading: `A seat in ${name(data, 'program')}`,
    paragraphs: [
      `${name(data, 'sponsor')} pays for coaching for your business on ${product}. We’re holding a seat for you for 30 days.${linesOf(data.words).length > 0 ? ' They write:' : ''}`,
      ...linesOf(data.words),
      'Before you decide, you’ll read what they’ll see of your business, and what they won’t. To take the seat, sign in, or create an account, with this email address.',
    ],
    button: { label: 'See the seat', href: pathLink(siteUrl, line(data, 'path')) },
    why: `You’re getting this email because ${name(data, 'sponsor')} entered this address on ${product}. If you don’t want the seat, ignore this email.`,
  }),

  /** `program`, `path` */
  'program-sponsor': (data, { product, siteUrl }) => ({
    subject: `${name(data, 'program')} on ${product}`,
    preview: 'Hand out seats and read how the program is going.',
    heading: `You can now run ${name(data, 'program')}`,
    paragraphs: [
      'Create codes for the businesses you serve, invite owners by email, and read totals of all of them together.',
      'Sign in, or create an account, with this email address.',
    ],
    button: { label: 'Open the program', href: pathLink(siteUrl, line(data, 'path')) },
    why: `You’re getting this email because your organization’s seats on ${product} are run by the person with this address.`,
  }),

  /** `title`, `paragraphs[]` */
  'invoice-reminder': (data, { product, organisation }) => ({
    subject: `${line(data, 'title')} (${product})`,
    preview: line(data, 'title'),
    heading: line(data, 'title'),
    paragraphs: lines(data, 'paragraphs'),
    why: `You’re getting this email because someone who bought coaching from ${organisation} gave this address for the invoice. You can reply to it and reach us.`,
  }),

  /** `business`, `path` */
  'business-claim': (data, { product, organisation, siteUrl }) => ({
    subject: `${name(data, 'business')} is ready for you on ${product}`,
    preview: `${organisation} has added your business.`,
    heading: `${name(data, 'business')} is ready for you`,
    paragraphs: [
      `${organisation} has added ${name(data, 'business')} to ${product}, where you can see how your business skills are doing, work on them and plan your projects.`,
      'To take it over, open the invitation and sign in, or create an account, with this email address. The link works for a year, and for nobody else.',
    ],
    button: { label: 'See the invitation', href: pathLink(siteUrl, line(data, 'path')) },
    why: `You’re getting this email because ${organisation} has this address from its own list. You don’t have an account until you create one. If you don’t want one, ignore this email.`,
  }),
} satisfies Templates;

/** The survey's link for browsers without JavaScript; emails queued by earlier releases have none. */
const withoutScripts = (data: MailData, siteUrl: string): string[] =>
  data.plain_path === undefined
    ? []
    : [
        `If your browser doesn’t run JavaScript, use this address instead: ${pathLink(siteUrl, line(data, 'plain_path'))}`,
      ];
