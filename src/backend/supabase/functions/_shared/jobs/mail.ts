import { type Database, query } from '../connection.ts';
import type { Mail, MailBrand } from '../mail/layout.ts';
import { type MailData, renderMail } from '../mail/templates.ts';
import { type Job, JobError, type JobKind } from './worker.ts';

export interface OutgoingMail extends Mail {
  to: string;
  /** The same at every try, so that a receiver recognizes a mail that came twice. */
  messageId: string;
}

/** Hands a mail on; throws when it wasn't taken, a `JobError` where it's known why. */
export type Deliver = (mail: OutgoingMail, signal: AbortSignal) => Promise<void>;

/** The longest that one mail may take, however slowly the mail server answers, in ms. */
const TIME_LIMIT = 60_000;

/**
 * Jobs that are mails; one that has nothing left to say when it's sent is dropped.
 * @param options.keep whether the drawn mail stays in its row, for the mailbox, or the subject
 * alone.
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

/** What a mail says now, right before it's sent; null when it's no longer wanted. */
async function readData(db: Database, { payload, secret }: Job): Promise<MailData | null> {
  const rows = await query<{ data: MailData | null }>(db)`
    select private.mail_to_send(${payload.template}, ${JSON.stringify(secret)}::jsonb) as data`;
  return rows[0]?.data ?? null;
}

/** @throws {JobError} for one that can't be drawn, which would be the same next time. */
function draw({ id, payload }: Job, data: MailData, brand: MailBrand): OutgoingMail {
  const host = new URL(brand.siteUrl).hostname;
  try {
    const mail = renderMail(String(payload.template), data, brand);
    return { ...mail, to: String(payload.to), messageId: `<${id}@${host}>` };
  } catch (error) {
    throw new JobError((error as Error).message, 'refused');
  }
}
