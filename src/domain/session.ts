/** Coaching sessions, and what people agree on in them: states, kinds, labels and limits. */

import type { SessionKind } from './session-values.ts';

export const SESSION_STATES = ['scheduled', 'completed', 'no_show', 'canceled'] as const;
export type SessionState = (typeof SESSION_STATES)[number];

export const SESSION_STATE_LABELS: Record<SessionState, string> = {
  scheduled: 'Scheduled',
  completed: 'Completed',
  no_show: 'Missed',
  canceled: 'Canceled',
};

export const SESSION_KIND_LABELS: Record<SessionKind, string> = {
  in_person: 'In person',
  online: 'Online',
  phone: 'By phone',
};

/** The question for the place of each kind of session. */
export const SESSION_PLACE_LABELS: Record<SessionKind, string> = {
  in_person: 'Address',
  online: 'Link to the meeting',
  phone: 'Phone number',
};

/** Minutes that a session can take; the database rejects others. */
export const SESSION_MINUTES = { least: 15, most: 240, usual: 60 } as const;

export const OFFER_STATES = ['open', 'picked', 'declined', 'withdrawn', 'expired'] as const;

/** Times in an offer. */
export const OFFERED_TIMES = { least: 2, most: 3 } as const;

export const RECOMMENDATION_KINDS = ['tool', 'project'] as const;
export type RecommendationKind = (typeof RECOMMENDATION_KINDS)[number];

export const RECOMMENDATION_STATES = ['open', 'taken', 'dismissed'] as const;
export type RecommendationState = (typeof RECOMMENDATION_STATES)[number];

/** How an owner says a session went, 1 to 4. */
export const SESSION_RATINGS = [
  { value: 4, label: 'Very helpful' },
  { value: 3, label: 'Helpful' },
  { value: 2, label: 'A little helpful' },
  { value: 1, label: 'Not helpful' },
] as const;

/** The most characters in each text. */
export const SESSION_LENGTHS = {
  place: 300,
  summary: 1000,
  note: 10_000,
  cancelReason: 500,
  action: 600,
  recommendationTitle: 120,
  recommendationNote: 500,
  declineNote: 500,
  feedback: 1000,
} as const;

/** The days after a session in which its coach can still change the summary. */
export const SUMMARY_DAYS = 30;

/** When a session ends, in ISO format. */
export const endOfSession = ({ starts_at, minutes }: { starts_at: string; minutes: number }) =>
  new Date(Date.parse(starts_at) + minutes * 60_000).toISOString();

/** What happened in a coaching engagement, on its timeline. */
export const TIMELINE_KINDS = [
  'requested',
  'assigned',
  'accepted',
  'session',
  'action_added',
  'action_done',
  'recommended',
  'recommendation_taken',
  'focus_chosen',
  'attempt',
  'project_started',
  'project_done',
  'figure',
  'paused',
  'resumed',
  'completed',
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** What an entry of the timeline links to. */
export const TIMELINE_LINKS = ['session', 'tool', 'attempt', 'project', 'business'] as const;
