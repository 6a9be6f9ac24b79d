import type { AreaProject, StandingArea } from '#data/skills.ts';
import { daysBetween, dueDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
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
      {projects.map(({ id, title, area_key, due_on, task_count, done_count }) => (
        <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-4">
          <div className="min-w-0 grow basis-72">
            <p className="eyebrow">{areas.find(({ key }) => key === area_key)?.label}</p>
            <a
              className="link font-semibold [overflow-wrap:anywhere]"
              href={hrefFor('/dashboard/projects/[id]', { id })}
            >
              {title}
            </a>
          </div>
          <p className="text-sm text-muted figures">
            {task_count > 0 &&
              `${done_count} of ${task_count} ${task_count === 1 ? 'step' : 'steps'} done`}
            {task_count > 0 && due_on && ' · '}
            {due_on && (
              <span className={daysBetween(due_on, today) > 0 ? 'text-caution' : undefined}>
                {daysBetween(due_on, today) > 0 ? 'was due' : 'due'} {dueDayText(due_on, today)}
              </span>
            )}
          </p>
          {task_count > 0 && (
            <Progress
              label={`Steps done in “${title}”`}
              value={done_count}
              max={task_count}
              className="basis-full"
            />
          )}
        </li>
      ))}
    </ul>
  );
}
