/** Background jobs as admins see them: states, kinds, and the list's filters. */
import { choiceParam, type FilterOf, filterCodec, placeParam, textParam } from './list.ts';

export const JOB_STATES = ['waiting', 'running', 'failed', 'done', 'dropped', 'scheduled'] as const;
export type JobState = (typeof JOB_STATES)[number];

export const JOB_STATE_LABELS: Record<JobState, string> = {
  waiting: 'Waiting',
  running: 'Running',
  failed: 'Failed',
  done: 'Done',
  dropped: 'No longer needed',
  scheduled: 'Runs regularly',
};

/** What each kind of work is called, by its name in the database. An email has its template's name. */
export const JOB_LABELS = {
  batch_surveys: 'Publish survey answers in groups',
  begin_due_newsletters: 'Start newsletters that are due',
  close_checkout: 'Close a checkout',
  close_old_checkouts: 'Close old checkouts',
  delete_discarded_quiz_drafts: 'Delete discarded quiz drafts',
  delete_due_accounts: 'Delete accounts that are due',
  delete_old_claims: 'Delete unclaimed quiz answers',
  delete_old_contacts: 'Delete old contacts',
  delete_old_event_people: 'Delete people of past events',
  delete_old_invitations: 'Delete old invitations',
  delete_old_jobs: 'Delete old jobs',
  delete_old_message_reports: 'Delete old reports of messages',
  delete_old_newsletter_deliveries: 'Delete who got old newsletters',
  delete_old_notifications: 'Delete old notifications',
  delete_old_page_views: 'Delete old page views',
  delete_old_rate_limits: 'Delete old request counts',
  delete_removed_copies: 'Delete removed copies of tools',
  end_left_memberships: 'End memberships of people who left',
  end_membership: 'End a membership',
  expire_attempts: 'End quizzes nobody finished',
  expire_quotes: 'End old quotes',
  forget_tool_files: 'Remove unused files of tools',
  forget_unsent_files: 'Remove files nobody sent',
  forget_unsent_order_files: 'Remove unsent files of orders',
  hubspot_sync: 'Send records to HubSpot',
  keep_event_places: 'Offer free places at events',
  keep_seats: 'Offer free seats and end old ones',
  mail: 'Email',
  mail_unread_messages: 'Email people about unread messages',
  queue_hubspot: 'Find changes for HubSpot',
  queue_wrike: 'Find changes for Wrike',
  read_programs: 'Update the figures of programs',
  refresh_benchmarks: 'Update the comparison of scores',
  remind_of_focus_actions: 'Remind people of their actions',
  remind_of_invoices: 'Remind about invoices',
  remind_of_surveys: 'Remind about surveys',
  remove_file: 'Remove a file',
  run_coaching_clocks: 'Check coaching deadlines',
  send_newsletter: 'Send a newsletter',
  send_refund: 'Send a refund',
  settle_project_files: 'Tidy files of projects',
  wrike_sync: 'Send projects to Wrike',
} as const;

const labels: Record<string, string> = JOB_LABELS;

/** What a job is called: "Email: notice" or "Remove a file". */
export function jobText({ kind, template }: { kind: string; template: string | null }): string {
  const text = labels[kind] ?? kindText(kind);
  return kind === 'mail' && template ? `${text}: ${kindText(template).toLowerCase()}` : text;
}

/** A name made readable: `password-changed` is "Password changed". */
function kindText(name: string): string {
  const words = name.replace(/[_-]/g, ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

export const jobFilter = filterCodec({
  /** Of an email's recipient. */
  words: textParam('q'),
  state: choiceParam('state', JOB_STATES, null),
  kind: choiceParam('kind', ['mail', 'other'], null),
  sort: choiceParam('sort', ['newest', 'oldest'], 'newest'),
  place: placeParam(),
});
export type JobFilter = FilterOf<typeof jobFilter>;
