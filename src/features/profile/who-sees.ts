import type { Role } from '#domain/person.ts';

/** Says who can see a user's photo or phone number ("it"), or both ("them"). */
export const whoSees = (role: Role, what: 'it' | 'them' = 'it'): string =>
  role === 'owner'
    ? `Your coach and the members of your businesses can see ${what}.`
    : `The people you work with can see ${what}.`;
