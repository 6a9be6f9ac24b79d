import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Database, isDatabaseAway } from '../connection.ts';
import { isOutOfSpace } from '../out-of-space.ts';
import type { Mail, MailBrand } from './layout.ts';
import { type MailData, renderMail } from './templates.ts';

/** A mail on its way out. */
export interface OutgoingMail extends Mail {
  to: string;
  /** The same at every try, so that a receiver recognises a mail that came twice. */
  messageId: string;
}

/**
 * Hands a mail on; rejects when it was not taken, with an `Undelivered` where it is known why.
 * @param signal ends the try.
 */
export type Deliver = (mail: OutgoingMail, signal: AbortSignal) => Promise<void>;

/** A mail that was not taken. */
export class Undelivered extends Error {
  /**
   * `refused`: this mail, for good. `later`: this mail, for now. `server`: the mail server can't be
   * reached or takes nothing from us, so any other mail would fail the same way.
   */
  readonly why: 'refused' | 'later' | 'server';

  constructor(message: string, why: Undelivered['why']) {
    super(message);
    this.why = why;
  }
}

/** The longest that one mail may take, however slowly the mail server answers, in ms. */
const TIME_LIMIT = 60_000;

/** After this long a sender counts as dead, and another one tries; longer than the time limit. */
const LEASE = { sent: '2 minutes', kept: '5 seconds' };

/** A mail that fails for a reason that may pass is tried for so long. */
const GIVEN_UP_AFTER = '48 hours';

/** The pause before the next try: as long as it has failed so far, within these. */
const PAUSE = { first: '30 seconds', longest: '1 hour' };

/** Further ahead nothing is planned, unless the clock was put back since. */
const LONGEST_WAIT = '75 minutes';

/** The pause before it's tried again to write down that a mail was taken, in ms. */
const WRITING_PAUSE = 1_000;
/** How often that may fail for another reason than a database that is away or full. */
const WRITING_TRIES = 60;

interface Row {
  id: string;
  to_address: string;
  template: string;
  /** Null: there is nothing left to say. */
  data: MailData | null;
  attempts: number;
}

export interface SendOptions {
  brand: MailBrand;
  deliver: Deliver;
  /** Whether the drawn mail stays in its row, for the mailbox; otherwise links and codes are wiped. */
  keep: boolean;
  /** Ends the round and the mail that is under way, which is tried again. */
  signal?: AbortSignal;
  log: (line: string) => void;
}

/**
 * Sends mails that are due, one after the other, until none is left or the mail server is away.
 *
 * A row is claimed in a statement of its own before anything is sent, so that senders at the same
 * time never take the same mail, and a sender that dies holds up one mail for its lease only. The
 * same statement asks what the mail says now; one that has nothing left to say is dropped.
 * @returns how many were sent.
 */
export async function sendDueMail(db: Database, options: SendOptions): Promise<number> {
  const { keep, signal, log } = options;
  let sent = 0;
  while (!signal?.aborted) {
    const row = await claim(db, keep ? LEASE.kept : LEASE.sent);
    if (!row) return sent;
    if (!row.data) {
      await markDropped(db, row);
      continue;
    }
    let mail: OutgoingMail;
    try {
      mail = draw(row, row.data, options.brand);
      await deliverInTime(mail, options);
    } catch (error) {
      if (signal?.aborted) {
        await release(db, row);
        return sent;
      }
      const { message, why = 'later' } = error as Partial<Undelivered>;
      log(`Email ${row.id} (${row.template}) wasn't sent on try ${row.attempts}: ${message}`);
      const stopped = await markFailed(db, row, String(message), why);
      if (stopped > 0) log(`${stopped} failed for good. To list them: npm run mail -- failed`);
      if (why === 'server') return sent;
      continue;
    }
    await surely(signal, () => markSent(db, row, keep ? mail : null, mail.subject));
    sent += 1;
  }
  return sent;
}

/** @throws Undelivered for one that can't be drawn, which would be the same next time. */
function draw(row: Row, data: MailData, brand: MailBrand): OutgoingMail {
  const host = new URL(brand.siteUrl).hostname;
  try {
    const mail = renderMail(row.template, data, brand);
    return { ...mail, to: row.to_address, messageId: `<${row.id}@${host}>` };
  } catch (error) {
    throw new Undelivered((error as Error).message, 'refused');
  }
}

