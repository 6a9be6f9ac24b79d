/** Businesses: the roles of their members. */

export const BUSINESS_ROLES = ['owner', 'member'] as const;
