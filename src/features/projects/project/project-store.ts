/** One project: what is written about it, the steps that it takes, and two people who edit at once. */
import { atom } from 'nanostores';
import {
  moveProject,
  type Project,
  type ProjectInput,
  type ProjectMove,
  type ProjectView,
  saveProject,
} from '#data/projects.ts';
import { createErrorReporter } from '#lib/classify-error.ts';
import { AppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';

/** Somebody else saved in between: what they wrote, beside what this person did. */
export interface ProjectConflict {
  theirs: Project;
  mine: ProjectInput;
  /** The fields that both changed, each in another way. */
  fields: (keyof ProjectInput)[];
}

export interface ProjectDeps {
  db: () => Promise<Db>;
  signedOut: () => void;
}

export type ProjectStore = ReturnType<typeof createProjectStore>;

/** What a form of this project begins with. */
export function inputOf(project: Project): ProjectInput {
  return {
    title: project.title,
    areaKey: project.area_key ?? '',
    outcome: project.outcome ?? '',
    baseline: project.baseline ?? '',
    startOn: project.start_on ?? '',
    dueOn: project.due_on ?? '',
    engagementId: project.engagement_id ?? '',
  };
}

const FIELDS = [
  'title',
  'areaKey',
  'outcome',
  'baseline',
  'startOn',
  'dueOn',
  'engagementId',
] as const satisfies (keyof ProjectInput)[];

/**
 * Puts two edits of one state together: a field that only one of them changed is as they left it.
 * @returns the fields that both changed, each in another way; those are `mine` in `merged`
 */
export function mergeEdits(base: ProjectInput, mine: ProjectInput, theirs: ProjectInput) {
  const merged = { ...mine };
  const fields: (keyof ProjectInput)[] = [];
  for (const field of FIELDS) {
    if (mine[field] === base[field]) merged[field] = theirs[field];
    else if (theirs[field] !== base[field] && theirs[field] !== mine[field]) fields.push(field);
  }
  return { merged, fields };
}

/** Makes the store of one page. */
export function createProjectStore(deps: ProjectDeps, initial: ProjectView) {
  const reportError = createErrorReporter(deps);
  const $project = atom<Project>(initial.project);
  const $moves = atom<readonly ProjectMove[]>(initial.moves);
  const $conflict = atom<ProjectConflict | null>(null);
  const $moving = atom<ProjectMove['to'] | null>(null);
  const { id } = initial.project;

  async function attempt<T>(work: (db: Db) => Promise<T>): Promise<T> {
    try {
      return await work(await deps.db());
    } catch (thrown) {
      throw reportError(thrown);
    }
  }

  /**
   * Saves what was edited on top of a state. Edits of other fields by somebody else are kept beside
   * it without asking; where both changed one field, `$conflict` says so and nothing is written.
   * @param base the state that was edited
   * @returns whether it is saved. Throws an AppError.
   */
  async function save(input: ProjectInput, base: Project = $project.get()): Promise<boolean> {
    const { saved, project } = await attempt((db) => saveProject(db, id, base.revision, input));
    if (saved) {
      $project.set(project);
      $conflict.set(null);
      return true;
    }
    const { merged, fields } = mergeEdits(inputOf(base), input, inputOf(project));
    if (fields.length === 0) {
      $project.set(project);
      return save(merged, project);
    }
    $conflict.set({ theirs: project, mine: merged, fields });
    return false;
  }

  /** Settles a conflict: these words are saved over theirs. */
  async function settle(input: ProjectInput): Promise<boolean> {
    const conflict = $conflict.get();
    return conflict ? save(input, conflict.theirs) : false;
  }

  /** Settles a conflict: what the other one saved stands. */
  function takeTheirs() {
    const conflict = $conflict.get();
    if (conflict) $project.set(conflict.theirs);
    $conflict.set(null);
  }

  /** Takes a step. Throws an AppError; a refusal is one with its reason in words. */
  async function move(step: ProjectMove, note: string): Promise<void> {
    $moving.set(step.to);
    try {
      const answer = await attempt((db) => moveProject(db, id, step.to, note));
      const { status, revision, blocked_reason, moves } = answer;
      $project.set({ ...$project.get(), status, revision, blocked_reason });
      $moves.set(moves);
      if (answer.refused) throw new AppError('conflict', answer.refused);
    } finally {
      $moving.set(null);
    }
  }

  const count = (tasks: number, done: number) => {
    const { task_count, done_count } = $project.get();
    $project.set({
      ...$project.get(),
      task_count: task_count + tasks,
      done_count: done_count + done,
    });
  };

  return { $project, $moves, $conflict, $moving, save, settle, takeTheirs, move, count };
}
