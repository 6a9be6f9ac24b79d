/** All attempts at the quiz, for admins: the list's filters, and what the states are called. */
import { ATTEMPT_STATES } from './attempt.ts';
import {
  choiceParam,
  dayParam,
  type FilterOf,
  filterCodec,
  idParam,
  placeParam,
  textParam,
} from './list.ts';

export const ATTEMPT_STATE_LABELS: Record<(typeof ATTEMPT_STATES)[number], string> = {
  in_progress: 'Open',
  submitted: 'Finished',
  expired: 'Expired',
  voided: 'Set aside',
};

export const attemptFilter = filterCodec({
  words: textParam('q'),
  state: choiceParam('state', ATTEMPT_STATES, null),
  /** A version's id. */
  version: idParam('version'),
  /** A day where the admin is: finished then or later. */
  since: dayParam('since'),
  /** By when they were finished or, if they weren't, started. */
  sort: choiceParam('sort', ['newest', 'oldest'], 'newest'),
  place: placeParam(),
});
export type AttemptFilter = FilterOf<typeof attemptFilter>;
