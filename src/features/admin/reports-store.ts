/** Reported messages: the list, the conversation around one, and resolving a report. */

import { atom } from 'nanostores';
import {
  getReportedConversation,
  listMessageReports,
  type Report,
  type ReportedConversation,
  type ReportPage,
  settleMessageReport,
} from '#data/message-reports.ts';
import type { ReportOutcome, ReportState } from '#domain/message-report.ts';
import type { AppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';
import { reportError } from '#stores/session.ts';

export type ReportsStore = ReturnType<typeof createReportsStore>;

/** Creates the store for one page. */
export function createReportsStore(
  connect: () => Promise<Db>,
  initial: ReportPage,
  state: ReportState,
) {
  const $reports = atom<readonly Report[]>(initial.reports);
  const $more = atom(initial.more);
  const $reading = atom<ReportedConversation | null>(null);
  const $busy = atom<'list' | 'read' | null>(null);
  const $failure = atom<AppError | null>(null);

  async function ask(what: 'list' | 'read', work: (db: Db) => Promise<void>): Promise<void> {
    if ($busy.get()) return;
    $busy.set(what);
    $failure.set(null);
    try {
      await work(await connect());
    } catch (thrown) {
      $failure.set(reportError(thrown));
    } finally {
      $busy.set(null);
    }
  }

  const more = () =>
    ask('list', async (db) => {
      const page = await listMessageReports(db, state, $reports.get().at(-1) ?? null);
      $reports.set([...$reports.get(), ...page.reports]);
      $more.set(page.more);
    });

  /** Opens the conversation of a report. The database logs each call. */
  const read = (id: string) =>
    ask('read', async (db) => $reading.set(await getReportedConversation(db, id)));

  /** Loads the messages before the first one shown. Logged too. */
  const older = () =>
    ask('read', async (db) => {
      const now = $reading.get();
      const first = now?.messages[0];
      if (!now || !first) return;
      const page = await getReportedConversation(db, now.report.id, first.seq);
      $reading.set({ ...now, messages: [...page.messages, ...now.messages], more: page.more });
    });

  /** Resolves a report. Throws an AppError, which the form shows. */
  async function settle(id: string, outcome: ReportOutcome, reason: string): Promise<void> {
    try {
      await settleMessageReport(await connect(), id, outcome, reason);
    } catch (thrown) {
      throw reportError(thrown);
    }
    $reports.set($reports.get().filter((report) => report.id !== id));
    $reading.set(null);
  }

  const close = () => $reading.set(null);

  return { $reports, $more, $reading, $busy, $failure, more, read, older, settle, close };
}
