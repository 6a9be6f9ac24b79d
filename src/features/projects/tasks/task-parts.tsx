/** What the list of tasks is made of, whether its rows can be dragged yet or not. */
import { Ellipsis, GripVertical } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import type { ProjectTask } from '#data/projects.ts';
import { classNames } from '#ui/class-names.ts';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { IconButton } from '#ui/IconButton.tsx';
import { Menu } from '#ui/Menu.tsx';
import { DueMark } from './DueMark.tsx';

export interface TaskFrameProps {
  tasks: readonly ProjectTask[];
  row: (task: ProjectTask, handle: ReactNode) => ReactNode;
  /** A task was put at a place, counted without it. */
  onDrop: (id: string, place: number) => void;
}

/** What a row is taken by, with a finger, a mouse or the space bar. */
export function TaskHandle({ title, ...rest }: { title: string } & ComponentProps<'button'>) {
  return (
    <IconButton
      {...rest}
      label={`Drag ${title}`}
      tip="Drag"
      className="-ml-2 grid size-9 shrink-0 cursor-grab touch-none place-items-center rounded-small text-muted hover:bg-raised hover:text-ink pointer-coarse:size-11 print:hidden"
    >
      <GripVertical className="size-4" aria-hidden="true" />
    </IconButton>
  );
}

/** The list before anybody reaches for it. */
export function PlainTasks({ tasks, row }: TaskFrameProps) {
  return (
    <ol className="divide-y divide-line">
      {tasks.map((task) => (
        <li key={task.id}>{row(task, <TaskHandle title={task.title} />)}</li>
      ))}
    </ol>
  );
}

interface RowProps {
  task: ProjectTask;
  handle: ReactNode;
  today: string;
  /** Null for a person who only reads. */
  may: TaskActions | null;
  first: boolean;
  last: boolean;
}

export interface TaskActions {
  tick: (task: ProjectTask, done: boolean) => void;
  doing: (task: ProjectTask) => void;
  todo: (task: ProjectTask) => void;
  block: (task: ProjectTask) => void;
  edit: (task: ProjectTask) => void;
  /** One place up (-1) or down (1). */
  step: (task: ProjectTask, by: number) => void;
  remove: (task: ProjectTask) => void;
}

/** A task: ticked, dragged, and everything else in its menu. */
export function TaskRow({ task, handle, today, may, first, last }: RowProps) {
  const { title, state, due_on, blocked_reason } = task;
  return (
    <div className="flex items-start gap-1 bg-surface py-2.5">
      {may && handle}
      <div className="min-w-0 grow py-1.5">
        {may ? (
          <Checkbox
            checked={state === 'done'}
            onChange={({ target }) => may.tick(task, target.checked)}
            label={
              <span
                className={classNames(
                  'wrap-anywhere',
                  state === 'done' && 'text-muted line-through',
                )}
              >
                {title}
              </span>
            }
          />
        ) : (
          <p className={classNames('text-sm wrap-anywhere', state === 'done' && 'text-muted')}>
            {title}
            {state === 'done' && <span className="text-xs"> (done)</span>}
          </p>
        )}
        {(state === 'doing' || state === 'blocked' || due_on) && (
          <p
            className={classNames(
              'mt-0.5 flex flex-wrap gap-x-3 text-xs text-muted',
              may && 'pl-8',
            )}
          >
            {state === 'doing' && <span className="font-medium text-primary">Doing</span>}
            {due_on && <DueMark due={due_on} today={today} open={state !== 'done'} />}
            {state === 'blocked' && (
              <span className="text-danger wrap-anywhere">Blocked: {blocked_reason}</span>
            )}
          </p>
        )}
      </div>
      {may && (
        <Menu
          label={`What to do with ${title}`}
          trigger={
            <IconButton
              label={`More about ${title}`}
              tip="More"
              className="-mr-2 grid size-9 shrink-0 place-items-center rounded-small text-muted hover:bg-raised hover:text-ink pointer-coarse:size-11 print:hidden"
            >
              <Ellipsis className="size-4" aria-hidden="true" />
            </IconButton>
          }
          groups={[
            [
              { key: 'edit', label: 'Edit', onSelect: () => may.edit(task) },
              ...(state === 'doing'
                ? []
                : [{ key: 'doing', label: 'Doing it now', onSelect: () => may.doing(task) }]),
              ...(state === 'blocked'
                ? []
                : [{ key: 'block', label: 'Blocked …', onSelect: () => may.block(task) }]),
              ...(state === 'todo'
                ? []
                : [{ key: 'todo', label: 'Back to do', onSelect: () => may.todo(task) }]),
            ],
            [
              {
                ...{ key: 'up', label: 'Move up', disabled: first },
                onSelect: () => may.step(task, -1),
              },
              {
                ...{ key: 'down', label: 'Move down', disabled: last },
                onSelect: () => may.step(task, 1),
              },
            ],
            [{ key: 'remove', label: 'Remove', danger: true, onSelect: () => may.remove(task) }],
          ]}
        />
      )}
    </div>
  );
}
