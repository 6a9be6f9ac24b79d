import { drawMail, type Mail, type MailBrand, type MailParts } from './layout.ts';

/** What a row of the mail outbox holds beside its template's name. */
export type MailData = Record<string, unknown>;

const NOT_YOU =
  'If it was not you, you need not do anything: without this mail nobody can go on in your name.';

/** Every mail that the product sends, by the row's data and who sends. A bad address in the data throws. */
export const TEMPLATES = {
  /** `link` */
  confirm: (data, { product }) => ({
    subject: `Confirm your address for ${product}`,
    preview: 'One click and your account is ready.',
    heading: 'Confirm your address',
    paragraphs: [
      `You registered at ${product} with this address. Confirm that it is yours, and your account is ready.`,
      'The link works once, for one hour. You can ask for a new one at any time.',
    ],
    button: { label: 'Confirm my address', href: link(data, 'link') },
    why: `You get this mail because someone registered with this address. ${NOT_YOU}`,
  }),

  /** `link` */
  recovery: (data, { product }) => ({
    subject: `Choose a new password for ${product}`,
    preview: 'The link works once, for one hour.',
    heading: 'Choose a new password',
    paragraphs: [
      `You asked for a new password at ${product}. Your old one stays as it is until you have chosen another.`,
      'The link works once, for one hour.',
    ],
    button: { label: 'Choose a new password', href: link(data, 'link') },
    why: `You get this mail because someone asked for a new password for this address. ${NOT_YOU}`,
  }),

  /** `code`, `link` */
  'email-code': (data, { product }) => ({
    subject: `${line(data, 'code')} is your code for ${product}`,
    preview: 'Type it where you asked for it. It works for one hour.',
    heading: 'Your code',
    paragraphs: ['Type this code where you asked for it. It works once, for one hour.'],
    code: line(data, 'code'),
    button: { label: 'Sign in with a link instead', href: link(data, 'link') },
    why: `You get this mail because someone asked to sign in to ${product} with this address. We never ask for this code on the telephone or by mail. ${NOT_YOU}`,
  }),

  /** `link`; where no more codes are sent today */
  'email-link': (data, { product }) => ({
    subject: `Your link to sign in to ${product}`,
    preview: 'It works once, for one hour.',
    heading: 'Sign in',
    paragraphs: [
      'We’ve sent many codes to this address today, so this email only has a link. It works once, for one hour.',
    ],
    button: { label: 'Sign in', href: link(data, 'link') },
    why: `You get this email because someone asked to sign in to ${product} with this address. ${NOT_YOU}`,
  }),

  /** `link`, `current_address`, `new_address` */
  'email-change': (data, { product }) => ({
    subject: `Confirm your new address for ${product}`,
    preview: 'Both addresses are asked; then it changes.',
    heading: 'Confirm the change of address',
    paragraphs: [
      `You asked to change your address at ${product} from ${line(data, 'current_address')} to ${line(data, 'new_address')}.`,
      'Both addresses get a mail like this one. The change takes effect when both links were opened; each works once, for one hour.',
    ],
    button: { label: 'Confirm the change', href: link(data, 'link') },
    why: 'You get this mail because a signed-in person asked for the change. If it was not you, do not open the link, and choose a new password.',
  }),

  /** `link`, `recover_link` */
  'already-registered': (data, { product }) => ({
    subject: `You already have an account at ${product}`,
    preview: 'Someone tried to register with this address.',
    heading: 'You already have an account',
    paragraphs: [
      `Someone, probably you, tried to register at ${product} with this address. It has an account already, so no second one was made and nothing was changed.`,
    ],
    button: { label: 'Sign in', href: link(data, 'link') },
    aside: {
      before: 'Forgotten the password?',
      label: 'Choose a new one',
      href: link(data, 'recover_link'),
    },
    why: `You get this mail because you are the owner of the address. If it was not you who tried, you need not do anything: they were not told that you have an account.`,
  }),

  /** Nothing of what was written: nobody has confirmed that the address is the writer's. */
  'contact-received': (_data, { product, siteUrl }) => ({
    subject: `We have your message to ${product}`,
    preview: 'A person reads it and answers you.',
    heading: 'Your message has arrived',
    paragraphs: [
      'A person reads it and answers from an address that you can answer back to, as a rule within two business days.',
    ],
    button: { label: 'What happens next', href: pathLink(siteUrl, '/contact') },
    why: `You get this mail because someone wrote to ${product} with this address. If it was not you, you need not do anything.`,
  }),

  /** `topic`, `name`, `business`, `email`, `body` */
  'contact-message': (data) => ({
    subject: `${line(data, 'topic')}: a message from ${line(data, 'name')}`,
    preview: line(data, 'email'),
    heading: `A message from ${line(data, 'name')}`,
    paragraphs: [
      `${line(data, 'name')}, ${line(data, 'business')}, ${line(data, 'email')}`,
      ...String(data.body ?? '')
        .split(/\n+/)
        .map((each) => each.trim())
        .filter((each) => each !== ''),
    ],
    replyTo: line(data, 'email'),
    why: 'Someone wrote this by the contact form. Answer this mail and it goes to them; the address is as they typed it.',
  }),

  /** `path` */
  'newsletter-confirm': (data, { product, siteUrl }) => ({
    subject: `Confirm that you want the newsletter of ${product}`,
    preview: 'One button, and you are on the list.',
    heading: 'Do you want the newsletter?',
    paragraphs: [
      'Someone typed this address for our newsletter, one mail a month. Open the page and press the button, and you are on the list. The link works for seven days.',
    ],
    button: { label: 'To the button', href: pathLink(siteUrl, line(data, 'path')) },
    why: 'If it was not you, you need not do anything: without the button nothing is sent.',
  }),

  /** `path` */
  'newsletter-welcome': (data, { product, siteUrl }) => ({
    subject: `You are on the list of ${product}`,
    preview: 'One mail a month; this is how to leave.',
    heading: 'You are on the list',
    paragraphs: ['The next issue comes on the first Tuesday of a month.'],
    aside: {
      before: 'Not any more?',
      label: 'Leave the list',
      href: pathLink(siteUrl, line(data, 'path')),
    },
    leave: new URL(
      `/functions/v1/newsletter?leave=${line(data, 'path').replace(/^.*#leave=/, '')}`,
      siteUrl,
    ).href,
    why: 'You get this mail because you confirmed that you want the newsletter.',
  }),

  /** `path`, `privacy` */
  'survey-invitation': (data, { product, siteUrl }) => ({
    subject: 'How was the help you had?',
    preview: 'Thirteen questions, about three minutes.',
    heading: 'How was the help you had?',
    paragraphs: [
      `You have worked with a coach at ${product}. Tell us how it was: thirteen questions, about three minutes, and you may leave out any.`,
      line(data, 'privacy') === 'anonymous'
        ? 'The survey is anonymous: your link only remembers that it was used, and not what you answered.'
        : 'The survey is confidential: no one is shown your answers by themselves.',
    ],
    button: { label: 'Answer the survey', href: pathLink(siteUrl, line(data, 'path')) },
    why: `You get this mail because you asked for a coach at ${product}. The link is yours alone and works once, for 90 days.`,
  }),

  /** `business`, `inviter`, `path` */
  'business-invitation': (data, { product, siteUrl }) => ({
    subject: `${name(data, 'inviter')} invites you to ${name(data, 'business')}`,
    preview: `Work on ${name(data, 'business')} together at ${product}.`,
    heading: `Join ${name(data, 'business')}`,
    paragraphs: [
      `${name(data, 'inviter')} would like to work on ${name(data, 'business')} with you at ${product}: its figures, its one-page plan and its projects.`,
      'Open the page with this address, signed in or with a new account, and press the button. The link works for 14 days and for this address only.',
    ],
    button: { label: 'See the invitation', href: pathLink(siteUrl, line(data, 'path')) },
    why: `You get this mail because somebody typed this address at ${product}. If you do not know them, you need not do anything: without you nobody joins in your name.`,
  }),

  /** What `private.unread_mail()` gives: `messages`, `conversations`, `with_text`, `talks[]` */
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
      preview: `They have waited for you at ${product}.`,
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
        label: 'Read and answer',
        href: pathLink(siteUrl, one ? one.path : '/dashboard/messages'),
      },
      aside: {
        before: 'Not by mail, or without the words?',
        label: 'Choose which mails you get',
        href: pathLink(siteUrl, '/dashboard/profile'),
      },
      why: 'You get this mail because these messages have waited for you for ten minutes. An answer to this mail does not reach whoever wrote them.',
    };
  },

  /** `subject`, `heading`, `paragraphs[]`, `why`; optional `button_label` with `button_path` */
  notice: (data, { siteUrl }) => ({
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
    why: line(data, 'why'),
  }),
} satisfies Record<string, (data: MailData, brand: MailBrand) => MailParts>;

