import type { Area, ListedProject } from '#data/projects.ts';
import { isOpenStatus, type ProjectSort } from '#domain/project.ts';
import { dayOf, nearDayText } from '#lib/dates.ts';
import { hrefFor } from '#lib/routes.ts';
import { classNames } from '#ui/class-names.ts';
import { DueMark } from '../tasks/DueMark.tsx';
import { StatusMark } from './StatusMark.tsx';

interface TableProps {
  projects: readonly ListedProject[];
  areas: Area[];
  sort: ProjectSort;
  onSort: (sort: ProjectSort) => void;
  today: string;
  timeZone: string;
  /** Says whose project it is: a coach reads those of several businesses. */
  manyBusinesses: boolean;
}

const hide = 'hidden md:table-cell';
/** Where the titles need the room more. */
const wideOnly = 'hidden xl:table-cell';

/** Projects as rows; on a phone what matters of them stands under the title. */
export function ProjectTable(props: TableProps) {
  const { projects, areas, sort, onSort, today, timeZone, manyBusinesses } = props;
  const nameOf = (key: string | null) => areas.find((area) => area.key === key)?.name;
  const head = (key: ProjectSort, label: string, className = '') => (
    <th
      scope="col"
      className={classNames('pb-2 pr-4 font-medium', className)}
      aria-sort={sort === key ? (key === 'changed' ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        className="-mx-1 inline-flex min-h-9 items-center gap-1 rounded-small px-1 hover:text-ink"
        onClick={() => onSort(key)}
      >
        {label}
        {sort === key && <span aria-hidden="true">{key === 'changed' ? '↓' : '↑'}</span>}
      </button>
    </th>
  );
  return (
    <table className="rows w-full border-collapse text-left text-sm">
      <thead className="hidden text-xs text-muted md:table-header-group">
        <tr>
          {head('title', 'Project')}
          <th scope="col" className="pr-4 pb-2 font-medium">
            Status
          </th>
          <th scope="col" className={classNames(wideOnly, 'pr-4 pb-2 font-medium')}>
            Skill
          </th>
          {head('due', 'Due')}
          <th scope="col" className="pr-4 pb-2 text-right font-medium">
            Tasks
          </th>
          {head('changed', 'Changed', classNames(wideOnly, 'pr-0'))}
        </tr>
      </thead>
      <tbody>
        {projects.map((project) => (
          <tr
            key={project.id}
            className="align-top max-md:first:*:border-t-0 max-md:first:*:pt-0 max-md:last:*:pb-0"
          >
            <th scope="row" className="pr-4 font-normal wrap-anywhere md:min-w-48">
              <a
                className="font-semibold hover:text-primary hover:underline"
                href={hrefFor('/dashboard/projects/[id]', { id: project.id })}
              >
                {project.title}
              </a>
              {manyBusinesses && (
                <span className="block text-xs text-muted">{project.business.name}</span>
              )}
              {project.status === 'blocked' ? (
                <span className="line-clamp-2 text-xs text-muted">
                  Blocked: {project.blocked_reason}
                </span>
              ) : (
                project.next_task && (
                  <span className="line-clamp-2 text-xs text-muted">
                    Next: {project.next_task.title}
                  </span>
                )
              )}
              <span className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted md:hidden">
                <StatusMark status={project.status} />
                {project.due_on && (
                  <DueMark due={project.due_on} today={today} open={isOpenStatus(project.status)} />
                )}
                {project.task_count > 0 && (
                  <span className="figures">
                    {project.done_count} of {project.task_count} tasks
                  </span>
                )}
              </span>
            </th>
            <td className={classNames(hide, 'pr-4')}>
              <StatusMark status={project.status} />
            </td>
            <td className={classNames(wideOnly, 'pr-4 text-muted')}>
              {nameOf(project.area_key) ?? <None what="No skill" />}
            </td>
            <td className={classNames(hide, 'pr-4 whitespace-nowrap')}>
              {project.due_on ? (
                <DueMark due={project.due_on} today={today} open={isOpenStatus(project.status)} />
              ) : (
                <None what="No date" />
              )}
            </td>
            <td className={classNames(hide, 'pr-4 text-right whitespace-nowrap figures')}>
              {project.task_count > 0 ? (
                `${project.done_count} of ${project.task_count}`
              ) : (
                <None what="No tasks" />
              )}
            </td>
            <td className={classNames(wideOnly, 'whitespace-nowrap text-muted')}>
              {nearDayText(dayOf(project.updated_at, timeZone), today)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const None = ({ what }: { what: string }) => (
  <span className="text-muted">
    <span aria-hidden="true">–</span>
    <span className="sr-only">{what}</span>
  </span>
);
