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
  'business.archive': 'Archived a business',
  'business.compare': 'Compared two businesses',
  'business.list': 'Searched the list of businesses',
  'business.merge': 'Merged a business into another',
  'business.read': 'Opened a business’s page',
  'business.restore': 'Restored a business',
  'business.unmerge': 'Undid a merge of businesses',
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
  'project.list': 'Searched all projects',
  'project.read': 'Read a project',
  'second_factor.forget': 'Removed two-step sign-in',
  'session.end': 'Signed someone out',
  'staff_role.set': 'Changed a role',
  'survey.invite': 'Sent a survey',
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