export type MailTemplate = keyof typeof TEMPLATES;

/** Draws the mail of an outbox row. Throws when the template doesn't exist or its data lacks something. */
export function renderMail(template: string, data: MailData, brand: MailBrand): Mail {
  if (!Object.hasOwn(TEMPLATES, template))
    throw new Error(`There is no mail template "${template}".`);
  return drawMail(TEMPLATES[template as MailTemplate](data, brand), brand);
}

/** The parts of a template, for the drafts that hosted Supabase Auth fills in itself. */
export function mailParts(template: MailTemplate, data: MailData, brand: MailBrand): MailParts {
  return TEMPLATES[template](data, brand);
}

/** One line of text: a subject with a line break would become a header of its own. */
function line(data: MailData, name: string): string {
  const value = data[name];
  if (typeof value !== 'string' || value.trim() === '')
    throw new Error(`The mail lacks "${name}".`);
  return value.replace(/\s+/g, ' ').trim();
}

const NAME_LENGTH = 60;

/**
 * A person's or business's name in a mail to a stranger: short, and nothing that mail programs make
 * a link of; a dot between letters (`example.com`) gets spaces around it.
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
  /** How many more there are. */
  others: number;
  path: string;
  /** The first few; missing where the mail is to hide them. */
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
    throw new Error('The mail lacks "talks".');
  }
  return { messages: Number(messages), conversations: Number(conversations), talks };
}

