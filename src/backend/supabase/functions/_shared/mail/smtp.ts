import { createTransport } from 'nodemailer';
import type { MailBrand } from './layout.ts';
import type { Deliver } from './sender.ts';

/** How long a mail server may stay silent, in ms. */
const PATIENCE = 20_000;

/**
 * Sends through a mail server.
 * @param url `smtp://name:password@host:587` or `smtps://…:465`; `?from=` names the sender, which is
 *   otherwise the organisation's address.
 */
export function smtpDelivery(url: string, brand: MailBrand): { deliver: Deliver; close(): void } {
  const address = new URL(url);
  const from = address.searchParams.get('from') ?? brand.email;
  address.searchParams.delete('from');
  const transport = createTransport({
    url: address.href,
    connectionTimeout: PATIENCE,
    greetingTimeout: PATIENCE,
    socketTimeout: PATIENCE,
  } as Parameters<typeof createTransport>[0]);
  return {
    async deliver(mail) {
      await transport.sendMail({
        from: { name: brand.product, address: from },
        // As addresses, and not as text, in which one could be a list of several.
        to: { name: '', address: mail.to },
        replyTo: { name: '', address: mail.replyTo ?? brand.email },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        messageId: mail.messageId,
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(mail.leave
            ? {
                'List-Unsubscribe': `<${mail.leave}>`,
                'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
              }
            : {}),
        },
      });
    },
    close: () => transport.close(),
  };
}
