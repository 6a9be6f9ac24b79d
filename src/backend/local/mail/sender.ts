import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { parse } from 'yaml';
import type { Database } from '#backend/supabase/functions/_shared/connection.ts';
import type { MailBrand } from '#backend/supabase/functions/_shared/mail/layout.ts';
import { sendDueMail } from '#backend/supabase/functions/_shared/mail/sender.ts';
import { smtpDelivery } from '#backend/supabase/functions/_shared/mail/smtp.ts';
import { listen } from '../postgres/listen.ts';

/** How often it's looked whether a mail is due again, in ms. */
const BEAT = 30_000;

/** How long closing waits for the mail that is under way, in ms. */
const PATIENCE = 2_000;

/** Sends the mail outbox from this process. */
export interface MailSender {
  /** Sends what is due and says how many went; afterwards nothing is under way. */
  sendDue(): Promise<number>;
  /** Says that there is something to send; returns at once. */
  wake(): void;
  /** Breaks off the mail that is under way, which the next sender tries again; takes 2 s at most. */
  close(): Promise<void>;
}

/**
 * Starts the sender. It wakes by itself from time to time, and when a mail is queued here or, through
 * LISTEN, in another process or by the database itself.
 * @param options.smtpUrl where mail goes; without it a mail counts as sent once it can be read in
 *   the mailbox.
 * @param options.hasRoom whether there is room to note what was sent: a mail that isn't noted would go
 *   out twice.
 */
export async function createMailSender(options: {
  db: Database;
  databaseUrl: string;
  siteUrl: string;
  smtpUrl?: string | undefined;
  hasRoom: () => Promise<boolean>;
  log: (line: string) => void;
}): Promise<MailSender> {
  const { db, hasRoom, log } = options;
  const brand = await readBrand(options.siteUrl);
  const smtp = options.smtpUrl ? smtpDelivery(options.smtpUrl, brand) : null;
  const deliver = smtp?.deliver ?? (async () => {});
  const closing = new AbortController();
  const { signal } = closing;
  const send = async () =>
    (await hasRoom()) ? sendDueMail(db, { brand, deliver, keep: !smtp, signal, log }) : 0;

  let again = false;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    do {
      again = false;
      await send().catch((error: Error) => {
        if (!signal.aborted) log(`Sending email failed and will be tried again: ${error.message}`);
      });
    } while (again && !signal.aborted);
  }

  function wake(): void {
    if (signal.aborted) return;
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

  const listener = await listen(options.databaseUrl, {
    name: 'trellis-mail',
    channel: 'mail_outbox',
    heard: wake,
    missed: wake,
  });
  const beat = setInterval(wake, BEAT).unref();
  wake();
  return {
    sendDue,
    wake,
    async close() {
      clearInterval(beat);
      closing.abort();
      await Promise.race([
        Promise.all([listener.close(), running]),
        wait(PATIENCE, undefined, { ref: false }),
      ]);
      smtp?.close();
    },
  };
}

/** Who sends: content/site.yaml. */
export async function readBrand(siteUrl: string): Promise<MailBrand> {
  const path = new URL('../../../../content/site.yaml', import.meta.url);
  // Its schema in collections/site.ts asks for all three.
  const { product, organisation, email } = parse(await readFile(path, 'utf8')) as MailBrand;
  return {
    product,
    organisation,
    email,
    siteUrl: siteUrl.replace(/\/+$/, ''),
  };
}
