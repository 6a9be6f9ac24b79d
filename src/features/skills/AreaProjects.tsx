import type { AreaProject, StandingArea } from '#data/skills.ts';
import { daysBetween, dueDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { classNames } from '#ui/class-names.ts';
import { Progress } from '#ui/Progress.tsx';

interface AreaProjectsProps {
  projects: readonly AreaProject[];
  areas: readonly StandingArea[];
  /** Today in the user's time zone: `2026-11-21`. */
  today: string;
}

/** The open projects that work on a skill, each with its area, its progress and its due date. */
export function AreaProjects({ projects, areas, today }: AreaProjectsProps) {
  if (projects.length === 0) return null;
  return (
    <ul className="card divide-y divide-line px-5 md:px-6" aria-label="Projects">
      {projects.map((each) => (
        <li key={each.id} className="flex flex-col gap-x-8 gap-y-2 py-4 lg:flex-row lg:items-end">
          <div className="min-w-0 grow">
            <p className="eyebrow">{areas.find(({ key }) => key === each.area_key)?.label}</p>
            <a
              className="link font-semibold [overflow-wrap:anywhere]"
              href={hrefFor('/dashboard/projects/[id]', { id: each.id })}
            >
              {each.title}
            </a>
          </div>
          <p className="text-sm text-muted figures lg:shrink-0 lg:text-right">
            {isDone(each) && 'Every step is done'}
            {!isDone(each) && <Standing {...each} today={today} />}
          </p>
          {each.task_count > 0 && (
            <Progress
              label={`Steps done in “${each.title}”`}
              value={each.done_count}
              max={each.task_count}
              className="max-w-48 lg:mb-2 lg:w-32 lg:shrink-0"
            />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Whether all that's left is to close the project, which is never late. */
const isDone = ({ task_count, done_count }: AreaProject) =>
  task_count > 0 && done_count === task_count;

/** How many steps are done, and when the project is due. */
function Standing({ task_count, done_count, due_on, today }: AreaProject & { today: string }) {
  const isLate = due_on !== null && daysBetween(due_on, today) > 0;
  return (
    <>
      {task_count > 0 &&
        `${done_count} of ${task_count} ${task_count === 1 ? 'step' : 'steps'} done`}
      {task_count > 0 && due_on && ', '}
      {due_on && (
        <span className={classNames('whitespace-nowrap', isLate && 'text-caution')}>
          {isLate ? 'was due' : 'due'} {dueDayText(due_on, today)}
        </span>
      )}
    </>
  );
}
