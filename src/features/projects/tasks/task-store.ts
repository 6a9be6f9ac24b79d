/** The tasks of one project. */

import { atom } from 'nanostores';
import {
  listProjectTasks,
  moveTask,
  removeProjectTask,
  saveProjectTask,
  setTaskState,
} from '#data/project-tasks.ts';
import { type ProjectTask, TASK_PAGE } from '#data/projects.ts';
import type { TaskState } from '#domain/project.ts';
import { type Attempt, type AttemptDeps, createAttempt, createRequest } from '#lib/attempt.ts';
import { newId } from '#lib/new-id.ts';
import type { Db } from '#lib/supabase.ts';
import { taskKind, type WrittenTask } from '#sync/kinds/project-task.ts';
import { createPendingList } from '#sync/pending-list.ts';
import type { Sync } from '#sync/sync.ts';
import type { TaskInput } from '../project/project-schema.ts';

interface TaskDeps extends AttemptDeps {
  openSync: () => Sync;
  /** Called with the changes in the project's counts of tasks and of done tasks. */
  counted: (tasks: number, done: number) => void;
}

type TaskStatus = Pick<ProjectTask, 'state' | 'blocked_reason'>;

const countDone = (state: TaskState) => (state === 'done' ? 1 : 0);

const without = (tasks: readonly ProjectTask[], id: string) =>
  tasks.filter((each) => each.id !== id);

const inserted = (tasks: readonly ProjectTask[], task: ProjectTask, place: number) => {
  const others = without(tasks, task.id);
  return [...others.slice(0, place), task, ...others.slice(place)];
};

/** The store of one page. Changes are optimistic, saved in order, and rolled back if they fail. */
export class TaskStore {
  readonly $tasks;
  readonly $more;
  readonly $loading = atom(false);
  /** Tasks that were added and aren't stored yet. */
  readonly pending;
  readonly #projectId: string;
  readonly #counted: TaskDeps['counted'];
  readonly #attempt: Attempt;
  readonly #request: ReturnType<typeof createRequest>;
  /** Tasks whose status is being saved: the stored status, and how many requests are running. */
  readonly #saving = new Map<string, { stored: TaskStatus; writes: number }>();
  #lastWrite: Promise<unknown> = Promise.resolve();

  constructor(deps: TaskDeps, initial: { project: { id: string }; tasks: ProjectTask[] }) {
    this.#projectId = initial.project.id;
    this.#counted = deps.counted;
    this.#attempt = createAttempt(deps);
    this.#request = createRequest(deps);
    this.$tasks = atom<readonly ProjectTask[]>(initial.tasks);
    this.$more = atom(initial.tasks.length === TASK_PAGE);
    this.pending = createPendingList({
      openSync: deps.openSync,
      kind: taskKind,
      belongs: (task) => task.projectId === this.#projectId,
      onStored: (task, answer) => this.#handleStored(task, answer),
    });
  }

  /** Adds a task at the end; it's in `pending` until it's stored. */
  add(input: TaskInput): void {
    const id = newId();
    this.pending.add(id, { id, projectId: this.#projectId, ...input });
  }

  /**
   * Saves the title and the due date of a task.
   * @returns null if it's saved, or the version that someone else saved first. Throws an AppError.
   */
  async save(
    task: { id: string; revision: number },
    input: TaskInput,
  ): Promise<ProjectTask | null> {
    const answer = await this.#request((db) => saveProjectTask(db, { ...task, ...input }));
    this.#replace(answer.task);
    return answer.saved ? null : answer.task;
  }

  /** Sets the state of a task; `reason` says what blocks it. */
  async setState(id: string, state: TaskState, reason = ''): Promise<void> {
    const task = this.#find(id);
    if (!task) return;
    const status = { state, blocked_reason: state === 'blocked' ? reason : null };
    const saving = this.#saving.get(id) ?? {
      stored: { state: task.state, blocked_reason: task.blocked_reason },
      writes: 0,
    };
    saving.writes += 1;
    this.#saving.set(id, saving);
    this.#setStatus(task, status);
    // After the last response the page shows what's stored, whichever write failed.
    const finish = () => {
      saving.writes -= 1;
      if (saving.writes > 0) return;
      this.#saving.delete(id);
      const now = this.#find(id);
      if (now) this.#setStatus(now, saving.stored);
    };
    await this.#write(
      `“${task.title}” wasn’t changed`,
      async (db) => {
        const { revision } = await setTaskState(db, id, state, reason);
        saving.stored = status;
        const now = this.#find(id);
        if (now) this.#replace({ ...now, revision });
        finish();
      },
      () => void this.setState(id, state, reason),
      finish,
      reason !== '',
    );
  }

