/** People as admins see them: the list's filters, and what an account's states are called. */
import { choiceParam, type FilterOf, filterCodec, placeParam, textParam } from './list.ts';
import { ROLES, type Role } from './person.ts';

export const ACCOUNT_STATES = ['active', 'unconfirmed', 'leaving', 'blocked'] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

export const ACCOUNT_STATE_LABELS: Record<AccountState, string> = {
  active: 'Active',
  unconfirmed: 'Email not confirmed',
  leaving: 'Will be deleted',
  blocked: 'Blocked',
};
export const ROLE_LABELS: Record<Role, string> = { owner: 'Owner', coach: 'Coach', admin: 'Admin' };

/** How an admin made sure who someone is before resetting their two-step sign-in. */
export const IDENTITY_CHECKS = [
  ['in-person', 'I met them in person and saw an ID'],
  ['video', 'I saw them and an ID in a video call'],
  ['callback', 'I called them back on a number we already had'],
] as const;
export type IdentityCheck = (typeof IDENTITY_CHECKS)[number][0];

export const peopleFilter = filterCodec({
  words: textParam('q'),
  role: choiceParam('role', ROLES, null),
  state: choiceParam('state', ACCOUNT_STATES, null),
  sort: choiceParam('sort', ['newest', 'oldest', 'name'], 'newest'),
  place: placeParam(),
});
export type PeopleFilter = FilterOf<typeof peopleFilter>;
