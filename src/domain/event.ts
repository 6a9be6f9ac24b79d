/** Places at events: states, what they're called, and the filters of the admins' lists. */
import { choiceParam, type FilterOf, filterCodec, placeParam, textParam } from './list.ts';

export const EVENT_STATES = ['planned', 'canceled'] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** What someone has at an event. Steps are rows of private.transitions. */
export const PLACE_STATES = ['held', 'waiting', 'offered', 'taken', 'canceled', 'lapsed'] as const;
export type PlaceState = (typeof PLACE_STATES)[number];

export const PLACE_LABELS: Record<PlaceState, string> = {
  taken: 'Has a place',
  held: 'Not confirmed yet',
  offered: 'Offered a place',
  waiting: 'Waiting',
  canceled: 'Canceled',
  lapsed: 'Not confirmed in time',
};

export const eventFilter = filterCodec({
  words: textParam('q'),
  show: choiceParam('show', ['past'], null),
  sort: choiceParam('sort', ['soonest'], 'soonest'),
  place: placeParam(),
});
export type EventFilter = FilterOf<typeof eventFilter>;

/** The people of one event. */
export const signupFilter = filterCodec({
  words: textParam('q'),
  state: choiceParam('state', PLACE_STATES, null),
  sort: choiceParam('sort', ['first'], 'first'),
  place: placeParam(),
});
export type SignupFilter = FilterOf<typeof signupFilter>;
