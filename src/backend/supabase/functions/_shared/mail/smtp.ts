import { createTransport } from 'nodemailer';
import { type Deliver, NoMailboxError } from '../jobs/mail.ts';
import { JobError } from '../jobs/worker.ts';
import type { MailBrand } from './layout.ts';

/** How long a mail server may take to connect, to greet, and to respond to each command, in ms. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Response codes that ask for a name and password, whatever the command. */
const AUTHENTICATION = [530, 534, 535, 538];

interface SmtpError extends Error {
  code?: string;
  /** The command that was rejected; CONN or API if there was none. */
  command?: string;
  responseCode?: number;
}

/**
 * Whether a mail server says that there's no such mailbox. 5.7 is about the sender or the content,
 * such as a relay that refuses everyone (RFC 3463).
 */
const isNoMailbox = ({ command, responseCode = 0, message }: SmtpError) =>
  command === 'RCPT TO' &&
  responseCode >= 500 &&
  !AUTHENTICATION.includes(responseCode) &&
  !/\b5\.7\.\d/.test(message);

/** Why an email wasn't accepted. Most errors before RCPT TO aren't about the email. */
function whyOf({ code, command, responseCode = 0, message }: SmtpError): JobError['why'] {
  const isTooLarge = code === 'EMESSAGE' && command !== 'DATA';
  const isNoAddress = command === 'API' && message.startsWith('Invalid recipient');
  if (isTooLarge || isNoAddress || (command === 'MAIL FROM' && responseCode === 552)) {
    return 'refused';
  }
  const isAboutMail = command === 'RCPT TO' || command === 'DATA';
  if (!isAboutMail || responseCode < 400 || responseCode === 421) return 'service';
  if (AUTHENTICATION.includes(responseCode)) return 'service';
  return responseCode >= 500 ? 'refused' : 'later';
}

/**
 * Sends through a mail server.
 * @param url `smtp://name:password@host:587` or `smtps://…:465`; `?from=` sets the sender's
 * address, by default the organization's.
 */
export function smtpDelivery(url: string, brand: MailBrand): { deliver: Deliver; close(): void } {
  const address = new URL(url);
  const from = address.searchParams.get('from') ?? brand.email;
  address.searchParams.delete('from');
  const transport = createTransport({
    url: address.href,
    ...TIMEOUTS,
  } as Parameters<typeof createTransport>[0]);
  return {
    async deliver(mail, signal) {
      try {
        await transport.sendMail({
          from: { name: brand.product, address: from },
          // As objects, because a string could be parsed as a list of several addresses.
          to: { name: '', address: mail.to },
          replyTo: { name: '', address: mail.replyTo ?? brand.email },
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          messageId: mail.messageId,
          signal,
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(mail.leave
              ? {
                  'List-Unsubscribe': `<${mail.leave}>`,
                  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
                }
              : {}),
          },
        } as Parameters<typeof transport.sendMail>[0]);
      } catch (error) {
        const failure = error as SmtpError;
        if (isNoMailbox(failure)) throw new NoMailboxError(failure.message);
        throw new JobError(failure.message, whyOf(failure));
      }
    },
    close: () => transport.close(),
  };
}
