import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { Database } from '#backend/supabase/functions/_shared/connection.ts';
import type { MailBrand } from '#backend/supabase/functions/_shared/mail/layout.ts';
import { sendDueMail } from '#backend/supabase/functions/_shared/mail/sender.ts';
import { smtpDelivery } from '#backend/supabase/functions/_shared/mail/smtp.ts';
import { connectForLong } from './connection.ts';

/** Sends the mail outbox from this process. */
export interface MailSender {
  /** Sends what is due and says how many went; afterwards nothing is under way. */
  sendDue(): Promise<number>;
  /** Says that there is something to send; returns at once. */
  wake(): void;
  close(): Promise<void>;
}

/**
 * Starts the sender: it wakes when a mail is queued here or, through LISTEN, in another process or
 * by the database itself.
 * @param options.smtpUrl where mail goes; without it a mail counts as sent once it can be read in
 *   the mailbox.
 */
export async function createMailSender(options: {
  db: Database;
  databaseUrl: string;
  siteUrl: string;
  smtpUrl?: string | undefined;
  log: (line: string) => void;
}): Promise<MailSender> {
  const { db, log } = options;
  const brand = await readBrand(options.siteUrl);
  const smtp = options.smtpUrl ? smtpDelivery(options.smtpUrl, brand) : null;
  const deliver = smtp?.deliver ?? (async () => {});
  const send = () => sendDueMail(db, { brand, deliver, keep: !smtp, log });

  let closed = false;
  let again = false;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    do {
      again = false;
      await send().catch((error: Error) => {
        if (!closed) log(`The mail sender stopped: ${error.message}`);
      });
    } while (again && !closed);
  }

  function wake(): void {
    if (closed) return;
    again = true;
    running ??= run().finally(() => {
      running = null;
    });
  }

  async function sendDue(): Promise<number> {
    const sent = await send();
    // What woke up before may have taken a mail and not be through with it.
    await running;
    return sent;
  }

  const ears = connectForLong(options.databaseUrl, 1, 'trellis-mail');
  await ears.listen('mail_outbox', wake, wake);
  return {
    sendDue,
    wake,
    async close() {
      closed = true;
      await ears.end({ timeout: 1 });
      await running;
      smtp?.close();
    },
  };
}

/** Who sends: content/site.yaml. */
export async function readBrand(siteUrl: string): Promise<MailBrand> {
  const path = new URL('../../../content/site.yaml', import.meta.url);
  // Its schema in collections/site.ts asks for all three.
  const { product, organisation, email } = parse(await readFile(path, 'utf8')) as MailBrand;
  return {
    product,
    organisation,
    email,
    siteUrl: siteUrl.replace(/\/+$/, ''),
  };
}
