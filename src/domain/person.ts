/** The roles that people have. */

/** Coaches and admins are staff; everyone else works on a business. */
export const STAFF_ROLES = ['coach', 'admin'] as const;
export const ROLES = ['owner', ...STAFF_ROLES] as const;
export type Role = (typeof ROLES)[number];
