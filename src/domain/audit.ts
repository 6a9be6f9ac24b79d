/** The audit log: its filters, and what each action is called. */
import { choiceParam, type FilterOf, filterCodec, idParam, placeParam, textParam } from './list.ts';

/** What each recorded action is called, by the action's name in the database. */
export const ACTION_LABELS = {
  'account.block': 'Blocked an account',
  'account.delete': 'Deleted an account',
  'account.delete_later': 'Asked to delete an account',
  'account.keep': 'Kept an account',
  'account.unblock': 'Unblocked an account',
  'attempt.void': 'Voided a quiz',
  'audit.list': 'Searched the audit log',
  'coach_profile.save': 'Edited a coach’s profile',
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
  'job.list': 'Looked at background jobs',
  'job.replay': 'Ran failed jobs again',
  'message_report.list': 'Listed reported messages',
  'message_report.read': 'Read a reported conversation',
  'message_report.settle': 'Resolved a report',
  'overview.read': 'Opened the overview',
  'person.list': 'Searched the list of people',
  'person.read': 'Opened a person’s page',
  'project.edit': 'Edited a project',
  'project.read': 'Read a project',
  'recovery_codes.make': 'Made recovery codes',
  'recovery_codes.use': 'Signed in with a recovery code',
  'second_factor.forget': 'Removed two-step sign-in',
  'session.end': 'Signed someone out',
  'staff_role.set': 'Changed a role',
  'survey.invite': 'Sent a survey',
  'toggle.list': 'Looked at the toggles',
  'toggle.set': 'Changed a toggle',
} as const;
export type AuditAction = keyof typeof ACTION_LABELS;
export const AUDIT_ACTIONS = Object.keys(ACTION_LABELS) as AuditAction[];

export const auditFilter = filterCodec({
  words: textParam('q'),
  action: choiceParam('action', AUDIT_ACTIONS, null),
  /** What a person did and what was done about them. */
  person: idParam('person'),
  business: idParam('business'),
  sort: choiceParam('sort', ['newest'], 'newest'),
  place: placeParam(),
});
export type AuditFilter = FilterOf<typeof auditFilter>;
