/** What gives a business coaching sessions, and how people call it. */

export const GRANT_KINDS = ['pack', 'membership', 'seat', 'given'] as const;
export type GrantKind = (typeof GRANT_KINDS)[number];

export const GRANT_LABELS: Record<GrantKind, string> = {
  pack: 'Session pack',
  membership: 'Membership',
  seat: 'Sponsored seat',
  given: 'From us',
};
