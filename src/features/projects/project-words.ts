/** How states, steps and days of projects are worded. */
import type { ProjectSort, ProjectStatus } from '#data/projects.ts';
import { nearDayText } from '#lib/dates.ts';

export const STATUS_WORDS: Record<ProjectStatus, string> = {
  draft: 'Draft',
  planned: 'Planned',
  in_progress: 'In progress',
  blocked: 'Blocked',
  in_review: 'In review',
  done: 'Done',
  canceled: 'Canceled',
};

export const SORT_WORDS: Record<ProjectSort, string> = {
  changed: 'Latest change',
  due: 'Due date',
  title: 'Title',
};

/** What a step is called on its button. */
export function moveWords(from: ProjectStatus, to: ProjectStatus): string {
  switch (to) {
    case 'planned':
      return 'Plan it';
    case 'in_progress':
      if (from === 'planned') return 'Start';
      return from === 'blocked' ? 'Go on' : 'Take up again';
    case 'in_review':
      return 'Send to review';
    case 'done':
      return 'Mark as done';
    case 'blocked':
      return 'Mark as blocked';
    case 'canceled':
      return 'Cancel project';
    default:
      return STATUS_WORDS[to];
  }
}

export interface DueWords {
  text: string;
  late: boolean;
}

/** When something is due, as it reads today; days as `2026-11-28`. */
export function dueWords(due: string, today: string, open: boolean): DueWords {
  if (open && due < today) return { text: `Was due ${nearDayText(due, today)}`, late: true };
  if (open && due === today) return { text: 'Due today', late: false };
  return { text: `Due ${nearDayText(due, today)}`, late: false };
}

/** Whether there is still something to do. */
export const isOpenStatus = (status: ProjectStatus) => status !== 'done' && status !== 'canceled';
