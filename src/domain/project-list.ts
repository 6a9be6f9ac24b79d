/** A list of projects: its filters, and how it's sorted. */
import {
  choiceParam,
  type FilterOf,
  filterCodec,
  keyParam,
  placeParam,
  textParam,
} from './list.ts';
import { BOARD_STATUSES, isOpenStatus, PROJECT_STATUSES, type ProjectStatus } from './project.ts';

export const PROJECT_SORTS = ['changed', 'due', 'title'] as const;
export type ProjectSort = (typeof PROJECT_SORTS)[number];

export const SORT_LABELS: Record<ProjectSort, string> = {
  changed: 'Latest change',
  due: 'Due date',
  title: 'Title',
};

/** The list's filters, kept in its URL. The business isn't one of them: the page supplies it. */
export const projectFilter = filterCodec({
  words: textParam('q'),
  /** One status, all open ones, or all. */
  status: choiceParam('status', ['open', 'all', ...PROJECT_STATUSES], 'open'),
  area: keyParam('area'),
  sort: choiceParam('sort', PROJECT_SORTS, 'changed'),
  /** The board shows a column for each status and ignores `status`. */
  view: choiceParam('view', ['table', 'board'], 'table'),
  place: placeParam(),
});
export type ProjectFilter = FilterOf<typeof projectFilter>;

/** Whether search words, an area or a single status narrow the list. */
export function isNarrowed({ words, area, view, status }: ProjectFilter): boolean {
  const byStatus = view === 'table' && status !== 'open' && status !== 'all';
  return words.trim() !== '' || area !== null || byStatus;
}

const OPEN_STATUSES = PROJECT_STATUSES.filter(isOpenStatus);

/** The statuses a filter includes. */
export function statusesOf({ status, view }: ProjectFilter): readonly ProjectStatus[] {
  if (view === 'board') return BOARD_STATUSES;
  if (status === 'all') return PROJECT_STATUSES;
  return status === 'open' ? OPEN_STATUSES : [status];
}
