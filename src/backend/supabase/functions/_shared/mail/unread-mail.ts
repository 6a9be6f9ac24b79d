import { count, line, type MailData, pathLink, type Templates } from './mail-data.ts';

/** The email about unread messages. */
export const UNREAD_MAIL = {
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
} satisfies Templates;

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
