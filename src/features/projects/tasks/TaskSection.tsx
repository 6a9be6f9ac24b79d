import { useStore } from '@nanostores/react';
import { type RefObject, useRef, useState } from 'react';
import type { Project, ProjectTask } from '#data/projects.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { PendingAnnouncement, PendingStatus } from '#ui/PendingStatus.tsx';
import { type DragListProps, PlainList } from '#ui/PlainList.tsx';
import { Progress } from '#ui/Progress.tsx';
import { useSharedMenu } from '#ui/shared-menu.tsx';
import { useDrag } from '#ui/use-drag.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useOpenStore } from '#ui/use-open-store.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import { loadNoteDialog } from '../project/note.ts';
import { type TaskInput, taskSchema } from '../project/project-schema.ts';
import { TaskRow } from './task-parts.tsx';
import type { TaskStore } from './task-store.ts';

interface TasksProps {
  store: TaskStore;
  project: Project;
  mayEdit: boolean;
  today: string;
}

const loadDrag = () => import('#ui/DragList.tsx');
const loadTaskDialog = () => import('./TaskDialog.tsx');

export function TaskSection({ store, project, mayEdit, today }: TasksProps) {
  const tasks = useStore(store.$tasks, { ssr: 'initial' });
  const pending = useStore(store.pending.$items);
  useOpenStore(store.pending);
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusBack(heading, `${tasks.length} ${pending.length}`);
  const { Frame, around } = useDrag<DragListProps>(PlainList, loadDrag);
  const [editing, setEditing] = useState<ProjectTask | null>(null);
  const [blocking, setBlocking] = useState<ProjectTask | null>(null);
  const edit = useOpenedPart(loadTaskDialog, editing !== null, () => setEditing(null));
  const note = useOpenedPart(loadNoteDialog, blocking !== null, () => setBlocking(null));
  const menu = useSharedMenu();
  const may = mayEdit ? { store, menu, block: setBlocking, edit: setEditing } : null;
  return (
    <section aria-labelledby="tasks" className="card p-5 md:p-6">
      <Head project={project} heading={heading} />
      {tasks.length > 0 && (
        <div {...(mayEdit && around)} className="mt-2">
          <Frame
            items={tasks}
            noun="task"
            onDrop={(id, place) => void store.moveTo(id, place)}
            row={(id, handle) => {
              const task = tasks.find((each) => each.id === id);
              return task && <TaskRow task={task} handle={handle} today={today} may={may} />;
            }}
          />
        </div>
      )}
      {tasks.length === 0 && pending.length === 0 && (
        <p className="mt-2 text-sm text-muted">
          No tasks yet.
          {mayEdit && ' Add a first step that’s small enough for this week.'}
        </p>
      )}
      <PendingTasks store={store} />
      <MoreTasks store={store} count={project.task_count} />
      {mayEdit && <AddTask store={store} />}
      {editing && edit && (
        <edit.TaskDialog store={store} task={editing} onClose={() => setEditing(null)} />
      )}
      {blocking && note && (
        <note.NoteDialog
          title="What’s blocking it?"
          label="What has to happen first?"
          hint={blocking.title}
          action="Mark as blocked"
          most={500}
          onCancel={() => setBlocking(null)}
          onNote={(words) => {
            void store.setState(blocking.id, 'blocked', words);
            setBlocking(null);
          }}
        />
      )}
    </section>
  );
}

interface HeadProps {
  project: Project;
  heading: RefObject<HTMLHeadingElement | null>;
}

function Head({ project, heading }: HeadProps) {
  return (
    <>
      <div className="flex items-baseline justify-between gap-3">
        <h2 id="tasks" ref={heading} tabIndex={-1} className="text-lg">
          Tasks
        </h2>
        {project.task_count > 0 && (
          <p role="status" className="text-xs text-muted figures">
            {project.done_count} of {project.task_count} done
          </p>
        )}
      </div>
      {project.task_count > 0 && (
        <Progress
          className="mt-3"
          label="Tasks done"
          value={project.done_count}
          max={project.task_count}
        />
      )}
    </>
  );
}

/** Tasks that were added and aren't stored yet. */
function PendingTasks({ store }: { store: TaskStore }) {
  const pending = useStore(store.pending.$items);
  return (
    <>
      <PendingAnnouncement items={pending} />
      {pending.length > 0 && (
        <ul aria-label="Tasks being saved" className="mt-2 flex flex-col gap-3">
          {pending.map(({ key, value, status }) => (
            <li key={key} className="border-l-2 border-line pl-4">
              <p className="text-sm wrap-anywhere">{value.title}</p>
              <PendingStatus status={status} onDiscard={() => store.pending.discard(key)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function MoreTasks({ store, count }: { store: TaskStore; count: number }) {
  const shown = useStore(store.$tasks, { ssr: 'initial' }).length;
  const more = useStore(store.$more, { ssr: 'initial' });
  const loading = useStore(store.$loading, { ssr: 'initial' });
  if (!more) return null;
  return (
    <Button
      className="mt-3"
      size="small"
      variant="secondary"
      pending={loading}
      onClick={() => void store.more()}
    >
      Show {Math.min(100, Math.max(count - shown, 1))} more
    </Button>
  );
}

/** Adds a task with Enter, and keeps the focus in the field for the next one. */
function AddTask({ store }: { store: TaskStore }) {
  const element = useRef<HTMLFormElement>(null);
  const { form, submit, field } = useSchemaForm<TaskInput>(
    taskSchema,
    async (input) => {
      store.add(input);
      form.reset({ title: '', dueOn: '' });
      element.current?.querySelector('input')?.focus();
    },
    { guarded: true },
  );
  return (
    <form
      ref={element}
      method="post"
      noValidate
      onSubmit={submit}
      className="no-print mt-4 flex flex-col gap-3 border-t border-line pt-4"
    >
      <div className="flex flex-wrap items-end gap-3">
        <Field
          label="New task"
          className="grow basis-60"
          autoComplete="off"
          maxLength={400}
          {...field('title')}
        />
        <Field label="Due" optional type="date" className="basis-40" {...field('dueOn')} />
        <Button type="submit" variant="secondary" needsScript>
          Add task
        </Button>
      </div>
    </form>
  );
}
