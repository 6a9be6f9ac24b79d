import { drawMail, type Mail, type MailBrand, type MailParts } from './layout.ts';

/** The data of a queued email for its template. */
export type MailData = Record<string, unknown>;

const NOT_YOU = 'If this wasn’t you, ignore this email. Nobody can get any further without it.';

/**
 * `subject`, `heading`, `paragraphs[]`, `why`; optional `button_label` with `button_path`, and
 * `has_choice`: whether a setting in the profile turns off emails of this kind
 */
const notice = (data: MailData, { siteUrl }: MailBrand): MailParts => ({
  subject: line(data, 'subject'),
  preview: line(data, 'heading'),
  heading: line(data, 'heading'),
  paragraphs: lines(data, 'paragraphs'),
  ...(typeof data.button_path === 'string'
    ? {
        button: {
          label: line(data, 'button_label'),
          href: pathLink(siteUrl, data.button_path),
        },
      }
    : {}),
  ...(data.has_choice === true
    ? {
        aside: {
          before: 'Don’t want these emails?',
          label: 'Choose your emails',
          href: pathLink(siteUrl, '/dashboard/profile/notifications'),
        },
      }
    : {}),
  why: line(data, 'why'),
});

/** Every email the product sends, from a row's data and the sender. Throws if a link is invalid. */
export const TEMPLATES = {
  /** `link` */
  confirm: (data, { product }) => ({
    subject: `Confirm your email for ${product}`,
    preview: 'One click and your account is ready.',
    heading: 'Confirm your email',
    paragraphs: [
      `You signed up for ${product} with this email address. Confirm it’s yours and you’re ready to go.`,
      'The link works once, within the next hour. You can ask for a new one anytime.',
    ],
    button: { label: 'Confirm my email', href: link(data, 'link') },
    why: `You’re getting this email because someone signed up with this address. ${NOT_YOU}`,
  }),

  /** `link` */
  recovery: (data, { product }) => ({
    subject: `Choose a new password for ${product}`,
    preview: 'The link works once, within the next hour.',
    heading: 'Choose a new password',
    paragraphs: [
      `You asked for a new ${product} password. Your old one keeps working until you choose another.`,
      'The link works once, within the next hour.',
    ],
    button: { label: 'Choose a new password', href: link(data, 'link') },
    why: `You’re getting this email because someone asked for a new password for this address. ${NOT_YOU}`,
  }),

  /** `code`, `link` */
  'email-code': (data, { product }) => ({
    subject: `${line(data, 'code')} is your ${product} code`,
    preview: 'Enter it on the page where you asked for it. It works for one hour.',
    heading: 'Your code',
    paragraphs: [
      'Enter this code on the page where you asked for it. It works once, within the next hour.',
    ],
    code: line(data, 'code'),
    button: { label: 'Sign in with a link instead', href: link(data, 'link') },
    why: `You’re getting this email because someone asked to sign in to ${product} with this address. We’ll never ask you for this code by phone or email. ${NOT_YOU}`,
  }),

  /** `link`; sent when an address has used up its codes for the day */
  'email-link': (data, { product }) => ({
    subject: `Your ${product} sign-in link`,
    preview: 'It works once, within the next hour.',
    heading: 'Sign in',
    paragraphs: [
      'We’ve sent this address a lot of codes today, so this time you only get a link. It works once, within the next hour.',
    ],
    button: { label: 'Sign in', href: link(data, 'link') },
    why: `You’re getting this email because someone asked to sign in to ${product} with this address. ${NOT_YOU}`,
  }),

  /** `link`, `current_address`, `new_address` */
  'email-change': (data, { product }) => ({
    subject: `Confirm your new email for ${product}`,
    preview: 'Confirm from both addresses to finish.',
    heading: 'Confirm your new email',
    paragraphs: [
      `You asked to change your ${product} email address from ${line(data, 'current_address')} to ${line(data, 'new_address')}.`,
      'We’ve sent an email like this one to both addresses. The change takes effect once both links have been opened. Each works once, within the next hour.',
    ],
    button: { label: 'Confirm the change', href: link(data, 'link') },
    why: 'You’re getting this email because someone signed in to your account asked for the change. If it wasn’t you, do not open the link, and choose a new password.',
  }),

  /** `link`, `recover_link` */
  'already-registered': (data, { product }) => ({
    subject: `You already have a ${product} account`,
    preview: 'Someone tried to sign up with this address.',
    heading: 'You already have an account',
    paragraphs: [
      `Someone, probably you, tried to sign up for ${product} with this address. You already have an account, so we didn’t create another one. Nothing has changed.`,
    ],
    button: { label: 'Sign in', href: link(data, 'link') },
    aside: {
      before: 'Forgot your password?',
      label: 'Choose a new one',
      href: link(data, 'recover_link'),
    },
    why: 'You’re getting this email because this address has an account. If it wasn’t you who tried to sign up, ignore this email. We didn’t tell them you have an account.',
  }),

  /** Doesn't repeat the message, because nobody has confirmed that the address is the sender's. */
  'contact-received': (_data, { product, siteUrl }) => ({
    subject: `We have your message to ${product}`,
    preview: 'A person will read it and reply.',
    heading: 'We have your message',
    paragraphs: [
      'A person will read it and reply by email, usually within two business days. You can reply to that email.',
    ],
    button: { label: 'What happens next', href: pathLink(siteUrl, '/contact') },
    why: `You’re getting this email because someone wrote to ${product} with this address. If it wasn’t you, ignore this email.`,
  }),

  /** `topic`, `name`, `business`, `email`, `body` */
  'contact-message': (data) => ({
    subject: `${line(data, 'topic')}: a message from ${line(data, 'name')}`,
    preview: line(data, 'email'),
    heading: `A message from ${line(data, 'name')}`,
    paragraphs: [
      `${line(data, 'name')}, ${line(data, 'business')}, ${line(data, 'email')}`,
      ...linesOf(data.body),
    ],
    replyTo: line(data, 'email'),
    why: 'Sent through the contact form. Reply to this email to reach them. We haven’t verified their address.',
  }),

  /** `answer`, `asked`; optional `name` */
  'contact-answer': (data, { product, organisation }) => ({
    subject: `Our answer to your message to ${product}`,
    preview: line(data, 'answer').slice(0, 120).toWellFormed(),
    heading: typeof data.name === 'string' ? `Hello, ${name(data, 'name')}` : 'Hello',
    paragraphs: linesOf(data.answer),
    talks: [
      {
        heading: 'You wrote',
        said: [{ by: 'You', text: String(data.asked ?? '') }],
        after: null,
      },
    ],
    why: `You’re getting this email because someone wrote to ${product} with this address. You can reply to it and reach ${organisation}.`,
  }),

  /** `path` */
  'newsletter-confirm': (data, { product, siteUrl }) => ({
    subject: `Confirm your ${product} newsletter`,
    preview: 'One click and you’re on the list.',
    heading: 'Do you want our newsletter?',
    paragraphs: [
      'Someone entered this address for our newsletter, at most one email a month. Open the page, press the button, and you’re on the list. The link works for seven days.',
    ],
    button: { label: 'Confirm my subscription', href: pathLink(siteUrl, line(data, 'path')) },
    why: 'If this wasn’t you, ignore this email. If you don’t press the button, we won’t send you anything.',
  }),

  /** `path` */
  'newsletter-welcome': (data, { product, siteUrl }) => ({
    subject: `You’re subscribed to ${product}`,
    preview: 'At most one email a month, and how to unsubscribe.',
    heading: 'You’re on the list',
    paragraphs: [
      'You’ll get the next issue. There’s at most one a month, and none if there’s nothing worth sending.',
    ],
    aside: {
      before: 'Changed your mind?',
      label: 'Unsubscribe',
      href: pathLink(siteUrl, line(data, 'path')),
    },
    leave: oneClickLink(siteUrl, line(data, 'path')),
    why: 'You’re getting this email because you confirmed your subscription.',
  }),

  /** `subject`, `preview` (or ''), `body` (Markdown), `path`, `leave_path`; `is_test`, to its author */
  'newsletter-issue': (data, { product, siteUrl }) => {
    const subject = line(data, 'subject');
    const leavePath = line(data, 'leave_path');
    return {
      subject: data.is_test === true ? `Test: ${subject}` : subject,
      preview: String(data.preview ?? ''),
      heading: subject,
      paragraphs: [],
      article: String(data.body ?? ''),
      aside: {
        before: 'You can also',
        label: 'read this issue on our site',
        href: pathLink(siteUrl, line(data, 'path')),
      },
      ...(data.is_test === true ? {} : { leave: oneClickLink(siteUrl, leavePath) }),
      unsubscribe: pathLink(siteUrl, leavePath),
      why: `You’re getting this email because you signed up for the ${product} newsletter.`,
    };
  },

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

  /** What `private.unread_mail()` returns: `messages`, `conversations`, `with_text`, `talks[]` */
  'unread-messages': (data, { product, siteUrl }) => {
    const unread = unreadOf(data);
    const [first] = unread.talks;
    const one = unread.conversations === 1 ? first : undefined;
    const from = one ? peopleOf(one) : `${unread.conversations} conversations`;
    const subject =
      unread.messages === 1
        ? `A new message from ${from}`
        : `${unread.messages} new messages ${one ? 'from' : 'in'} ${from}`;
    const further = unread.conversations - unread.talks.length;
    return {
      subject,
      preview: `You have unread messages on ${product}.`,
      heading: subject,
      paragraphs: [],
      talks: [
        ...unread.talks.map((talk) => ({
          heading: talk.title,
          said: (talk.said ?? []).map(({ by, text, files }) => ({
            by,
            text: [text, files > 0 ? count(files, 'file') : ''].filter(Boolean).join('\n'),
          })),
          after: afterTalk(talk),
        })),
        ...(further > 0
          ? [{ heading: `And ${count(further, 'more conversation')}`, said: [], after: null }]
          : []),
      ],
      button: {
        label: 'Read and reply',
        href: pathLink(siteUrl, one ? one.path : '/dashboard/messages'),
      },
      aside: {
        before: 'Don’t want these emails, or want them without the message text?',
        label: 'Choose your emails',
        href: pathLink(siteUrl, '/dashboard/profile/notifications'),
      },
      why: 'You’re getting this email because these messages have been waiting for ten minutes. Replies to this email don’t reach the sender.',
    };
  },

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

  notice,
  /** What happens to someone's account: a notice that no other notices hold back. */
  'account-notice': notice,
} satisfies Record<string, (data: MailData, brand: MailBrand) => MailParts>;

