/** The parts of the board that the plain and the draggable version share. */

import type { ComponentProps, ReactNode, Ref } from 'react';
import type { ListedProject } from '#data/project-list.ts';
import { isOpenStatus, type ProjectStatus, STATUS_LABELS } from '#domain/project.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { BoardColumn, BoardGrid } from '#ui/Board.tsx';
import { Button } from '#ui/Button.tsx';
import { DueMark } from '#ui/project-marks.tsx';
import { DragHandle } from '#ui/use-drag.tsx';

export interface Column {
  status: ProjectStatus;
  projects: ListedProject[];
  /** How many there are in total; 100 means 100 or more. */
  count: number;
}

export interface FrameProps {
  columns: Column[];
  /** Renders a card, with a drag handle if it can be moved. */
  card: (project: ListedProject, handle: ReactNode) => ReactNode;
  onMore: (status: ProjectStatus) => void;
  onDrop: (project: ListedProject, to: ProjectStatus) => void;
}

interface ColumnProps {
  column: Column;
  children: ReactNode;
  onMore: (status: ProjectStatus) => void;
  ref?: Ref<HTMLElement>;
  target?: ComponentProps<typeof BoardColumn>['target'];
}

/** A status and its projects. */
export function StatusColumn({ column, children, onMore, ref, target }: ColumnProps) {
  const { status, projects, count } = column;
  return (
    <BoardColumn
      ref={ref}
      id={status}
      title={STATUS_LABELS[status]}
      count={count}
      noun={[' project', ' projects']}
      isEmpty={projects.length === 0}
      target={target}
      more={
        count > projects.length &&
        projects.length > 0 && (
          <Button variant="quiet" size="small" className="mt-1" onClick={() => onMore(status)}>
            Show more
            <span className="sr-only"> that are {STATUS_LABELS[status].toLowerCase()}</span>
          </Button>
        )
      }
    >
      {children}
    </BoardColumn>
  );
}

export const CardHandle = (props: ComponentProps<typeof DragHandle>) => (
  <DragHandle {...props} className="-my-1.5 -mr-1.5 ml-auto hidden size-8 lg:grid" />
);

interface CardProps {
  project: ListedProject;
  today: string;
  /** The drag handle goes in the bottom corner, the menu in the top one. */
  handle: ReactNode;
  menu: ReactNode;
  manyBusinesses: boolean;
}

export function ProjectCard({ project, today, handle, menu, manyBusinesses }: CardProps) {
  const { title, status, due_on, task_count, done_count, blocked_reason, next_task } = project;
  return (
    <article
      data-project={project.id}
      className="relative rounded-control border border-line bg-surface p-3 text-sm wrap-anywhere"
    >
      {/* Only its first line leaves room for the menu. */}
      <h3 className="font-text text-sm font-semibold text-pretty before:float-right before:size-7 before:content-['']">
        <a
          className="hover:text-primary hover:underline"
          href={hrefFor('/dashboard/projects/[id]', { id: project.id })}
        >
          {title}
        </a>
      </h3>
      <div className="absolute top-3 right-3">{menu}</div>
      {manyBusinesses && <p className="text-xs text-muted">{project.business.name}</p>}
      {status === 'blocked' && blocked_reason && (
        <p className="mt-1 line-clamp-3 text-xs text-danger">{blocked_reason}</p>
      )}
      {status !== 'blocked' && next_task && (
        <p className="mt-1 line-clamp-2 text-xs text-muted">Next: {next_task.title}</p>
      )}
      <div className="mt-2 flex items-end gap-1">
        {(due_on || task_count > 0) && (
          <p className="flex flex-wrap gap-x-3 text-xs text-muted">
            {due_on && <DueMark due={due_on} today={today} open={isOpenStatus(status)} />}
            {task_count > 0 && (
              <span className="figures">
                {done_count} of {task_count} {task_count === 1 ? 'task' : 'tasks'}
              </span>
            )}
          </p>
        )}
        {handle}
      </div>
    </article>
  );
}

/** The board until the drag-and-drop code is loaded. */
export function PlainBoard({ columns, card, onMore }: FrameProps) {
  return (
    <BoardGrid>
      {columns.map((column) => (
        <StatusColumn key={column.status} column={column} onMore={onMore}>
          {column.projects.map((project) => (
            <li key={project.id}>
              {card(project, project.moves.length > 0 && <CardHandle title={project.title} />)}
            </li>
          ))}
        </StatusColumn>
      ))}
    </BoardGrid>
  );
}
