/** The audit log: its filters, and what each action is called. */
import {
  choiceParam,
  dayParam,
  type FilterOf,
  filterCodec,
  idParam,
  placeParam,
  textParam,
} from './list.ts';

/** What each recorded action is called, by the action's name in the database. */
export const ACTION_LABELS = {
  'account.block': 'Blocked an account',
  'account.delete': 'Deleted an account',
  'account.delete_later': 'Asked to delete an account',
  'account.keep': 'Kept an account',
  'account.unblock': 'Unblocked an account',
  'attempt.list': 'Searched the quizzes',
  'attempt.void': 'Set a quiz aside',
  'audit.list': 'Searched the audit log',
  'business.archive': 'Archived a business',
  'business.compare': 'Compared two businesses',
  'business.list': 'Searched the list of businesses',
  'business.merge': 'Merged a business into another',
  'business.read': 'Opened a business’s page',
  'business.restore': 'Restored a business',
  'business.unmerge': 'Undid a merge of businesses',
  'coach_profile.save': 'Edited a coach’s profile',
  'coaching_board.read': 'Looked at how coaching is going',
  'confirmation.resend': 'Sent the confirmation email again',
  'contact.answer': 'Answered a message',
  'contact.check_import': 'Checked a list of contacts',
  'contact.import': 'Imported a list of contacts',
  'contact.list': 'Searched the contacts',
  'contact.merge': 'Merged two contacts',
  'contact.preview_merge': 'Compared two contacts',
  'contact.read': 'Opened a contact',
  'contact.set_outcome': 'Marked a message',
  'demographics.summary': 'Read the demographics',
  'engagement.assign': 'Assigned a coach',
  'engagement.close': 'Closed coaching',
  'engagement.complete': 'Completed coaching',
  'engagement.list': 'Searched coaching',
  'engagement.read': 'Opened coaching of a business',
  'engagement.refer': 'Referred a request elsewhere',
  'engagement.unassign': 'Took a coach off a client',
  'event.cancel': 'Canceled an event',
  'event.cancel_place': 'Canceled a place at an event',
  'event.give_place': 'Gave a place at an event',
  'event.list_people': 'Looked at who comes to an event',
  'event.mark_attendance': 'Marked who came to an event',
  'hubspot.check': 'Checked the connection with HubSpot',
  'hubspot.list': 'Looked at HubSpot records',
  'hubspot.map': 'Chose what HubSpot gets as what',
  'hubspot.preview': 'Started a dry run for HubSpot',
  'hubspot.replay': 'Sent records to HubSpot again',
  'hubspot.send': 'Started sending to HubSpot',
  'hubspot.stop': 'Stopped sending to HubSpot',
  'job.list': 'Looked at background jobs',
  'job.replay': 'Ran failed jobs again',
  'message_report.list': 'Listed reported messages',
  'message_report.read': 'Read a reported conversation',
  'message_report.settle': 'Resolved a report',
  'newsletter.create': 'Started a newsletter',
  'newsletter.list': 'Looked at the newsletters',
  'newsletter.read': 'Opened a newsletter',
  'newsletter.remove': 'Deleted a newsletter',
  'newsletter.resume': 'Continued sending a newsletter',
  'newsletter.schedule': 'Scheduled a newsletter',
  'newsletter.send': 'Sent a newsletter',
  'newsletter.stop': 'Stopped sending a newsletter',
  'newsletter.test': 'Sent a test of a newsletter',
  'newsletter.unschedule': 'Took a newsletter off the schedule',
  'order.cancel': 'Canceled an order',
  'order.end_membership': 'Ended a membership',
  'order.invoice': 'Sent an invoice',
  'order.list': 'Searched the orders',
  'order.open_file': 'Opened a file of an order',
  'order.payment': 'Recorded a payment',
  'order.purchase_order': 'Recorded a purchase order',
  'order.quote': 'Made a quote',
  'order.read': 'Opened an order',
  'order.refund': 'Refunded an order',
  'overview.read': 'Opened the overview',
  'person.list': 'Searched the list of people',
  'person.read': 'Opened a person’s page',
  'price.list': 'Looked at the prices',
  'price.set': 'Changed a price',
  'program.add_code': 'Created a seat code',
  'program.add_sponsor': 'Added a sponsor to a program',
  'program.give': 'Gave seats without an order',
  'program.invite': 'Invited owners to a program',
  'program.list': 'Searched the programs',
  'program.pass_on': 'Passed on a seat',
  'program.read': 'Opened a program',
  'program.remove_sponsor': 'Removed a sponsor from a program',
  'program.revoke_code': 'Ended a seat code',
  'program.save': 'Changed a program’s terms',
  'program.seats': 'Looked at a program’s seats',
  'project.edit': 'Edited a project',
  'project.list': 'Searched all projects',
  'project.read': 'Read a project',
  'quiz_version.discard': 'Discarded a draft of the quiz',
  'quiz_version.draft': 'Drafted a version of the quiz',
  'quiz_version.publish': 'Published a version of the quiz',
  'quiz_version.restore': 'Restored a draft of the quiz',
  'recovery_codes.make': 'Made recovery codes',
  'recovery_codes.use': 'Signed in with a recovery code',
  'second_factor.forget': 'Removed two-step sign-in',
  'session.end': 'Signed someone out',
  'session.waive': 'Gave a session back',
  'session_note.read': 'Read a coach’s private note',
  'sessions.give': 'Gave a business sessions',
  'staff_role.set': 'Changed a role',
  'survey.close': 'Closed a survey',
  'survey.invite': 'Sent a survey',
  'survey.open': 'Opened a survey',
  'survey_results.read': 'Read the results of a survey',
  'toggle.list': 'Looked at the toggles',
  'toggle.set': 'Changed a toggle',
  'tool.archive': 'Archived a tool',
  'tool.create': 'Started a tool',
  'tool.edit': 'Started the next version of a tool',
  'tool.list': 'Looked at the tools',
  'tool.publish': 'Published a tool',
  'tool.remove_draft': 'Deleted a draft of a tool',
  'tool.restore': 'Restored a tool',
  'tool.review': 'Reviewed a tool',
  'tool.set_review': 'Chose how long a review of a tool lasts',
  'wrike.check': 'Checked the connection with Wrike',
  'wrike.continue': 'Updated a project in Wrike again',
  'wrike.list': 'Looked at the projects in Wrike',
  'wrike.list_folders': 'Listed Wrike’s folders',
  'wrike.mirror': 'Mirrored a project in Wrike',
  'wrike.remove': 'Deleted a project in Wrike',
  'wrike.replay': 'Sent a project to Wrike again',
  'wrike.stop': 'Stopped updating a project in Wrike',
  'wrike.test': 'Created a test project in Wrike',
} as const;
export type AuditAction = keyof typeof ACTION_LABELS;
export const AUDIT_ACTIONS = Object.keys(ACTION_LABELS) as AuditAction[];

