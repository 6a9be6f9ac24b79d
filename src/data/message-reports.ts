/** Reported messages, for admins: each look into a conversation is in the audit log. */
import type {
  ConversationKind,
  ReportOutcome,
  ReportReason,
  ReportState,
} from '#domain/message.ts';
import { dataOf } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';
import type { Person } from './conversations.ts';
import type { Message } from './messages.ts';

export interface Report {
  id: string;
  state: ReportState;
  outcome: ReportOutcome | null;
  reason: ReportReason;
  note: string | null;
  created_at: string;
  settled_at: string | null;
  /** The name of the admin. */
  settled_by: string | null;
  message_id: string | null;
  conversation_id: string | null;
  kind: ConversationKind | null;
  /** Null when the account is gone. */
  reporter: Person | null;
  author: Person | null;
}

export interface ReportPage {
  /** Newest first. */
  reports: Report[];
  more: boolean;
  /** How many are open; 100 means 100 or more. */
  open: number;
}

export interface ReportedConversation {
  /** With what the message said when it was reported. */
  report: Report & { said: string };
  people: (Person & { left: boolean })[];
  /** By place, the oldest first. */
  messages: Message[];
  /** Whether there are older ones. */
  more: boolean;
}

/** A page of reports, without what was said. Throws an AppError. */
export async function listMessageReports(
  db: Db,
  state: ReportState,
  after: Report | null = null,
): Promise<ReportPage> {
  return dataOf(
    await db.rpc('list_message_reports', {
      p_state: state,
      ...(after ? { p_before: after.created_at, p_before_id: after.id } : {}),
    }),
  ) as unknown as ReportPage;
}

/** The conversation around a reported message, or what stands before a place. On record each time. */
export async function getReportedConversation(
  db: Db,
  reportId: string,
  before: number | null = null,
): Promise<ReportedConversation> {
  return dataOf(
    await db.rpc('get_reported_conversation', {
      p_report_id: reportId,
      ...(before === null ? {} : { p_before: before }),
    }),
  ) as unknown as ReportedConversation;
}

/** Ends a report, with the reason for the record. Twice is once. Throws an AppError. */
export async function settleMessageReport(
  db: Db,
  reportId: string,
  outcome: ReportOutcome,
  reason: string,
): Promise<Report> {
  return dataOf(
    await db.rpc('settle_message_report', {
      p_report_id: reportId,
      p_outcome: outcome,
      p_reason: reason,
    }),
  ) as unknown as Report;
}
