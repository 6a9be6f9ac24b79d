/** What an admin can do about a person's account, as far as the account's state allows it. */
import {
  endSessions,
  type PersonPage,
  resetSecondFactor,
  sendConfirmationAgain,
  setBlocked,
  setRole,
} from '#data/people.ts';
import { IDENTITY_CHECKS, type IdentityCheck } from '#domain/admin-people.ts';
import { ROLES, type Role } from '#domain/person.ts';
import type { BrowserDb } from '#lib/supabase.ts';
import type { ReasonedAction } from '../ReasonDialog.tsx';

export interface PersonAction extends Omit<ReasonedAction, 'onSubmit'> {
  key: string;
  /** The label of the button that opens the dialog. */
  label: string;
  /** What's announced once it's done. */
  done: string;
  run: (db: BrowserDb, reason: string, answer: string) => Promise<unknown>;
}

const ROLE_CHANGES: Record<Role, string> = {
  owner: 'They lose what staff can see and do, right away.',
  coach:
    'They can be assigned to owners and see those owners’ businesses, projects and shared results.',
  admin: 'They can see and change everything that you can, including roles.',
};

const roleActions = ({ id, role }: PersonPage, name: string): PersonAction[] =>
  ROLES.filter((each) => each !== role).map((to) => {
    const rank = to === 'admin' ? 'an admin' : 'a coach';
    const isRemoval = to === 'owner';
    return {
      key: `role-${to}`,
      label: isRemoval ? `Remove the ${role} role` : `Make ${rank}`,
      title: isRemoval ? `Remove ${name}’s role?` : `Make ${name} ${rank}?`,
      description: ROLE_CHANGES[to],
      action: isRemoval ? 'Remove the role' : `Make ${rank}`,
      done: `${name} is now ${isRemoval ? 'an owner' : rank}.`,
      danger: isRemoval,
      run: (db, reason) => setRole(db, id, to, reason),
    };
  });

const endAction = ({ id }: PersonPage, name: string): PersonAction => ({
  key: 'sessions',
  label: 'Sign out everywhere',
  title: `Sign ${name} out everywhere?`,
  description:
    'Every device they’re signed in on is signed out right away. They can sign in again.',
  action: 'Sign out',
  done: `${name} is signed out everywhere.`,
  run: (db, reason) => endSessions(db, id, reason),
});

const resendAction = ({ id, email }: PersonPage, name: string): PersonAction => ({
  key: 'confirmation',
  label: 'Send the confirmation again',
  title: 'Send the confirmation email again?',
  description: `It goes to ${email}. Its link is good for an hour, and earlier ones stop working.`,
  action: 'Send',
  done: `${name} gets the email in a moment.`,
  run: (db, reason) => sendConfirmationAgain(db, id, reason),
});

const resetAction = ({ id }: PersonPage, name: string): PersonAction => ({
  key: 'second-factor',
  label: 'Reset two-step sign-in',
  title: `Reset ${name}’s two-step sign-in?`,
  description:
    'Only if they’ve lost every authenticator app. Their password alone signs them in until they add one again. We sign them out and email them.',
  action: 'Reset',
  done: `${name}’s two-step sign-in is off.`,
  danger: true,
  question: { legend: 'How did you make sure it’s them?', options: IDENTITY_CHECKS },
  run: (db, reason, check) => resetSecondFactor(db, id, check as IdentityCheck, reason),
});

const blockAction = ({ id }: PersonPage, name: string): PersonAction => ({
  key: 'block',
  label: 'Block',
  title: `Block ${name}?`,
  description:
    'They’re signed out and can’t sign in until an admin unblocks them. Nothing of theirs is deleted.',
  action: 'Block',
  done: `${name} is blocked.`,
  danger: true,
  run: (db, reason) => setBlocked(db, id, true, reason),
});

const unblockAction = ({ id }: PersonPage, name: string): PersonAction => ({
  key: 'unblock',
  label: 'Unblock',
  title: `Unblock ${name}?`,
  description: 'They can sign in again, with everything as it was.',
  action: 'Unblock',
  done: `${name} can sign in again.`,
  run: (db, reason) => setBlocked(db, id, false, reason),
});

/** @param isSelf whether it's the admin's own account, which another admin has to change */
export function actionsFor(person: PersonPage, isSelf: boolean): PersonAction[] {
  if (isSelf) return [];
  const { state, role, sessions, second_factor } = person;
  const name = person.name || person.email || 'this person';
  const actions = roleActions(person, name);
  if (state === 'unconfirmed') actions.push(resendAction(person, name));
  if (sessions > 0) actions.push(endAction(person, name));
  if (second_factor) actions.push(resetAction(person, name));
  if (state === 'blocked') actions.push(unblockAction(person, name));
  // An admin's role goes first.
  else if (role !== 'admin') actions.push(blockAction(person, name));
  return actions;
}
