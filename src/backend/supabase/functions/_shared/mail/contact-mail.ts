import { line, linesOf, name, oneClickLink, pathLink, type Templates } from './mail-data.ts';

/** Emails to those who write to us or read the newsletter. */
export const CONTACT_MAIL = {
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
} satisfies Templates;
