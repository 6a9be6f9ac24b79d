import type { Role } from '#domain/person.ts';

/** Says who can see a user's photo, their phone number, or both. */
export function whoSees(role: Role, what: 'photo' | 'phone' | 'both'): string {
  const them = what === 'both' ? 'them' : 'it';
  if (role === 'owner') return `Your coach and the members of your businesses can see ${them}.`;
  const people = `The people you work with can see ${them}`;
  // Owners choose a coach by their profile.
  if (role !== 'coach' || what === 'phone') return `${people}.`;
  return `${people}. Owners who choose a coach see ${what === 'both' ? 'your photo' : 'it'}, too.`;
}
