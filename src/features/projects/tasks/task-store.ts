/** The tasks of one project: shown at once as they were meant, and put back where that is refused. */

import { atom } from 'nanostores';
import {
  listProjectTasks,
  moveTask,
  removeProjectTask,
  saveProjectTask,
  setTaskState,
} from '#data/project-tasks.ts';
import { type ProjectTask, type ProjectView, TASK_PAGE } from '#data/projects.ts';
import type { TaskState } from '#domain/project.ts';
import { createErrorReporter } from '#lib/classify-error.ts';
import type { AppError } from '#lib/errors.ts';
import { newId } from '#lib/new-id.ts';
import type { Db } from '#lib/supabase.ts';
import { taskKind, type WrittenTask } from '#sync/kinds/project-task.ts';
import { createPendingList } from '#sync/pending-list.ts';
import type { Sync } from '#sync/sync.ts';
import type { TaskInput } from '../project/project-schema.ts';

interface TaskDeps {
  db: () => Promise<Db>;
  openSync: () => Sync;
  /**
   * Tells the person what did not happen; `again` tries it once more. What they `typed` for it is
   * nowhere else: it is told until they have answered.
   */
  failed: (what: string, error: AppError, again: () => void, typed?: string) => void;
  signedOut: () => void;
  /** Tasks came or went, or were done: by how many the project's counts change. */
  counted: (tasks: number, done: number) => void;
}

export type TaskStore = ReturnType<typeof createTaskStore>;

