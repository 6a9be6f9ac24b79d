/**
 * Feature toggles: what admins can turn off, or on for some people, without a release. Rows of
 * private.toggles say who each is on for; `private.toggle_on` enforces it in procedures.
 */
import { choiceParam, type FilterOf, filterCodec, placeParam, textParam } from './list.ts';
import { ROLES, type Role } from './person.ts';

/** Every toggle, with what holds while toggles can't be read. */
export const TOGGLES = {
  registration: { label: 'Registration', default: true },
  'coaching-requests': { label: 'Coaching requests', default: true },
  'message-files': { label: 'Files in messages', default: true },
} as const;
export type Toggle = keyof typeof TOGGLES;

/**
 * Whether a toggle is on for someone, on the server and in the browser alike.
 * @param on the toggles that are on for them, as the session or `listToggles` has them; null if
 *   they couldn't be read, and then the default holds
 */
export const isOn = (on: readonly string[] | null, toggle: Toggle): boolean =>
  on ? on.includes(toggle) : TOGGLES[toggle].default;

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
