/** Businesses as admins see them: the list's filters, and what states and parts are called. */
import type { EngagementState } from './engagement.ts';
import { choiceParam, type FilterOf, filterCodec, placeParam, textParam } from './list.ts';

/** Whether a business has a coach, waits for one, or hasn't asked. */
export const COACHING_LABELS = {
  coached: 'Has a coach',
  waiting: 'Waiting for a coach',
  none: 'None',
} as const;
export const BUSINESS_STATE_LABELS = { active: 'Active', archived: 'Archived' } as const;

export const allBusinessesFilter = filterCodec({
  words: textParam('q'),
  state: choiceParam('state', ['active', 'archived'], null),
  coaching: choiceParam('coaching', ['coached', 'waiting', 'none'], null),
  region: textParam('region', 120),
  sort: choiceParam('sort', ['newest', 'oldest', 'name'], 'newest'),
  place: placeParam(),
});
export type AllBusinessesFilter = FilterOf<typeof allBusinessesFilter>;

export const ENGAGEMENT_LABELS: Record<EngagementState, string> = {
  requested: 'Waiting for a coach',
  assigned: 'Assigned',
  accepted: 'Accepted',
  active: 'In progress',
  paused: 'Paused',
  completed: 'Completed',
  withdrawn: 'Withdrawn',
  unreachable: 'Owner couldn’t be reached',
  ineligible: 'Not taken on',
};

/** What moves when a business is merged, by table: singular, plural, and why some of it stays. */
export const MERGED_PARTS: Record<string, readonly [one: string, many: string, stays: string]> = {
  business_members: ['member', 'members', 'already belong to both'],
  projects: ['project', 'projects', ''],
  attempts: ['quiz', 'quizzes', 'unfinished, and the same person has one open in the other'],
  engagements: ['coaching request', 'coaching requests', ''],
  business_snapshots: ['set of figures', 'sets of figures', ''],
  business_plan_fields: ['plan field', 'plan fields', 'the other plan has its own text there'],
  tool_copies: ['tool copy', 'tool copies', ''],
  business_invitations: ['invitation', 'invitations', 'the other one invited the same address'],
};