/** Makes the store of one page. */
export function createTaskStore(
  deps: TaskDeps,
  initial: Pick<ProjectView, 'tasks' | 'project'>,
  makeId: () => string = newId,
) {
  const projectId = initial.project.id;
  const $tasks = atom<readonly ProjectTask[]>(initial.tasks);
  const $more = atom(initial.tasks.length === TASK_PAGE);
  const $loading = atom(false);
  const pending = createPendingList({
    openSync: deps.openSync,
    kind: taskKind,
    belongs: (task) => task.projectId === projectId,
    onStored,
  });
  // In the order in which they were pressed: the last one stands.
  let last: Promise<unknown> = Promise.resolve();

  const replace = (task: ProjectTask) =>
    $tasks.set($tasks.get().map((each) => (each.id === task.id ? task : each)));

  const reportError = createErrorReporter(deps);

  /** Does something after whatever is under way; says what failed and puts the page back. */
  function queue(
    what: string,
    work: (db: Db) => Promise<void>,
    undo: () => void,
    again: () => void,
    typed?: string,
  ) {
    const mine = last.then(async () => {
      try {
        await work(await deps.db());
      } catch (thrown) {
        undo();
        deps.failed(what, reportError(thrown), again, typed);
      }
    });
    last = mine;
    return mine;
  }

  /** Adds a task at the end, now or when that is possible; until then it waits under the others. */
  function add(input: TaskInput): void {
    const id = makeId();
    pending.add(id, { id, projectId, ...input });
  }

  function onStored({ id, title, dueOn }: WrittenTask, answer: ProjectTask | undefined) {
    // It stood here already when its answer had been lost.
    if ($tasks.get().some((each) => each.id === id)) return;
    const task: ProjectTask = answer ?? {
      ...{ id, title, due_on: dueOn || null, state: 'todo', blocked_reason: null },
      ...{ position: '', revision: 1 },
    };
    deps.counted(1, 0);
    // Behind tasks that are not on the page yet it comes with them.
    if (!$more.get()) $tasks.set([...$tasks.get(), task]);
  }

  /**
   * Changes what a task says.
   * @returns null when it is saved; what somebody else saved meanwhile otherwise. Throws an AppError.
   */
  async function save(
    task: { id: string; revision: number },
    input: TaskInput,
  ): Promise<ProjectTask | null> {
    try {
      const answer = await saveProjectTask(await deps.db(), { ...task, ...input });
      replace(answer.task);
      return answer.saved ? null : answer.task;
    } catch (thrown) {
      throw reportError(thrown);
    }
  }

  const isDone = (state: TaskState) => (state === 'done' ? 1 : 0);

  type Standing = Pick<ProjectTask, 'state' | 'blocked_reason'>;
  /** How tasks are stored whose state was pressed, and how many presses are not answered. */
  const pressed = new Map<string, { stored: Standing; waiting: number }>();

  const stand = (task: ProjectTask, standing: Standing) => {
    const done = isDone(standing.state) - isDone(task.state);
    if (done !== 0) deps.counted(0, done);
    replace({ ...task, ...standing });
  };

  /** Says how a task stands; `reason` is what blocks it. */
  function setState(id: string, state: TaskState, reason = ''): Promise<void> {
    const was = $tasks.get().find((each) => each.id === id);
    if (!was) return Promise.resolve();
    const standing = { state, blocked_reason: state === 'blocked' ? reason : null };
    const press = pressed.get(id) ?? {
      stored: { state: was.state, blocked_reason: was.blocked_reason },
      waiting: 0,
    };
    press.waiting += 1;
    pressed.set(id, press);
    stand(was, standing);
    // Whichever press was lost: when the last one is answered the page shows what is stored.
    const answered = () => {
      press.waiting -= 1;
      if (press.waiting > 0) return;
      pressed.delete(id);
      const now = $tasks.get().find((each) => each.id === id);
      if (now) stand(now, press.stored);
    };
    return queue(
      `“${was.title}” stays as it was`,
      async (db) => {
        const { revision } = await setTaskState(db, id, state, reason);
        press.stored = standing;
        const now = $tasks.get().find((each) => each.id === id);
        if (now) replace({ ...now, revision });
        answered();
      },
      answered,
      () => void setState(id, state, reason),
      reason,
    );
  }

  /** Puts a task at a place of those on the page, counted without it. */
  function moveTo(id: string, place: number): Promise<void> {
    const before = $tasks.get();
    const task = before.find((each) => each.id === id);
    if (!task) return Promise.resolve();
    const others = before.filter((each) => each.id !== id);
    const to = Math.min(Math.max(place, 0), others.length);
    if (before.indexOf(task) === to) return Promise.resolve();
    $tasks.set([...others.slice(0, to), task, ...others.slice(to)]);
    const after = others[to - 1]?.id ?? null;
    return queue(
      `“${task.title}” stays at its place`,
      async (db) => {
        await moveTask(db, id, after);
      },
      () => {
        const now = $tasks.get().filter((each) => each.id !== id);
        const from = before.indexOf(task);
        $tasks.set([...now.slice(0, from), task, ...now.slice(from)]);
      },
      () => void moveTo(id, place),
    );
  }

  /** Takes a task away. `undo`, which it is given back by, is for the person to press. */
  function remove(id: string, gone: (title: string, undo: () => void) => void): Promise<void> {
    const before = $tasks.get();
    const at = before.findIndex((each) => each.id === id);
    const task = before[at];
    if (!task) return Promise.resolve();
    const put = () => {
      const now = $tasks.get().filter((each) => each.id !== id);
      $tasks.set([...now.slice(0, at), task, ...now.slice(at)]);
      deps.counted(1, isDone(task.state));
    };
    const take = () => {
      $tasks.set($tasks.get().filter((each) => each.id !== id));
      deps.counted(-1, -isDone(task.state));
    };
    const bringBack = (): Promise<void> => {
      put();
      return queue(
        `“${task.title}” is still gone`,
        (db) => removeProjectTask(db, id, false),
        take,
        () => void bringBack(),
      );
    };
    take();
    return queue(
      `“${task.title}” is still there`,
      async (db) => {
        await removeProjectTask(db, id, true);
        gone(task.title, () => void bringBack());
      },
      put,
      () => void remove(id, gone),
    );
  }

  /** Adds the next hundred. */
  async function more(): Promise<void> {
    const after = $tasks.get().at(-1)?.id;
    if (!after || $loading.get()) return;
    $loading.set(true);
    try {
      const next = await listProjectTasks(await deps.db(), projectId, after);
      const had = new Set($tasks.get().map(({ id }) => id));
      $tasks.set([...$tasks.get(), ...next.filter(({ id }) => !had.has(id))]);
      $more.set(next.length === TASK_PAGE);
    } catch (thrown) {
      deps.failed('The next tasks could not be read', reportError(thrown), () => void more());
    } finally {
      $loading.set(false);
    }
  }

  return { $tasks, $more, $loading, pending, add, save, setState, moveTo, remove, more };
}
