/** Coaching engagements: their states. engagement-text.ts explains them. */

/** In progress, or waiting for a coach. */
export const OPEN_ENGAGEMENT_STATES = [
  'requested',
  'assigned',
  'accepted',
  'active',
  'paused',
] as const;
export const ENGAGEMENT_STATES = [
  ...OPEN_ENGAGEMENT_STATES,
  'completed',
  'withdrawn',
  'unreachable',
  'ineligible',
] as const;
export type EngagementState = (typeof ENGAGEMENT_STATES)[number];

/** What an engagement waits for: the one date that it has. */
export const DUE_KINDS = [
  'assign',
  'accept',
  'contact',
  'pick',
  'session',
  'write_up',
  'plan',
  'resume',
] as const;
export type DueKind = (typeof DUE_KINDS)[number];

export const isOpenEngagement = ({ state }: { state: EngagementState }): boolean =>
  OPEN_ENGAGEMENT_STATES.some((open) => open === state);
