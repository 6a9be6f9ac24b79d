/** Projects: their statuses and labels, the filters of a list, and when something is late. */
import {
  choiceParam,
  type FilterOf,
  filterCodec,
  keyParam,
  placeParam,
  textParam,
} from './list.ts';

/** In the order a project goes through them. */
export const PROJECT_STATUSES = [
  'draft',
  'planned',
  'in_progress',
  'blocked',
  'in_review',
  'done',
  'canceled',
] as const;
export type ProjectStatus = (typeof PROJECT_STATUSES)[number];

export const STATUS_LABELS: Record<ProjectStatus, string> = {
  draft: 'Draft',
  planned: 'Planned',
  in_progress: 'In progress',
  blocked: 'Blocked',
  in_review: 'In review',
  done: 'Done',
  canceled: 'Canceled',
};

/** Whether there's still something to do. */
export const isOpenStatus = (status: ProjectStatus) => status !== 'done' && status !== 'canceled';

const OPEN_STATUSES = PROJECT_STATUSES.filter(isOpenStatus);

/** The columns of the board. */
export const BOARD_STATUSES = PROJECT_STATUSES.filter((status) => status !== 'canceled');

/** The button label for moving a project from one status to another. */
export function moveLabel(from: ProjectStatus, to: ProjectStatus): string {
  switch (to) {
    case 'planned':
      return 'Mark as planned';
    case 'in_progress':
      if (from === 'planned') return 'Start';
      return from === 'blocked' ? 'Continue' : 'Reopen';
    case 'in_review':
      return 'Send for review';
    case 'done':
      return 'Mark as done';
    case 'blocked':
      return 'Mark as blocked';
    case 'canceled':
      return 'Cancel project';
    default:
      return STATUS_LABELS[to];
  }
}

export const TASK_STATES = ['todo', 'doing', 'blocked', 'done'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/**
 * Whether a due date needs attention; dates as `2026-11-28`.
 * @param open whether there's still something to do
 */
export function dueState(due: string, today: string, open: boolean): 'late' | 'today' | 'ahead' {
  if (open && due < today) return 'late';
  return open && due === today ? 'today' : 'ahead';
}

// The list ---------------------------------------------------------------------------------------

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

/** The statuses a filter includes. */
export function statusesOf({ status, view }: ProjectFilter): readonly ProjectStatus[] {
  if (view === 'board') return BOARD_STATUSES;
  if (status === 'all') return PROJECT_STATUSES;
  return status === 'open' ? OPEN_STATUSES : [status];
}