const count = (number: number, thing: string) => `${number} ${thing}${number === 1 ? '' : 's'}`;

/** Ann, Ben and 2 others; one line. */
function peopleOf({ authors, others }: UnreadTalk): string {
  const names = [...authors, ...(others > 0 ? [count(others, 'other')] : [])].map((entry) =>
    line({ entry }, 'entry'),
  );
  return new Intl.ListFormat('en').format(names);
}

function afterTalk(talk: UnreadTalk): string | null {
  if (!talk.said) return `${count(talk.messages, 'new message')} from ${peopleOf(talk)}.`;
  const rest = talk.messages - talk.said.length;
  return rest > 0 ? `And ${count(rest, 'more message')}.` : null;
}

function lines(data: MailData, name: string): string[] {
  const value = data[name];
  if (!Array.isArray(value)) throw new Error(`The mail lacks "${name}".`);
  return value.map((entry) => line({ entry }, 'entry'));
}

function link(data: MailData, name: string): string {
  const value = line(data, name);
  // A draft for Supabase Auth has its placeholder here.
  if (value.startsWith('{{ .SiteURL }}/')) return value;
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) {
    throw new Error(`"${name}" of the mail is no web address.`);
  }
  return value;
}

function pathLink(siteUrl: string, path: string): string {
  const url = new URL(path, siteUrl);
  if (url.origin !== new URL(siteUrl).origin) throw new Error('A notice links to this site only.');
  return url.href;
}
