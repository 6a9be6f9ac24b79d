/** Search across the product: what it finds, and what the groups of results are called. */

/** What a result is; `account` is a person as admins see them, `client` the coaching of a business. */
export const FOUND_KINDS = [
  'account',
  'client',
  'project',
  'business',
  'person',
  'conversation',
  'message',
  'tool',
] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

/** The heading over the results of each kind, in the order that the groups are shown. */
export const FOUND_LABELS: Record<FoundKind, string> = {
  account: 'People',
  client: 'Clients',
  project: 'Projects',
  business: 'Businesses',
  person: 'People',
  conversation: 'Conversations',
  message: 'Messages',
  tool: 'Tools',
};

/** The database finds nothing for fewer characters. */
export const SHORTEST_SEARCH = 2;
/** … and ignores what's beyond this many. */
export const LONGEST_SEARCH = 100;