export const auditFilter = filterCodec({
  words: textParam('q'),
  action: choiceParam('action', AUDIT_ACTIONS, null),
  /** Only what changed something, or only what was read. */
  kind: choiceParam('kind', ['changes', 'reads'], null),
  /** The first and last day, where the admin is. */
  from: dayParam('from'),
  to: dayParam('to'),
  /** What a person did and what was done about them. */
  person: idParam('person'),
  business: idParam('business'),
  sort: choiceParam('sort', ['newest'], 'newest'),
  place: placeParam(),
});
export type AuditFilter = FilterOf<typeof auditFilter>;

const wordsOf = (name: string) => {
  const words = name.replace(/_(id|at|on)$/, '').replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};

function valueText(value: unknown): string {
  if (value === null || value === '') return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueText).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([name, each]) => `${wordsOf(name).toLowerCase()} ${valueText(each)}`)
    .join(', ');
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isId = (value: unknown) => typeof value === 'string' && UUID.test(value);

const isBlank = (value: unknown) =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * An entry's details in words, one line each: what a change was before and after, how many, what was
 * searched for. Ids that the entry names otherwise are left out.
 */
export function detailLines(details: Record<string, unknown>): string[] {
  const { before, after, business_id, ...others } = details;
  const lines: string[] = [];
  if (isObject(before) && isObject(after)) {
    for (const name of Object.keys({ ...before, ...after })) {
      const [was, is] = [before[name] ?? null, after[name] ?? null].map(valueText);
      if (was === is) continue;
      const isUnreadable = isId(before[name]) || isId(after[name]);
      lines.push(isUnreadable ? `${wordsOf(name)} changed` : `${wordsOf(name)}: ${was}, now ${is}`);
    }
  } else if (before !== undefined || after !== undefined) {
    const [was, is] = [before ?? null, after ?? null].map(valueText);
    if (was !== is) lines.push(`${was}, now ${is}`);
  }
  for (const [name, value] of Object.entries(others)) {
    // The order of a list that was read tells nothing, nor does what wasn't filled in.
    if (name === 'sort' || isId(value) || isBlank(value)) continue;
    lines.push(`${wordsOf(name)}: ${valueText(value)}`);
  }
  return lines;
}
