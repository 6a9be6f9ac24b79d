/** The tasks of one project. */

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
   * Tells the person what failed. What they `typed` for it is stored nowhere else, so it's shown until
   * they have answered.
   */
  failed: (title: string, error: AppError, retry: () => void, typed?: string) => void;
  signedOut: () => void;
  /** By how many the project's tasks, and those that are done, have changed. */
  counted: (tasks: number, done: number) => void;
}

/** One change that is shown before it is saved. */
interface Write {
  /** What the person reads if it fails. */
  title: string;
  save: (db: Db) => Promise<void>;
  undo: () => void;
  retry: () => void;
  typed?: string;
}

type TaskStatus = Pick<ProjectTask, 'state' | 'blocked_reason'>;

const countDone = (state: TaskState) => (state === 'done' ? 1 : 0);

const without = (tasks: readonly ProjectTask[], id: string) =>
  tasks.filter((each) => each.id !== id);

const inserted = (tasks: readonly ProjectTask[], task: ProjectTask, place: number) => {
  const others = without(tasks, task.id);
  return [...others.slice(0, place), task, ...others.slice(place)];
};

/** The store of one page. Changes are shown at once, saved in order, and undone if they're refused. */
export class TaskStore {
  readonly $tasks;
  /** Whether there are further tasks. */
  readonly $more;
  readonly $loading = atom(false);
  /** Tasks that were added and aren't stored yet. */
  readonly pending;
  readonly #deps: TaskDeps;
  readonly #projectId: string;
  readonly #makeId: () => string;
  readonly #reportError: (thrown: unknown) => AppError;
  /** What is stored of tasks whose status is being saved, and how many saves aren't answered. */
  readonly #saving = new Map<string, { stored: TaskStatus; writes: number }>();
  #lastWrite: Promise<unknown> = Promise.resolve();

  constructor(
    deps: TaskDeps,
    initial: { project: Pick<ProjectView['project'], 'id'>; tasks: ProjectView['tasks'] },
    makeId: () => string = newId,
  ) {
    this.#deps = deps;
    this.#projectId = initial.project.id;
    this.#makeId = makeId;
    this.#reportError = createErrorReporter(deps);
    this.$tasks = atom<readonly ProjectTask[]>(initial.tasks);
    this.$more = atom(initial.tasks.length === TASK_PAGE);
    this.pending = createPendingList({
      openSync: deps.openSync,
      kind: taskKind,
      belongs: (task) => task.projectId === this.#projectId,
      onStored: (task, answer) => this.#handleStored(task, answer),
    });
  }

