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

export const isOpenEngagement = ({ state }: { state: EngagementState }): boolean =>
  OPEN_ENGAGEMENT_STATES.some((open) => open === state);
