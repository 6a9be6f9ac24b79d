import { ACCOUNT_MAIL } from './account-mail.ts';
import { BUSINESS_MAIL } from './business-mail.ts';
import { CONTACT_MAIL } from './contact-mail.ts';
import { EVENT_MAIL } from './event-mail.ts';
import { drawMail, type Mail, type MailBrand, type MailParts } from './layout.ts';
import type { MailData, Templates } from './mail-data.ts';
import { UNREAD_MAIL } from './unread-mail.ts';

/** Every email the product sends, from a row's data and the sender. Throws if a link is invalid. */
export const TEMPLATES = {
  ...ACCOUNT_MAIL,
  ...CONTACT_MAIL,
  ...BUSINESS_MAIL,
  ...UNREAD_MAIL,
  ...EVENT_MAIL,
} satisfies Templates;

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