  /** Adds a task at the end; until it's stored it is in `pending`. */
  add(input: TaskInput): void {
    const id = this.#makeId();
    this.pending.add(id, { id, projectId: this.#projectId, ...input });
  }

  /**
   * Saves the title and the date of a task.
   * @returns null when it is saved, or what somebody else has saved meanwhile. Throws an AppError.
   */
  async save(
    task: { id: string; revision: number },
    input: TaskInput,
  ): Promise<ProjectTask | null> {
    try {
      const answer = await saveProjectTask(await this.#deps.db(), { ...task, ...input });
      this.#replace(answer.task);
      return answer.saved ? null : answer.task;
    } catch (thrown) {
      throw this.#reportError(thrown);
    }
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
    // Whichever write failed, after the last answer the page shows what is stored.
    const finish = () => {
      saving.writes -= 1;
      if (saving.writes > 0) return;
      this.#saving.delete(id);
      const now = this.#find(id);
      if (now) this.#setStatus(now, saving.stored);
    };
    await this.#write({
      title: `“${task.title}” stays as it was`,
      save: async (db) => {
        const { revision } = await setTaskState(db, id, state, reason);
        saving.stored = status;
        const now = this.#find(id);
        if (now) this.#replace({ ...now, revision });
        finish();
      },
      undo: finish,
      retry: () => void this.setState(id, state, reason),
      typed: reason,
    });
  }

  /** Moves a task to a place among those on the page, counted without it. */
  async moveTo(id: string, place: number): Promise<void> {
    const before = this.$tasks.get();
    const from = before.findIndex((each) => each.id === id);
    const task = before[from];
    const to = Math.min(Math.max(place, 0), before.length - 1);
    if (!task || from === to) return;
    const after = without(before, id)[to - 1]?.id ?? null;
    this.$tasks.set(inserted(before, task, to));
    await this.#write({
      title: `“${task.title}” stays at its place`,
      save: async (db) => {
        await moveTask(db, id, after);
      },
      undo: () => this.$tasks.set(inserted(this.$tasks.get(), task, from)),
      retry: () => void this.moveTo(id, place),
    });
  }

  /**
   * Removes a task.
   * @param onRemoved gets its title and what restores it
   */
  async remove(id: string, onRemoved: (title: string, undo: () => void) => void): Promise<void> {
    const place = this.$tasks.get().findIndex((each) => each.id === id);
    const task = this.$tasks.get()[place];
    if (!task) return;
    this.#hide(task);
    await this.#write({
      title: `“${task.title}” is still there`,
      save: async (db) => {
        await removeProjectTask(db, id, true);
        onRemoved(task.title, () => void this.#restore(task, place));
      },
      undo: () => this.#show(task, place),
      retry: () => void this.remove(id, onRemoved),
    });
  }

  /** Loads the next page of tasks. */
  async more(): Promise<void> {
    const after = this.$tasks.get().at(-1)?.id;
    if (!after || this.$loading.get()) return;
    this.$loading.set(true);
    try {
      const next = await listProjectTasks(await this.#deps.db(), this.#projectId, after);
      this.$tasks.set([...this.$tasks.get(), ...next.filter(({ id }) => !this.#find(id))]);
      this.$more.set(next.length === TASK_PAGE);
    } catch (thrown) {
      const error = this.#reportError(thrown);
      this.#deps.failed('The next tasks could not be read', error, () => void this.more());
    } finally {
      this.$loading.set(false);
    }
  }

  #find(id: string): ProjectTask | undefined {
    return this.$tasks.get().find((each) => each.id === id);
  }

  #replace(task: ProjectTask): void {
    this.$tasks.set(this.$tasks.get().map((each) => (each.id === task.id ? task : each)));
  }

  /** Saves after the writes before it; says what failed, and undoes it. */
  #write({ title, save, undo, retry, typed }: Write): Promise<void> {
    const write = this.#lastWrite.then(async () => {
      try {
        await save(await this.#deps.db());
      } catch (thrown) {
        undo();
        this.#deps.failed(title, this.#reportError(thrown), retry, typed);
      }
    });
    this.#lastWrite = write;
    return write;
  }

  #setStatus(task: ProjectTask, status: TaskStatus): void {
    const done = countDone(status.state) - countDone(task.state);
    if (done !== 0) this.#deps.counted(0, done);
    this.#replace({ ...task, ...status });
  }

  #show(task: ProjectTask, place: number): void {
    this.$tasks.set(inserted(this.$tasks.get(), task, place));
    this.#deps.counted(1, countDone(task.state));
  }

  #hide(task: ProjectTask): void {
    this.$tasks.set(without(this.$tasks.get(), task.id));
    this.#deps.counted(-1, -countDone(task.state));
  }

  #restore(task: ProjectTask, place: number): Promise<void> {
    this.#show(task, place);
    return this.#write({
      title: `“${task.title}” is still gone`,
      save: (db) => removeProjectTask(db, task.id, false),
      undo: () => this.#hide(task),
      retry: () => void this.#restore(task, place),
    });
  }

  #handleStored({ id, title, dueOn }: WrittenTask, answer: ProjectTask | undefined): void {
    // The page may have loaded it already, if its answer was lost.
    if (this.#find(id)) return;
    const task: ProjectTask = answer ?? {
      id,
      title,
      due_on: dueOn || null,
      state: 'todo',
      blocked_reason: null,
      position: '',
      revision: 1,
    };
    this.#deps.counted(1, 0);
    // While there are further tasks it comes with them.
    if (!this.$more.get()) this.$tasks.set([...this.$tasks.get(), task]);
  }
}
