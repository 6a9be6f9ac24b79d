/** The parts of the board that the plain and the draggable version share. */

import type { ComponentProps, ReactNode, Ref } from 'react';
import type { ListedProject } from '#data/project-list.ts';
import { isOpenStatus, type ProjectStatus, STATUS_LABELS } from '#domain/project.ts';
import { hrefFor } from '#lib/routing/routes.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { DueMark } from '../marks.tsx';
import { DragHandle } from './use-drag.tsx';

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
  /** While a card is dragged: it may be dropped here, it's over this column, or it may not. */
  target?: 'open' | 'over' | 'closed' | undefined;
}

/** A status and its projects: a column on a desktop, a section of a list on a phone. */
export function BoardColumn({ column, children, onMore, ref, target }: ColumnProps) {
  const { status, projects, count } = column;
  return (
    <section
      ref={ref}
      aria-labelledby={`column-${status}`}
      className={classNames(
        'rounded-card border transition-colors lg:min-h-56 lg:bg-raised/60 lg:p-2',
        // From 1280 px all columns fit side by side; an empty one only needs room for its name.
        projects.length === 0
          ? 'hidden lg:block lg:flex-[1_0_8.5rem] xl:basis-28'
          : 'lg:flex-[2_0_13.5rem] xl:basis-38',
        target === 'over' ? 'border-primary bg-primary-soft' : 'border-transparent',
        target === 'open' && 'lg:border-dashed lg:border-edge',
        target === 'closed' && 'opacity-55',
      )}
    >
      <h2
        id={`column-${status}`}
        className="flex items-baseline justify-between gap-2 py-1.5 font-text text-sm font-semibold lg:px-2"
      >
        {STATUS_LABELS[status]}
        <span className="text-xs font-normal text-muted figures">
          {count >= 100 ? '100+' : count}
          <span className="sr-only">{count === 1 ? ' project' : ' projects'}</span>
        </span>
      </h2>
      <ul className="mt-1 flex flex-col gap-2">{children}</ul>
      {count > projects.length && projects.length > 0 && (
        <Button variant="quiet" size="small" className="mt-1" onClick={() => onMore(status)}>
          Show more<span className="sr-only"> that are {STATUS_LABELS[status].toLowerCase()}</span>
        </Button>
      )}
    </section>
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
      className="rounded-control border border-line bg-surface p-3 text-sm wrap-anywhere"
    >
      <div className="flex items-start gap-1">
        <h3 className="line-clamp-5 min-w-0 grow font-text text-sm font-semibold text-pretty">
          <a
            className="hover:text-primary hover:underline"
            href={hrefFor('/dashboard/projects/[id]', { id: project.id })}
          >
            {title}
          </a>
        </h3>
        {menu}
      </div>
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
                {done_count} of {task_count} tasks
              </span>
            )}
          </p>
        )}
        {handle}
      </div>
    </article>
  );
}

/** The columns, side by side on a desktop and stacked on a phone. */
export function BoardGrid({ children }: { children: ReactNode }) {
  return (
    <div className="relative flex flex-col gap-4 lg:-mx-2 lg:flex-row lg:gap-2 lg:overflow-x-auto lg:px-2 lg:pb-3 lg:max-xl:mask-r-from-92% lg:max-xl:pr-16">
      {children}
    </div>
  );
}

/** The board until the drag-and-drop code is loaded. */
export function PlainBoard({ columns, card, onMore }: FrameProps) {
  return (
    <BoardGrid>
      {columns.map((column) => (
        <BoardColumn key={column.status} column={column} onMore={onMore}>
          {column.projects.map((project) => (
            <li key={project.id}>
              {card(project, project.moves.length > 0 && <CardHandle title={project.title} />)}
            </li>
          ))}
        </BoardColumn>
      ))}
    </BoardGrid>
  );
}
