/** Programs and their seats: states, outcomes of a seat code, and the list's filters. */
import { choiceParam, type FilterOf, filterCodec, placeParam, textParam } from './list.ts';

/** In the order they're reached. Steps are rows of private.transitions. */
export const SEAT_STATES = ['unassigned', 'assigned', 'activated', 'revoked', 'expired'] as const;
export type SeatState = (typeof SEAT_STATES)[number];
export const SEAT_LABELS: Record<SeatState, string> = {
  unassigned: 'Free',
  assigned: 'Reserved',
  activated: 'In use',
  revoked: 'Passed on',
  expired: 'Ended',
};

export const PROGRAM_STATES = ['open', 'closed'] as const;
/** What a report groups businesses by. */
export const PROGRAM_GROUPS = ['none', 'postal', 'industry'] as const;
export const GROUP_LABELS: Record<(typeof PROGRAM_GROUPS)[number], string> = {
  none: 'Nothing',
  postal: 'ZIP area (first 3 digits)',
  industry: 'Industry',
};

export const CODE_STATES = ['open', 'used-up', 'expired', 'revoked'] as const;
export const CODE_LABELS: Record<(typeof CODE_STATES)[number], string> = {
  open: 'Works',
  'used-up': 'Used up',
  expired: 'Expired',
  revoked: 'Revoked',
};

/** What a code, or a seat reserved for someone, leads to; `open` is the only good one. */
export const OFFER_OUTCOMES = [
  'open',
  'yours',
  'full',
  'waiting',
  'used-up',
  'expired',
  'revoked',
  'unknown',
  'other-address',
  'ended',
  'over',
] as const;

/** Why someone who agreed didn't get the seat, besides the outcomes of an offer. */
export const TAKING_REFUSALS = [
  'consent-changed',
  'business-has-one',
  'address',
  'postal-code',
  'no-postal-code',
] as const;
export const TAKE_OUTCOMES = ['taken', ...OFFER_OUTCOMES, ...TAKING_REFUSALS] as const;
export type TakeOutcome = (typeof TAKE_OUTCOMES)[number];

/** A code as someone typed it, or the id of a seat that's reserved for someone. */
export type SeatKey = { code: string } | { seatId: string };

export const programFilter = filterCodec({
  words: textParam('q'),
  state: choiceParam('state', ['open', 'over', 'all'], 'open'),
  sort: choiceParam('sort', ['newest', 'ends'], 'newest'),
  place: placeParam(),
});
export type ProgramFilter = FilterOf<typeof programFilter>;

/** The seats of one program. */
export const seatFilter = filterCodec({
  state: choiceParam('state', SEAT_STATES, null),
  place: placeParam(),
});
export type SeatFilter = FilterOf<typeof seatFilter>;