export type MailTemplate = keyof typeof TEMPLATES;

/** Renders a queued email. Throws if the template doesn't exist or its data is incomplete. */
export function renderMail(template: string, data: MailData, brand: MailBrand): Mail {
  if (!Object.hasOwn(TEMPLATES, template))
    throw new Error(`There's no email template "${template}".`);
  return drawMail(TEMPLATES[template as MailTemplate](data, brand), brand);
}

/** The parts of a template, for the drafts that hosted Supabase Auth fills in. */
export function mailParts(template: MailTemplate, data: MailData, brand: MailBrand): MailParts {
  return TEMPLATES[template](data, brand);
}

/** One line of text: a line break in a subject would start another header. */
function line(data: MailData, name: string): string {
  const value = data[name];
  if (typeof value !== 'string' || value.trim() === '')
    throw new Error(`This email has no "${name}".`);
  return value.replace(/\s+/g, ' ').trim();
}

const NAME_LENGTH = 60;

/**
 * A person's or business's name in an email to a stranger: short, and without anything an email app
 * would turn into a link. A dot between letters (`example.com`) gets spaces around it.
 */
function name(data: MailData, key: string): string {
  const value = line(data, key)
    .replace(/[a-z][a-z\d+.-]*:\/\/\S*/gi, '…')
    .replace(/(?<=[\p{L}\d])\.(?=\p{L}{2})/gu, ' . ');
  return value.length > NAME_LENGTH
    ? `${value.slice(0, NAME_LENGTH).toWellFormed().trimEnd()}…`
    : value;
}

