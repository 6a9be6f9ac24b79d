import type { BuiltPerson } from './builders.ts';

export const DENVER = 'America/Denver';

export interface Newcomer {
  email: string;
  fullName: string;
  timeZone: string;
  /** The account was created this many days ago. */
  daysAgo: number;
}

export const demoStaff: (Newcomer & { role: 'coach' | 'admin' })[] = [
  {
    email: 'coach@demo.test',
    fullName: 'Ruth Abara',
    role: 'coach',
    timeZone: DENVER,
    daysAgo: 640,
  },
  {
    email: 'coach2@demo.test',
    fullName: 'Daniel Ostrander',
    role: 'coach',
    timeZone: 'America/Phoenix',
    daysAgo: 210,
  },
  {
    email: 'admin@demo.test',
    fullName: 'Ines Holm',
    role: 'admin',
    timeZone: DENVER,
    daysAgo: 700,
  },
];

export const demoMember: Newcomer = {
  email: 'luis@demo.test',
  fullName: 'Luis Delgado',
  timeZone: DENVER,
  daysAgo: 36,
};

/** Who pays for seats, and hands them out. */
export const demoSponsor: Newcomer = {
  email: 'sponsor@demo.test',
  fullName: 'Teresa Baca',
  timeZone: DENVER,
  daysAgo: 112,
};

export function known(people: Map<string, BuiltPerson>, email: string): BuiltPerson {
  const person = people.get(email);
  if (!person) throw new Error(`The demo has no ${email}`);
  return person;
}
