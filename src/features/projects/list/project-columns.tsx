import type { ListedProject } from '#data/project-list.ts';
import type { Area } from '#data/projects.ts';
import { isOpenStatus, STATUS_LABELS } from '#domain/project.ts';
import { dayOf, nearDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { DueMark, StatusMark } from '#ui/project-marks.tsx';
import type { DataColumn } from '#ui/table/columns.ts';

interface Options {
  areas: readonly Area[];
  today: string;
  timeZone: string;
  /** Whether to name each project's business, for a coach who sees several. */
  manyBusinesses: boolean;
}

type Column = DataColumn<ListedProject>;

const BUSINESS: Column = {
  id: 'business',
  header: 'Business',
  csv: ({ business }) => business.name,
};

const STATUS: Column = {
  id: 'status',
  header: 'Status',
  onCard: 'bare',
  cell: ({ status }) => <StatusMark status={status} />,
  csv: ({ status }) => STATUS_LABELS[status],
};

const tasksText = ({ done_count, task_count }: ListedProject) =>
  task_count > 0 ? `${done_count} of ${task_count}` : null;

const TASKS: Column = {
  id: 'tasks',
  header: 'Tasks',
  none: 'No tasks',
  align: 'right',
  cell: (project) =>
    tasksText(project) && <span className="whitespace-nowrap figures">{tasksText(project)}</span>,
  csv: tasksText,
};

export function projectColumns({ areas, today, timeZone, manyBusinesses }: Options): Column[] {
  const nameOf = (key: string | null) => areas.find((area) => area.key === key)?.name ?? null;
  return [
    {
      id: 'title',
      header: 'Project',
      isRowHeader: true,
      sort: { ascending: 'title' },
      cell: (project) => <Title project={project} manyBusinesses={manyBusinesses} />,
      csv: ({ title }) => title,
    },
    ...(manyBusinesses ? [BUSINESS] : []),
    STATUS,
    {
      id: 'skill',
      header: 'Skill',
      none: 'No skill',
      from: 'wide',
      onCard: 'hidden',
      cell: ({ area_key }) => area_key && <span className="text-muted">{nameOf(area_key)}</span>,
      csv: ({ area_key }) => nameOf(area_key),
    },
    {
      id: 'due',
      header: 'Due',
      none: 'No date',
      onCard: 'bare',
      sort: { ascending: 'due' },
      cell: ({ due_on, status }) =>
        due_on && (
          <span className="whitespace-nowrap">
            <DueMark due={due_on} today={today} open={isOpenStatus(status)} />
          </span>
        ),
      csv: ({ due_on }) => due_on,
    },
    TASKS,
    {
      id: 'changed',
      header: 'Changed',
      from: 'wide',
      onCard: 'hidden',
      sort: { descending: 'changed' },
      cell: ({ updated_at }) => (
        <span className="whitespace-nowrap text-muted">
          {nearDayText(dayOf(updated_at, timeZone), today)}
        </span>
      ),
      csv: ({ updated_at }) => updated_at,
    },
  ];
}

function Title({ project, manyBusinesses }: { project: ListedProject; manyBusinesses: boolean }) {
  const { id, title, status, blocked_reason, next_task, business } = project;
  const below =
    status === 'blocked' ? `Blocked: ${blocked_reason}` : next_task && `Next: ${next_task.title}`;
  return (
    <>
      <a
        className="font-semibold hover:text-primary hover:underline"
        href={hrefFor('/dashboard/projects/[id]', { id })}
      >
        {title}
      </a>
      {manyBusinesses && <span className="block text-xs text-muted">{business.name}</span>}
      {below && <span className="line-clamp-2 text-xs text-muted">{below}</span>}
    </>
  );
}