interface UnreadTalk {
  title: string;
  messages: number;
  /** At most three names. */
  authors: string[];
  /** How many more authors there are. */
  others: number;
  path: string;
  /** The first few messages; missing if the email must not show them. */
  said?: { by: string; text: string; files: number }[];
}

interface Unread {
  messages: number;
  conversations: number;
  talks: UnreadTalk[];
}

const isTalk = (talk: unknown): talk is UnreadTalk =>
  typeof talk === 'object' &&
  talk !== null &&
  'path' in talk &&
  typeof talk.path === 'string' &&
  'messages' in talk &&
  typeof talk.messages === 'number' &&
  'others' in talk &&
  typeof talk.others === 'number' &&
  'authors' in talk &&
  Array.isArray(talk.authors);

function unreadOf({ messages, conversations, talks }: MailData): Unread {
  if (!Array.isArray(talks) || talks.length === 0 || !talks.every(isTalk)) {
    throw new Error('This email has no "talks".');
  }
  return { messages: Number(messages), conversations: Number(conversations), talks };
}

const count = (number: number, thing: string) => `${number} ${thing}${number === 1 ? '' : 's'}`;

/** Names such as “Ann, Ben and 2 others,” on one line. */
function peopleOf({ authors, others }: UnreadTalk): string {
  const names = [...authors, ...(others > 0 ? [count(others, 'other')] : [])].map((entry) =>
    line({ entry }, 'entry'),
  );
  return new Intl.ListFormat('en-GB').format(names);
}

