import type { Role } from '#domain/person.ts';

/** Who can see a person's photo and phone number, as a sentence. */
export const whoSees = (role: Role): string =>
  role === 'owner'
    ? 'Your coach and the members of your businesses can see it.'
    : 'The people you work with can see it.';
