/** The newsletter: its issues as admins write and send them, and the archive that everyone reads. */
import * as v from 'valibot';
import { ISSUE_STATES, type IssueFilter } from '#domain/newsletter.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { listedRow, readAdminList } from './admin-lists.ts';
import { callFunction } from './functions.ts';

const progress = {
  state: v.picklist(ISSUE_STATES),
  /** When sending begins by itself. */
  send_at: v.nullable(v.string()),
  begun_at: v.nullable(v.string()),
  finished_at: v.nullable(v.string()),
  updated_at: v.string(),
  /** How many had confirmed when sending began, and how many of them have it or were refused. */
  recipients: v.number(),
  delivered: v.number(),
  refused: v.number(),
};

export const listedIssue = listedRow({ subject: v.string(), ...progress });
export type ListedIssue = v.InferOutput<typeof listedIssue>;

export const newsletterIssue = v.object({
  id: v.string(),
  subject: v.string(),
  preview: v.string(),
  /** Markdown. */
  body: v.string(),
  revision: v.number(),
  /** The last part of its address; null until sending begins. */
  slug: v.nullable(v.string()),
  updated_by: v.nullable(v.string()),
  updated_by_name: v.nullable(v.string()),
  ...progress,
  /** How many of the recipients it hasn't been sent to yet. */
  waiting: v.number(),
  /** How many people would get it if it were sent now. */
  subscribers: v.number(),
  /** When the issue before this one went out. */
  last_begun_at: v.nullable(v.string()),
  /** Why sending is stuck, in the mail server's words, and whether it isn't tried anymore. */
  problem: v.nullable(v.object({ reason: v.string(), gave_up: v.boolean() })),
});
export type NewsletterIssue = v.InferOutput<typeof newsletterIssue>;

const refusals = v.array(
  v.object({ contact_id: v.string(), email: v.string(), reason: v.nullable(v.string()) }),
);
export type NewsletterRefusal = v.InferOutput<typeof refusals>[number];

const savedIssue = v.object({ saved: v.boolean(), issue: newsletterIssue });

const sentIssue = {
  slug: v.string(),
  subject: v.string(),
  preview: v.string(),
  sent_at: v.string(),
};
const archive = v.array(v.object(sentIssue));
export type SentIssue = v.InferOutput<typeof archive>[number];

const issuePreview = v.object({ html: v.string(), text: v.string() });
export type IssuePreview = v.InferOutput<typeof issuePreview>;

/** A page of issues. Throws an AppError. */
export const listIssues = (db: Db, filter: IssueFilter, limit?: number) =>
  readAdminList(db, 'admin_newsletter_issues', listedIssue, filter, limit);

/** One issue. Throws an AppError, `not-found` if there's none. */
export const getIssue = (db: Db, id: string) =>
  rpc(db, 'admin_newsletter_issue', newsletterIssue, { p_id: id });

/** The first 100 addresses that an issue couldn't be sent to. Throws an AppError. */
export const listRefusals = (db: Db, id: string) =>
  rpc(db, 'admin_newsletter_refusals', refusals, { p_id: id });

/** Starts an issue, once under its id. Throws an AppError. */
export const createIssue = (db: Db, id: string) =>
  rpc(db, 'create_newsletter_issue', newsletterIssue, { p_id: id });

/** Saves a draft unless someone has changed it since this revision. Throws an AppError. */
export const saveIssue = (
  db: Db,
  id: string,
  issue: { revision: number; subject: string; preview: string; body: string },
) =>
  rpc(db, 'save_newsletter_issue', savedIssue, {
    p_id: id,
    p_revision: issue.revision,
    p_subject: issue.subject,
    p_preview: issue.preview,
    p_body: issue.body,
  });

/** An issue as its email would look, rendered by what sends it. Throws an AppError. */
export const previewIssue = (
  db: Db,
  issue: { subject: string; preview: string; body: string },
): Promise<IssuePreview> => callFunction(db, 'newsletter-preview', issue, issuePreview);

/** Deletes a draft, for good. Throws an AppError. */
export const removeIssue = (db: Db, id: string) =>
  rpc(db, 'remove_newsletter_issue', ignored, { p_id: id });

/** Emails an issue to the admin who asks; returns the address. Throws an AppError. */
export const testIssue = async (db: Db, id: string): Promise<string> =>
  (await rpc(db, 'test_newsletter_issue', v.object({ to: v.string() }), { p_id: id })).to;

/**
 * Sends this revision to everyone who has confirmed.
 * @param at an ISO time within the next year; null: now
 * @throws AppError
 */
export const sendIssue = (db: Db, id: string, revision: number, at: string | null) =>
  rpc(db, 'send_newsletter_issue', newsletterIssue, {
    p_id: id,
    p_revision: revision,
    ...(at === null ? {} : { p_at: at }),
  });

/** Makes a scheduled issue a draft again. Throws an AppError. */
export const unscheduleIssue = (db: Db, id: string) =>
  rpc(db, 'unschedule_newsletter_issue', newsletterIssue, { p_id: id });

/** Stops sending an issue, or continues. Throws an AppError. */
export const stopIssue = (db: Db, id: string, isStopped: boolean) =>
  rpc(db, 'stop_newsletter_issue', newsletterIssue, { p_id: id, p_stopped: isStopped });

/** The issues that were sent, newest first; anyone can read them. Throws an AppError. */
export const listSentIssues = (db: Db) => rpc(db, 'list_newsletter_issues', archive);

/** One issue that was sent. Throws an AppError, `not-found` if there's none. */
export const getSentIssue = (db: Db, slug: string) =>
  rpc(db, 'newsletter_issue', v.object({ ...sentIssue, body: v.string() }), { p_slug: slug });
