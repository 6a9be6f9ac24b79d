import type { Role } from '#domain/person.ts';

/** Says who can see a user's photo and phone number. */
export const whoSees = (role: Role): string =>
  role === 'owner'
    ? 'Your coach and the members of your businesses can see it.'
    : 'The people you work with can see it.';
