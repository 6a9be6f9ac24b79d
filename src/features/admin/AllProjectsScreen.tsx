import { useStore } from '@nanostores/react';
import { useMemo } from 'react';
import type { ListChoices } from '#data/admin-lists.ts';
import { type ListedAnyProject, listAllProjects } from '#data/admin-projects.ts';
import {
  type AllProjectsFilter,
  allProjectsFilter,
  PROJECT_STATES,
} from '#domain/admin-projects.ts';
import type { ListPage } from '#domain/list.ts';
import { dueState, isOpenStatus, STATUS_LABELS } from '#domain/project.ts';
import { nearDayText, shortDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import type { DataColumn } from '#ui/table/columns.ts';
import { AdminList, useAdminList } from './list/AdminList.tsx';
import { useDueDates } from './projects/use-due-dates.tsx';

interface ProjectsProps {
  filter: AllProjectsFilter;
  page: ListPage<ListedAnyProject> & { choices: ListChoices | null };
  /** The reader's IANA time zone and the day there. */
  timeZone: string;
  today: string;
}

/** When it's due, and whether that has passed. */
function Due({ project, today }: { project: ListedAnyProject; today: string }) {
  const { due_on, status } = project;
  if (!due_on) return null;
  const isLate = dueState(due_on, today, isOpenStatus(status)) === 'late';
  return (
    <time dateTime={due_on} className={isLate ? 'font-medium text-danger' : 'whitespace-nowrap'}>
      {isLate && <span className="max-md:hidden">Was due </span>}
      {nearDayText(due_on, today)}
    </time>
  );
}

const tasksText = ({ done_count, task_count }: ListedAnyProject) =>
  task_count > 0 ? `${done_count} of ${task_count}` : null;

const columnsIn = (timeZone: string, today: string): DataColumn<ListedAnyProject>[] => [
  {
    id: 'title',
    header: 'Project',
    isRowHeader: true,
    sort: { ascending: 'title' },
    cell: ({ id, title }) => (
      <a className="link wrap-anywhere" href={hrefFor('/dashboard/projects/[id]', { id })}>
        {title}
      </a>
    ),
    csv: ({ title }) => title,
  },
  {
    id: 'business',
    header: 'Business',
    cell: ({ business: { id, name, archived } }) => (
      <span className="md:block xl:min-w-36">
        <a className="link wrap-anywhere" href={hrefFor('/admin/businesses/[id]', { id })}>
          {name}
        </a>
        {archived && <span className="block text-xs text-muted">Archived</span>}
      </span>
    ),
    csv: ({ business }) => business.name,
  },
  {
    id: 'status',
    header: 'Status',
    breaks: 'never',
    cell: ({ status }) => STATUS_LABELS[status],
    csv: ({ status }) => STATUS_LABELS[status],
  },
  {
    id: 'due',
    header: 'Due',
    none: 'No date',
    breaks: 'never',
    sort: { ascending: 'due' },
    cell: (project) => project.due_on && <Due project={project} today={today} />,
    csv: ({ due_on }) => due_on,
  },
  {
    id: 'coach',
    header: 'Coach',
    none: 'No coach',
    from: 'wide',
    breaks: 'rarely',
    cell: ({ coach }) => coach,
    csv: ({ coach }) => coach,
  },
  {
    id: 'tasks',
    header: 'Tasks',
    none: 'No tasks',
    align: 'right',
    from: 'wide',
    breaks: 'never',
    cell: tasksText,
    csv: tasksText,
  },
  {
    id: 'created',
    header: 'Created',
    sort: { descending: 'newest' },
    from: 'wide',
    onCard: 'hidden',
    breaks: 'never',
    cell: ({ created_at }) => shortDayText(created_at, timeZone),
    csv: ({ created_at }) => created_at,
  },
];

/** The projects of all businesses. */
function AllProjectsScreen({ filter, page, timeZone, today }: ProjectsProps) {
  const list = useAdminList<ListedAnyProject, AllProjectsFilter>(
    { path: hrefFor('/admin/projects'), codec: allProjectsFilter, read: listAllProjects },
    { filter, page },
  );
  const columns = useMemo(() => columnsIn(timeZone, today), [timeZone, today]);
  const { actions, dialog } = useDueDates(() => list.choose({ place: list.$filter.get().place }));
  const { business } = useStore(list.$filter, { ssr: 'initial' });
  const only = page.choices?.business?.find(({ value }) => value === business);
  return (
    <div className="flex flex-col gap-6">
      <header>
        <h1>Projects</h1>
        {only && (
          <p className="mt-2 text-muted">
            Of{' '}
            <a className="link" href={hrefFor('/admin/businesses/[id]', { id: only.value })}>
              {only.label}
            </a>
            .{' '}
            <a className="link" href={hrefFor('/admin/projects')}>
              Show those of all businesses
            </a>
          </p>
        )}
      </header>
      <AdminList
        list={list}
        codec={allProjectsFilter}
        caption="Projects"
        noun={['project', 'projects']}
        columns={columns}
        nameOf={({ title }) => title}
        actions={actions}
        onlyLinks
        searchBy="project or business"
        choices={[
          { key: 'status', label: 'Status', options: PROJECT_STATES },
          { key: 'coach', label: 'Coach', any: 'Any', options: page.choices?.coach ?? [] },
          {
            key: 'sort',
            label: 'Sort by',
            options: [
              { value: 'newest', label: 'Newest' },
              { value: 'due', label: 'Due date' },
              { value: 'title', label: 'Name' },
            ],
          },
        ]}
        name="all-projects"
        empty={
          <EmptyState title="No open projects">
            The projects that owners start show up here. Choose “All” to see finished ones too.
          </EmptyState>
        }
      />
      {dialog}
    </div>
  );
}

export default screen(AllProjectsScreen);
