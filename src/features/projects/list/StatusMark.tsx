import { type ProjectStatus, STATUS_LABELS } from '#domain/project.ts';
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

/** The status of a project, in words that a colour only repeats. */
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
