import type { MailBrand, MailParts } from './layout.ts';
import { line, lines, link, type MailData, pathLink, type Templates } from './mail-data.ts';

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

/** Emails about an account, and notices. */
export const ACCOUNT_MAIL = {
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

  notice,
  /** What happens to someone's account: a notice that no other notices hold back. */
  'account-notice': notice,
} satisfies Templates;
