/** All projects, for admins: the list's filters. */
import { choiceParam, type FilterOf, filterCodec, idParam, placeParam, textParam } from './list.ts';
import { PROJECT_STATUSES, STATUS_LABELS } from './project.ts';

const STATES = ['open', 'late', ...PROJECT_STATUSES, 'all'] as const;
export const PROJECT_STATE_LABELS: Record<(typeof STATES)[number], string> = {
  open: 'Open',
  late: 'Overdue',
  ...STATUS_LABELS,
  all: 'All',
};
export const PROJECT_STATES = STATES.map((value) => ({
  value,
  label: PROJECT_STATE_LABELS[value],
}));

export const allProjectsFilter = filterCodec({
  words: textParam('q'),
  status: choiceParam('status', STATES, 'open'),
  business: idParam('business'),
  /** The coach of its business. */
  coach: idParam('coach'),
  sort: choiceParam('sort', ['newest', 'due', 'title'], 'newest'),
  place: placeParam(),
});
export type AllProjectsFilter = FilterOf<typeof allProjectsFilter>;
