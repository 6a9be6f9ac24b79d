import { setTimeout as wait } from 'node:timers/promises';
import { type Database, query, queryOne } from '../connection.ts';
import type { MailBrand } from '../mail/layout.ts';
import { renderMail } from '../mail/templates.ts';
import { setting } from '../settings.ts';
import type { Deliver, OutgoingMail } from './mail.ts';
import { type Job, JobError, type JobKind, retryWriting } from './worker.ts';

/** Timeout of one batch, in ms: an email may take 60 seconds, and no new one begins after a while. */
const TIME_LIMIT = 90_000;
/** After this time no new email begins, in ms; the job is due again right away. */
const BATCH_TIME = 20_000;
/** How many emails a minute go out unless NEWSLETTER_PER_MINUTE says otherwise. */
const PER_MINUTE = 300;

interface Issue {
  subject: string;
  preview: string;
  body: string;
  path: string;
}

interface Recipient {
  id: string;
  to: string;
  leave_secret: string;
}

/** The shortest pause between the beginnings of two emails, in ms. */
function paceOf(): number {
  const given = Number(setting('NEWSLETTER_PER_MINUTE'));
  return 60_000 / (given > 0 ? given : PER_MINUTE);
}

/**
 * Jobs that send an issue of the newsletter, one recipient after another. They have their own lane,
 * so emails about accounts never wait behind them. What became of each recipient is recorded before
 * the next one's turn; only an email that was being handed over when the process died is sent again,
 * under the same Message-ID.
 * @param options.keep whether to keep the rendered emails, for the mailbox.
 */
export function newsletterJobs(options: {
  brand: MailBrand;
  deliver: Deliver;
  keep: boolean;
}): JobKind {
  return {
    name: 'send_newsletter',
    timeLimit: TIME_LIMIT,
    lease: options.keep ? '5 seconds' : '2 minutes',
    async run(job, db, signal) {
      const issue = await readIssue(db, job);
      if (!issue) return 'dropped';
      const [begun, pace] = [performance.now(), options.keep ? 0 : paceOf()];
      while (performance.now() - begun < (options.keep ? BATCH_TIME / 10 : BATCH_TIME)) {
        const turn = performance.now();
        const recipient = await claim(db, job);
        if (!recipient) break;
        await send(db, issue, recipient, { ...options, signal });
        const left = pace - (performance.now() - turn);
        if (left > 0) await wait(left, undefined, { signal });
      }
      const again = await end(db, job);
      return again === null ? { keep: {} } : { again };
    },
  };
}

const issueId = ({ payload }: Job) => String(payload.issue_id);

/** What to send; null if sending was stopped or another job took over. */
async function readIssue(db: Database, job: Job): Promise<Issue | null> {
  const row = await queryOne<{ issue: Issue | null }>(db)`
    select private.newsletter_to_send(${issueId(job)}, ${job.id}) as issue`;
  return row?.issue ?? null;
}

async function claim(db: Database, job: Job): Promise<Recipient | null> {
  const row = await queryOne<{ recipient: Recipient | null }>(db)`
    select private.claim_newsletter_delivery(${issueId(job)}) as recipient`;
  return row?.recipient ?? null;
}

/** The seconds until more is due; null once everyone has had their turn, or if it was stopped. */
async function end(db: Database, job: Job): Promise<number | null> {
  const row = await queryOne<{ again: number | null }>(db)`
    select private.end_newsletter(${issueId(job)}) as again`;
  return row?.again ?? null;
}

/** Sends one email and records what became of it. @throws JobError if none can be sent now */
async function send(
  db: Database,
  issue: Issue,
  { id, to, leave_secret }: Recipient,
  {
    brand,
    deliver,
    keep,
    signal,
  }: { brand: MailBrand; deliver: Deliver; keep: boolean; signal: AbortSignal },
): Promise<void> {
  const mail = draw(issue, { id, to, leave_secret }, brand);
  try {
    await deliver(mail, signal);
  } catch (error) {
    const { message, why = 'later', isNoMailbox = false } = error as Partial<JobError>;
    if (signal.aborted || why === 'service') {
      await query(db)`select private.release_newsletter_delivery(${id})`;
      throw error;
    }
    await (why === 'refused'
      ? query(db)`
        select private.finish_newsletter_delivery(${id}, 'refused', ${String(message)}, ${isNoMailbox})`
      : query(db)`select private.postpone_newsletter_delivery(${id}, ${String(message)})`);
    return;
  }
  const { subject, html, text } = mail;
  const kept = keep
    ? JSON.stringify({ to, template: 'newsletter-issue', subject, html, text })
    : null;
  // Without the signal: the email was taken, whatever became of the time limit.
  await retryWriting(undefined, async () => {
    await query(db)`
      select private.finish_newsletter_delivery(${id}, 'sent', null, false, ${kept}::jsonb)`;
  });
}

/** @throws {JobError} if it can't be rendered: nobody could get it. */
function draw(issue: Issue, { id, to, leave_secret }: Recipient, brand: MailBrand): OutgoingMail {
  const data = { ...issue, leave_path: `/newsletter#leave=${leave_secret}` };
  try {
    const mail = renderMail('newsletter-issue', data, brand);
    return { ...mail, to, messageId: `<${id}@${new URL(brand.siteUrl).hostname}>` };
  } catch (error) {
    throw new JobError((error as Error).message, 'refused');
  }
}
