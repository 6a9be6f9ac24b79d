/**
 * What a coach picks when writing up a session. It's apart from session.ts, because every page that
 * sends changes checks the ones that a closed tab left.
 */

/** How a session ended, as the coach says when closing it. */
export const SESSION_OUTCOMES = ['completed', 'no_show'] as const;
export type SessionOutcome = (typeof SESSION_OUTCOMES)[number];

export const SESSION_KINDS = ['in_person', 'online', 'phone'] as const;
export type SessionKind = (typeof SESSION_KINDS)[number];

/** Who does an action. */
export const ACTION_DOERS = ['owner', 'coach'] as const;
export type ActionDoer = (typeof ACTION_DOERS)[number];