function afterTalk(talk: UnreadTalk): string | null {
  if (!talk.said) return `${count(talk.messages, 'new message')} from ${peopleOf(talk)}.`;
  const rest = talk.messages - talk.said.length;
  return rest > 0 ? `And ${count(rest, 'more message')}.` : null;
}

/** The lines of what someone wrote, without the empty ones. */
const linesOf = (text: unknown): string[] =>
  String(text ?? '')
    .split(/\n+/)
    .map((each) => each.trim())
    .filter((each) => each !== '');

function lines(data: MailData, name: string): string[] {
  const value = data[name];
  if (!Array.isArray(value)) throw new Error(`This email has no "${name}".`);
  return value.map((entry) => line({ entry }, 'entry'));
}

function link(data: MailData, name: string): string {
  const value = line(data, name);
  // In a draft for Supabase Auth, this is a placeholder.
  if (value.startsWith('{{ .SiteURL }}/')) return value;
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) {
    throw new Error(`"${name}" in this email isn't a web address.`);
  }
  return value;
}

/** Where an email app's own unsubscribe button posts to, for a link that ends in #leave=<secret>. */
const oneClickLink = (siteUrl: string, path: string): string =>
  new URL(`/functions/v1/newsletter?leave=${path.replace(/^.*#leave=/, '')}`, siteUrl).href;

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

/** The survey's link for browsers without JavaScript; emails queued by earlier releases have none. */
const withoutScripts = (data: MailData, siteUrl: string): string[] =>
  data.plain_path === undefined
    ? []
    : [
        `If your browser doesn’t run JavaScript, use this address instead: ${pathLink(siteUrl, line(data, 'plain_path'))}`,
      ];

function pathLink(siteUrl: string, path: string): string {
  const url = new URL(path, siteUrl);
  if (url.origin !== new URL(siteUrl).origin) throw new Error('A notice links only to this site.');
  return url.href;
}
