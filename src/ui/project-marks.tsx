import { dueState, type ProjectStatus, STATUS_LABELS } from '#domain/project.ts';
import { nearDayText } from '#lib/locale/dates.ts';
import { classNames } from '#ui/class-names.ts';

const look: Record<ProjectStatus, string> = {
  draft: 'border-line text-muted',
  planned: 'border-line text-ink',
  in_progress: 'border-transparent bg-primary-soft text-ink',
  blocked: 'border-transparent bg-danger-soft text-danger',
  in_review: 'border-transparent bg-caution-soft text-caution',
  done: 'border-primary text-primary',
  canceled: 'border-line text-muted line-through',
};

/** The status of a project as text, so color isn't its only indication. */
export function StatusMark({ status }: { status: ProjectStatus }) {
  return (
    <span
      className={classNames(
        'inline-flex rounded-full border px-2.5 py-0.5 text-xs font-medium whitespace-nowrap',
        look[status],
      )}
    >
      {STATUS_LABELS[status]}
    </span>
  );
}

interface DueProps {
  /** A day: `2026-11-28`. */
  due: string;
  today: string;
  /** Whether there's still something to do: only then is a past date late. */
  open: boolean;
  /** Whether a label next to it already says "Due". */
  labeled?: boolean;
}

/** When something is due. Text says that it's late, not color alone. */
export function DueMark({ due, today, open, labeled = false }: DueProps) {
  const state = dueState(due, today, open);
  const day = nearDayText(due, today);
  const words =
    state === 'late'
      ? `Was due ${day}`
      : state === 'today'
        ? 'Due today'
        : labeled
          ? day
          : `Due ${day}`;
  return (
    <time dateTime={due} className={state === 'late' ? 'font-medium text-danger' : undefined}>
      {words}
    </time>
  );
}
