import { type Database, query } from '../connection.ts';
import type { Mail, MailBrand } from '../mail/layout.ts';
import type { MailData } from '../mail/mail-data.ts';
import { renderMail } from '../mail/templates.ts';
import { type Job, JobError, type JobKind } from './worker.ts';

export interface OutgoingMail extends Mail {
  to: string;
  /** The same on every attempt, so that a recipient's server recognizes a duplicate. */
  messageId: string;
}

/** Sends an email. Throws if it wasn't accepted: a `JobError` if the reason is known. */
export type Deliver = (mail: OutgoingMail, signal: AbortSignal) => Promise<void>;

/** An email was refused for good, because there's no such mailbox. */
export class NoMailboxError extends JobError {
  constructor(message: string) {
    super(message, 'refused');
  }
}

/** Timeout of one email, however slowly the mail server responds, in ms. */
const TIME_LIMIT = 60_000;

/**
 * Jobs that send email. An email that's no longer needed when it's due is dropped.
 * @param options.keep whether to keep the rendered email in its row, for the mailbox, or only its
 * subject.
 */
export function mailJobs(options: { brand: MailBrand; deliver: Deliver; keep: boolean }): JobKind {
  const { brand, deliver, keep } = options;
  return {
    name: 'mail',
    timeLimit: TIME_LIMIT,
    lease: keep ? '5 seconds' : '2 minutes',
    async run(job, db, signal) {
      const data = await readData(db, job);
      if (!data) return 'dropped';
      const mail = draw(job, data, brand);
      await deliver(mail, signal);
      const { subject, html, text } = mail;
      return { keep: keep ? { subject, html, text } : { subject } };
    },
  };
}

/** The email's current data, read right before sending; null if it's no longer wanted. */
async function readData(db: Database, { payload, secret }: Job): Promise<MailData | null> {
  const rows = await query<{ data: MailData | null }>(db)`
    select private.mail_to_send(${payload.template}, ${JSON.stringify(secret)}::jsonb) as data`;
  return rows[0]?.data ?? null;
}

/** @throws {JobError} if it can't be rendered: a retry would fail the same way. */
function draw({ id, payload }: Job, data: MailData, brand: MailBrand): OutgoingMail {
  const host = new URL(brand.siteUrl).hostname;
  try {
    const mail = renderMail(String(payload.template), data, brand);
    return { ...mail, to: String(payload.to), messageId: `<${id}@${host}>` };
  } catch (error) {
    throw new JobError((error as Error).message, 'refused');
  }
}
