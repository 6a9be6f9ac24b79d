/** Projects: their statuses and labels, and when something is late. */

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
