/** Toggles as admins see them: who each is on for, and the list's filters. */
import { choiceParam, type FilterOf, filterCodec, placeParam, textParam } from './list.ts';
import { ROLES, type Role } from './person.ts';

export const AUDIENCES = ['off', 'everyone', 'roles', 'percentage'] as const;
export type Audience = (typeof AUDIENCES)[number];

export const AUDIENCE_LABELS: Record<Audience, string> = {
  off: 'Off for everyone',
  everyone: 'On for everyone',
  roles: 'On for some roles',
  percentage: 'On for a share of people',
};
export const ROLES_LABELS: Record<Role, string> = {
  owner: 'Owners',
  coach: 'Coaches',
  admin: 'Admins',
};

/** Who a toggle is on for: "Everyone", "Owners and coaches", "25% of people". */
export function audienceText(toggle: {
  audience: Audience;
  roles: readonly Role[];
  percentage: number | null;
}): string {
  const { audience, roles, percentage } = toggle;
  if (audience === 'off') return 'Off';
  if (audience === 'everyone') return 'Everyone';
  if (audience === 'percentage') return `${percentage}% of people`;
  const [first = '', ...others] = ROLES.filter((role) => roles.includes(role)).map(
    (role) => ROLES_LABELS[role],
  );
  return [first, ...others.map((label) => label.toLowerCase())].join(' and ');
}

export const toggleFilter = filterCodec({
  words: textParam('q'),
  /** `review`: expires within 14 days, or has expired. */
  state: choiceParam('state', ['on', 'off', 'review'], null),
  sort: choiceParam('sort', ['name'], 'name'),
  place: placeParam(),
});
export type ToggleFilter = FilterOf<typeof toggleFilter>;
