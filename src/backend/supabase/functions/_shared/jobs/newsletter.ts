import { setTimeout as wait } from 'node:timers/promises';
import { type Database, query, queryOne } from '../connection.ts';
import type { MailBrand } from '../mail/layout.ts';
import { renderMail } from '../mail/templates.ts';
import { setting } from '../settings.ts';
import { type Deliver, NoMailboxError, type OutgoingMail } from './mail.ts';
import { type Job, JobError, type JobKind, retryWriting } from './worker.ts';

/** Timeout of one batch, in ms: an email may take 60 seconds, and no new one begins after a while. */
const TIME_LIMIT = 90_000;
/** After this time no new email begins, in ms; the job is due again right away. */
const BATCH_TIME = 20_000;
/** How many emails a minute go out unless NEWSLETTER_PER_MINUTE says otherwise. */
const PER_MINUTE = 300;

/** So many addresses refused in a row are the mail server's fault, and not all of theirs. */
const ALL_REFUSED = 10;

interface SendOptions {
  brand: MailBrand;
  deliver: Deliver;
  /** Whether to keep the rendered emails, for the mailbox. */
  keep: boolean;
  signal: AbortSignal;
}

/** A recipient whose mailbox doesn't exist, in the mail server's words. */
interface Gone {
  id: string;
  reason: string;
}

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
 */
export function newsletterJobs(options: Omit<SendOptions, 'signal'>): JobKind {
  return {
    name: 'send_newsletter',
    timeLimit: TIME_LIMIT,
    lease: options.keep ? '5 seconds' : '2 minutes',
    async run(job, db, signal) {
      const issue = await readIssue(db, job);
      if (!issue) return 'dropped';
      await sendBatch(db, job, issue, { ...options, signal });
      const again = await end(db, job);
      return again === null ? { keep: {} } : { again };
    },
  };
}

/** Sends to one recipient after another until the time is up or nobody else is due. */
async function sendBatch(db: Database, job: Job, issue: Issue, options: SendOptions) {
  const { keep, signal } = options;
  const [begun, pace] = [performance.now(), keep ? 0 : paceOf()];
  let sent = 0;
  let isOver = false;
  /** Those whose mailbox is gone, if the mail server isn't refusing everyone. */
  let gone: Gone[] = [];
  while (!isOver && performance.now() - begun < (keep ? BATCH_TIME / 10 : BATCH_TIME)) {
    const turn = performance.now();
    const recipient = await claim(db, job);
    isOver = recipient === null;
    const outcome = recipient && (await send(db, issue, recipient, options));
    if (outcome === 'sent') {
      sent += 1;
      await recordGone(db, gone);
      gone = [];
    } else if (outcome && outcome !== 'recorded') gone.push(outcome);
    if (gone.length === ALL_REFUSED) {
      await release(db, gone);
      throw new JobError(
        `The mail server refuses every address, the last one with: ${gone.at(-1)?.reason}`,
        'service',
      );
    }
    const left = pace - (performance.now() - turn);
    if (left > 0 && !isOver) await wait(left, undefined, { signal });
  }
  // With nobody to compare them with, they're due again, after those who haven't had their turn.
  await (sent > 0 || isOver ? recordGone : release)(db, gone);
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

const release = async (db: Database, claimed: readonly { id: string }[]) => {
  for (const { id } of claimed) {
    await query(db)`select private.release_newsletter_delivery(${id})`;
  }
};

const recordGone = async (db: Database, gone: readonly Gone[]) => {
  for (const { id, reason } of gone) {
    await query(db)`
      select private.finish_newsletter_delivery(${id}, 'refused', ${reason}, true)`;
  }
};

/**
 * Sends one email, and records what became of it unless the mailbox is gone.
 * @throws JobError if none can be sent now
 */
async function send(
  db: Database,
  issue: Issue,
  recipient: Recipient,
  { brand, deliver, keep, signal }: SendOptions,
): Promise<'sent' | 'recorded' | Gone> {
  const { id, to } = recipient;
  const mail = draw(issue, recipient, brand);
  try {
    await deliver(mail, signal);
  } catch (error) {
    const { message, why = 'later' } = error as Partial<JobError>;
    const reason = String(message);
    if (signal.aborted || why === 'service') {
      await release(db, [recipient]);
      throw error;
    }
    if (error instanceof NoMailboxError) return { id, reason };
    await (why === 'refused'
      ? query(db)`select private.finish_newsletter_delivery(${id}, 'refused', ${reason})`
      : query(db)`select private.postpone_newsletter_delivery(${id}, ${reason})`);
    return 'recorded';
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
  return 'sent';
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
