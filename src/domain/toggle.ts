/**
 * Feature toggles: what admins can turn off, or on for some people, without a release. Rows of
 * private.toggles say who each is on for; `private.toggle_on` enforces it in procedures.
 */

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