function deliverInTime(mail: OutgoingMail, { deliver, signal }: SendOptions): Promise<void> {
  const limit = AbortSignal.timeout(TIME_LIMIT);
  return deliver(mail, signal ? AbortSignal.any([signal, limit]) : limit);
}

/**
 * Tries again for as long as the database is away or full: a mail that was taken must not be sent once
 * more.
 */
async function surely(signal: AbortSignal | undefined, work: () => Promise<void>): Promise<void> {
  for (let left = WRITING_TRIES; ; ) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error) && !isOutOfSpace(error)) left -= 1;
      if (left === 0 || signal?.aborted) throw error;
      await wait(WRITING_PAUSE, undefined, { signal }).catch(() => {});
    }
  }
}

async function claim(db: Database, lease: string): Promise<Row | null> {
  const { rows } = await sql<Row>`
    update public.mail_outbox
    set state = 'sending', attempts = attempts + 1, next_attempt_at = now() + ${lease}::interval
    where id = (
      select id from public.mail_outbox
      where state in ('queued', 'sending')
        and (next_attempt_at <= now() or next_attempt_at > now() + ${LONGEST_WAIT}::interval)
      order by next_attempt_at, created_at
      limit 1
      for update skip locked
    )
    returning id, to_address, template, attempts,
      case when expires_at <= now() then null else private.mail_to_send(template, data) end as data
  `.execute(db);
  return rows[0] ?? null;
}

/** The row as this sender took it: another one may have taken it since. */
const own = (row: Row) => sql`id = ${row.id} and state = 'sending' and attempts = ${row.attempts}`;

async function markSent(db: Database, row: Row, kept: Mail | null, subject: string): Promise<void> {
  await sql`
    update public.mail_outbox
    set state = 'sent', sent_at = clock_timestamp(), last_error = null, failing_since = null,
      awaits_server = false, subject = ${subject},
      html = ${kept?.html ?? null}, body_text = ${kept?.text ?? null}, data = '{}'
    where id = ${row.id} and state <> 'sent'
  `.execute(db);
  // The mail server is there again.
  await sql`
    update public.mail_outbox set awaits_server = false, next_attempt_at = now()
    where awaits_server and state = 'queued'
  `.execute(db);
}

/** What it was to tell of was read, removed or silenced in the meantime, or its link has ended. */
async function markDropped(db: Database, row: Row): Promise<void> {
  await sql`
    update public.mail_outbox
    set state = 'dropped', last_error = null, awaits_server = false, data = '{}'
    where ${own(row)}
  `.execute(db);
}

/** The sender is to end: the mail is due again at once, for the next one. */
async function release(db: Database, row: Row): Promise<void> {
  await sql`
    update public.mail_outbox set state = 'queued', next_attempt_at = now() where ${own(row)}
  `.execute(db);
}

/**
 * Stops a mail that was refused; puts off one that may be taken later. Where the mail server is away,
 * all others that are due are put off as well, for which it is no try.
 * @returns how many have stopped.
 */
async function markFailed(
  db: Database,
  row: Row,
  reason: string,
  why: Undelivered['why'],
): Promise<number> {
  const isServer = why === 'server';
  const { rows } = await sql<{ stopped: string }>`
    with failed as (
      update public.mail_outbox
      set last_error = ${reason.slice(0, 500)}, awaits_server = ${isServer},
        failing_since = least(failing_since, now()),
        state = case
          when ${why === 'refused'} or failing_since <= now() - ${GIVEN_UP_AFTER}::interval
          then 'failed' else 'queued'
        end,
        next_attempt_at = now() + (0.9 + 0.2 * random()) * least(
          now() - least(failing_since, now()) + ${PAUSE.first}::interval, ${PAUSE.longest}::interval
        )
      where ${own(row)} or ${isServer} and state = 'queued' and next_attempt_at <= now()
      returning state
    )
    select count(*) filter (where state = 'failed') as stopped from failed
  `.execute(db);
  return Number(rows[0]?.stopped ?? 0);
}
