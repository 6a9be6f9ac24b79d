/** A coach's list of clients: its filters, and how it's sorted. */
import { choiceParam, type FilterOf, filterCodec, placeParam, textParam } from './list.ts';

export const CLIENT_SORTS = ['due', 'name'] as const;
export type ClientSort = (typeof CLIENT_SORTS)[number];

export const CLIENT_SORT_LABELS: Record<ClientSort, string> = {
  due: 'What’s due first',
  name: 'Business',
};

/** The states of a coach's own clients, in the order of the board's columns. */
export const CLIENT_STATES = ['assigned', 'accepted', 'active', 'paused'] as const;

/** The list's filters, kept in its URL. */
export const clientFilter = filterCodec({
  /** Words of the business's or the owner's name. */
  q: textParam('q'),
  /** One state, or all open ones. Of closed ones, only the coach's completed and unreachable. */
  state: choiceParam('state', ['open', ...CLIENT_STATES, 'completed', 'unreachable'], 'open'),
  sort: choiceParam('sort', CLIENT_SORTS, 'due'),
  /** The board has a column of at most 12 for each open state and ignores `state`. */
  view: choiceParam('view', ['board', 'table'], 'board'),
  place: placeParam(),
});
export type ClientFilter = FilterOf<typeof clientFilter>;

/** Whether search words or a single state narrow the list. */
export const isNarrowedToSome = ({ q, state, view }: ClientFilter): boolean =>
  q.trim() !== '' || (view === 'table' && state !== 'open');