  /** Moves a task to an index among the other tasks on the page. */
  async moveTo(id: string, place: number): Promise<void> {
    const before = this.$tasks.get();
    const from = before.findIndex((each) => each.id === id);
    const task = before[from];
    const to = Math.min(Math.max(place, 0), before.length - 1);
    if (!task || from === to) return;
    const after = without(before, id)[to - 1]?.id ?? null;
    this.$tasks.set(inserted(before, task, to));
    await this.#write(
      `“${task.title}” wasn’t moved`,
      (db) => moveTask(db, id, after),
      () => void this.moveTo(id, place),
      () => {
        // As it is now: its status may have been saved in the meantime.
        const now = this.#find(id);
        if (now) this.$tasks.set(inserted(this.$tasks.get(), now, from));
      },
    );
  }

  /**
   * Removes a task.
   * @param onRemoved called with its title and a function that restores it
   */
  async remove(id: string, onRemoved: (title: string, undo: () => void) => void): Promise<void> {
    const place = this.$tasks.get().findIndex((each) => each.id === id);
    const task = this.$tasks.get()[place];
    if (!task) return;
    this.#hide(task);
    await this.#write(
      `We couldn’t remove “${task.title}”`,
      async (db) => {
        await removeProjectTask(db, id, true);
        onRemoved(task.title, () => void this.#restore(task, place));
      },
      () => void this.remove(id, onRemoved),
      () => this.#show(task, place),
    );
  }

  async more(): Promise<void> {
    const after = this.$tasks.get().at(-1)?.id;
    if (!after || this.$loading.get()) return;
    this.$loading.set(true);
    const load = async (db: Db) => {
      const next = await listProjectTasks(db, this.#projectId, after);
      this.$tasks.set([...this.$tasks.get(), ...next.filter(({ id }) => !this.#find(id))]);
      this.$more.set(next.length === TASK_PAGE);
    };
    await this.#attempt('We couldn’t load more tasks', load, () => void this.more());
    this.$loading.set(false);
  }

  #find(id: string): ProjectTask | undefined {
    return this.$tasks.get().find((each) => each.id === id);
  }

  #replace(task: ProjectTask): void {
    this.$tasks.set(this.$tasks.get().map((each) => (each.id === task.id ? task : each)));
  }

  /** Queues a write, so they're saved in order. */
  #write(...attempt: Parameters<Attempt>): Promise<unknown> {
    this.#lastWrite = this.#lastWrite.then(() => this.#attempt(...attempt));
    return this.#lastWrite;
  }

  #setStatus(task: ProjectTask, status: TaskStatus): void {
    const done = countDone(status.state) - countDone(task.state);
    if (done !== 0) this.#counted(0, done);
    this.#replace({ ...task, ...status });
  }

  #show(task: ProjectTask, place: number): void {
    this.$tasks.set(inserted(this.$tasks.get(), task, place));
    this.#counted(1, countDone(task.state));
  }

  #hide(task: ProjectTask): void {
    this.$tasks.set(without(this.$tasks.get(), task.id));
    this.#counted(-1, -countDone(task.state));
  }

  #restore(task: ProjectTask, place: number): Promise<unknown> {
    this.#show(task, place);
    return this.#write(
      `We couldn’t restore “${task.title}”`,
      (db) => removeProjectTask(db, task.id, false),
      () => void this.#restore(task, place),
      () => this.#hide(task),
    );
  }

  #handleStored({ id, title, dueOn }: WrittenTask, answer: ProjectTask | undefined): void {
    // If an earlier response was lost, the page may have loaded the task already.
    if (this.#find(id)) return;
    const blank = { state: 'todo' as const, blocked_reason: null, position: '', revision: 1 };
    const task = answer ?? { ...blank, id, title, due_on: dueOn || null };
    this.#counted(1, 0);
    // While there are more tasks to load, this one will be among them.
    if (!this.$more.get()) this.$tasks.set([...this.$tasks.get(), task]);
  }
}
