import { sql } from 'kysely';
import type { Database } from '../connection.ts';
import type { Mail, MailBrand } from './layout.ts';
import { type MailData, renderMail } from './templates.ts';

/** A mail on its way out. */
export interface OutgoingMail extends Mail {
  to: string;
  /** The same at every try, so that a receiver recognises a mail that came twice. */
  messageId: string;
}

/** Hands a mail on; rejects when it was not taken. */
export type Deliver = (mail: OutgoingMail) => Promise<void>;

/**
 * How long a sender may take for a mail before it counts as dead and another one tries: a mail server
 * may be slow, a mail that only stays in its row is done at once.
 */
const LEASE = { sent: '5 minutes', kept: '5 seconds' };

/** After so many tries a mail stops, with its reason. With the pauses below that is about a day. */
const TRIES = 8;

/** Pause before the next try: 30 s, doubled each time. */
const FIRST_PAUSE_SECONDS = 30;

interface Row {
  id: string;
  to_address: string;
  template: string;
  /** Null: there is nothing left to say. */
  data: MailData | null;
  attempts: number;
}

/**
 * Sends mails that are due, one after the other, until none is left.
 *
 * A row is claimed in a statement of its own before anything is sent, so that senders at the same
 * time never take the same mail, and a sender that dies holds up one mail for its lease only. The
 * same statement asks what the mail says now; one that has nothing left to say is dropped.
 * @param options.keep whether the drawn mail stays in its row (for the mailbox); otherwise links and
 *   codes are wiped once it is sent.
 * @returns how many were sent.
 */
export async function sendDueMail(
  db: Database,
  options: { brand: MailBrand; deliver: Deliver; keep: boolean; log: (line: string) => void },
): Promise<number> {
  let sent = 0;
  for (;;) {
    const row = await claim(db, options.keep ? LEASE.kept : LEASE.sent);
    if (!row) return sent;
    if (!row.data) {
      await markDropped(db, row);
      continue;
    }
    try {
      const mail = renderMail(row.template, row.data, options.brand);
      const host = new URL(options.brand.siteUrl).hostname;
      await options.deliver({ ...mail, to: row.to_address, messageId: `<${row.id}@${host}>` });
      await markSent(db, row, options.keep ? mail : null, mail.subject);
      sent += 1;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      options.log(`Mail ${row.id} (${row.template}), try ${row.attempts}: ${reason}`);
      await markFailed(db, row, reason);
    }
  }
}

async function claim(db: Database, lease: string): Promise<Row | null> {
  const { rows } = await sql<Row>`
    update public.mail_outbox
    set state = 'sending', attempts = attempts + 1, next_attempt_at = now() + ${lease}::interval
    where id = (
      select id from public.mail_outbox
      where state in ('queued', 'sending') and next_attempt_at <= now()
      order by next_attempt_at, created_at
      limit 1
      for update skip locked
    )
    returning id, to_address, template, private.mail_to_send(template, data) as data, attempts
  `.execute(db);
  return rows[0] ?? null;
}

async function markSent(db: Database, row: Row, kept: Mail | null, subject: string): Promise<void> {
  await sql`
    update public.mail_outbox
    set state = 'sent', sent_at = clock_timestamp(), last_error = null, subject = ${subject},
      html = ${kept?.html ?? null}, body_text = ${kept?.text ?? null}, data = '{}'
    where id = ${row.id}
  `.execute(db);
}

/** What it was to tell of was read, removed or silenced in the meantime. */
async function markDropped(db: Database, row: Row): Promise<void> {
  await sql`
    update public.mail_outbox set state = 'dropped', last_error = null, data = '{}'
    where id = ${row.id} and state = 'sending'
  `.execute(db);
}

async function markFailed(db: Database, row: Row, reason: string): Promise<void> {
  const pause = FIRST_PAUSE_SECONDS * 2 ** (row.attempts - 1);
  await sql`
    update public.mail_outbox
    set state = ${row.attempts >= TRIES ? 'failed' : 'queued'},
      next_attempt_at = now() + make_interval(secs => ${pause}),
      last_error = ${reason.slice(0, 500)}
    where id = ${row.id} and state = 'sending'
  `.execute(db);
}
