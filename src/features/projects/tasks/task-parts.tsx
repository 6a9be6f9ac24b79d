/** A row of the task list. */
import type { ReactNode } from 'react';
import type { ProjectTask } from '#data/projects.ts';
import { addToast } from '#stores/toasts.ts';
import { classNames } from '#ui/class-names.ts';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { DOTS, LineIcon } from '#ui/LineIcon.tsx';
import { DueMark } from '#ui/project-marks.tsx';
import { renderSharedMenu, type useSharedMenu } from '#ui/shared-menu.tsx';
import type { TaskStore } from './task-store.ts';

interface RowProps {
  task: ProjectTask;
  handle: ReactNode;
  today: string;
  /** Null if the user can't change tasks. */
  may: TaskActions | null;
}

export interface TaskActions {
  store: TaskStore;
  /** The menu of all tasks. */
  menu: ReturnType<typeof useSharedMenu>;
  block: (task: ProjectTask) => void;
  edit: (task: ProjectTask) => void;
}

/** A task with its checkbox, its drag handle and its menu. */
export function TaskRow({ task, handle, today, may }: RowProps) {
  const { title, state } = task;
  const isDone = state === 'done';
  return (
    <div className="flex items-start gap-1 bg-surface py-2.5">
      {may && handle}
      <div className="min-w-0 grow py-1.5">
        {may ? (
          <Checkbox
            checked={isDone}
            onChange={({ target }) =>
              void may.store.setState(task.id, target.checked ? 'done' : 'todo')
            }
            label={
              <span className={classNames('wrap-anywhere', isDone && 'text-muted line-through')}>
                {title}
              </span>
            }
          />
        ) : (
          <p className={classNames('flex gap-3 text-sm', isDone && 'text-muted')}>
            <svg
              viewBox="0 0 20 20"
              className={classNames(
                'size-5 shrink-0 fill-none',
                isDone ? 'stroke-primary' : 'stroke-edge',
              )}
              strokeWidth="1.75"
              aria-hidden="true"
            >
              {isDone ? <path d="m4 10.500 4 4 8-9" /> : <circle cx="10" cy="10" r="7" />}
            </svg>
            <span className="min-w-0 wrap-anywhere">
              {title}
              {isDone && <span className="sr-only"> (done)</span>}
            </span>
          </p>
        )}
        <TaskStatusLine task={task} today={today} />
      </div>
      {may && renderTaskMenu(task, may)}
    </div>
  );
}

interface StatusProps {
  task: ProjectTask;
  today: string;
}

function TaskStatusLine({ task, today }: StatusProps) {
  const { state, due_on, blocked_reason } = task;
  if (state !== 'doing' && state !== 'blocked' && !due_on) return null;
  return (
    <p className="mt-0.5 flex flex-wrap gap-x-3 pl-8 text-xs text-muted">
      {state === 'doing' && <span className="font-medium text-primary">Doing</span>}
      {due_on && <DueMark due={due_on} today={today} open={state !== 'done'} />}
      {state === 'blocked' && (
        <span className="text-danger wrap-anywhere">Blocked: {blocked_reason}</span>
      )}
    </p>
  );
}

const DOTS_ICON = LineIcon({ d: DOTS, box: 24, width: 4, className: 'size-4' });

function renderTaskMenu(task: ProjectTask, may: TaskActions) {
  const { id, title } = task;
  return renderSharedMenu({
    name: id,
    menu: may.menu.menuOf(id),
    ask: may.menu.ask,
    label: `Actions for ${title}`,
    groups: () => actionsOf(task, may),
    trigger: (
      <button
        type="button"
        aria-label={`More actions for ${title}`}
        data-tooltip="More"
        className="-mr-2 grid size-9 shrink-0 place-items-center rounded-small text-muted hover:bg-raised hover:text-ink pointer-coarse:size-11 print:hidden"
      >
        {DOTS_ICON}
      </button>
    ),
  });
}

function actionsOf(task: ProjectTask, { store, block, edit }: TaskActions) {
  const { id, title, state } = task;
  const tasks = store.$tasks.get();
  const place = tasks.findIndex((each) => each.id === id);
  const item = (key: string, label: string, onSelect: () => void) => ({ key, label, onSelect });
  const setState = (to: 'doing' | 'todo') => void store.setState(id, to);
  const moveTo = (to: number) => void store.moveTo(id, to);
  const remove = () =>
    void store.remove(id, (_, undo) => {
      const action = { label: 'Undo', onPress: undo };
      addToast({ title: `Removed “${title}”`, action });
    });
  return [
    [
      item('edit', 'Edit', () => edit(task)),
      ...(state === 'doing' ? [] : [item('doing', 'Doing it now', () => setState('doing'))]),
      ...(state === 'blocked' ? [] : [item('block', 'Blocked…', () => block(task))]),
      ...(state === 'todo' ? [] : [item('todo', 'Back to to-do', () => setState('todo'))]),
    ],
    [
      { ...item('up', 'Move up', () => moveTo(place - 1)), disabled: place === 0 },
      {
        ...item('down', 'Move down', () => moveTo(place + 1)),
        disabled: place === tasks.length - 1,
      },
    ],
    [{ ...item('remove', 'Remove', remove), danger: true }],
  ];
}
