/** Reported messages, for admins. Each read of a conversation is recorded in the audit log. */
import * as v from 'valibot';
import { CONVERSATION_KINDS } from '#domain/message.ts';
import {
  REPORT_OUTCOMES,
  REPORT_REASONS,
  REPORT_STATES,
  type ReportOutcome,
  type ReportState,
} from '#domain/message-report.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { person } from './conversations.ts';
import { message } from './messages.ts';

export const report = v.object({
  id: v.string(),
  state: v.picklist(REPORT_STATES),
  outcome: v.nullable(v.picklist(REPORT_OUTCOMES)),
  reason: v.picklist(REPORT_REASONS),
  note: v.nullable(v.string()),
  created_at: v.string(),
  settled_at: v.nullable(v.string()),
  /** The admin's name. */
  settled_by: v.nullable(v.string()),
  message_id: v.nullable(v.string()),
  conversation_id: v.nullable(v.string()),
  kind: v.nullable(v.picklist(CONVERSATION_KINDS)),
  /** Null if the account was deleted. */
  reporter: v.nullable(person),
  author: v.nullable(person),
});
export type Report = v.InferOutput<typeof report>;

export const reportPage = v.object({
  /** Newest first. */
  reports: v.array(report),
  more: v.boolean(),
  /** How many are open; 100 means 100 or more. */
  open: v.number(),
});
export type ReportPage = v.InferOutput<typeof reportPage>;

export const reportedConversation = v.object({
  /** With `said`: the message's text at the time of the report. */
  report: v.object({ ...report.entries, said: v.string() }),
  people: v.array(v.object({ ...person.entries, left: v.boolean() })),
  /** By `seq`, oldest first. */
  messages: v.array(message),
  /** Whether there are older messages. */
  more: v.boolean(),
});
export type ReportedConversation = v.InferOutput<typeof reportedConversation>;

/** A page of reports, without the messages' text. Throws an AppError. */
export const listMessageReports = (db: Db, state: ReportState, after: Report | null = null) =>
  rpc(db, 'admin_message_reports', reportPage, {
    p_state: state,
    ...(after ? { p_before: after.created_at, p_before_id: after.id } : {}),
  });

/** The messages around a reported one, or those before a `seq`. Each call is recorded. */
export const getReportedConversation = (db: Db, reportId: string, before: number | null = null) =>
  rpc(db, 'get_reported_conversation', reportedConversation, {
    p_report_id: reportId,
    ...(before === null ? {} : { p_before: before }),
  });

/** Closes a report, with a reason for the record. Idempotent. Throws an AppError. */
export const settleMessageReport = (
  db: Db,
  reportId: string,
  outcome: ReportOutcome,
  reason: string,
) =>
  rpc(db, 'settle_message_report', report, {
    p_report_id: reportId,
    p_outcome: outcome,
    p_reason: reason,
  });
