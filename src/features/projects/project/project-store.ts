/** One project: its details, the steps it takes, and edits by two people at once. */
import { atom, type WritableAtom } from 'nanostores';
import {
  moveProject,
  type Project,
  type ProjectInput,
  type ProjectMove,
  type ProjectView,
  saveProject,
} from '#data/projects.ts';
import { createRequest } from '#lib/attempt.ts';
import { AppError } from '#lib/errors.ts';
import type { AnswerDeps } from '#lib/latest-answer.ts';

/** Someone else saved in between: what they wrote, next to what this person did. */
export interface ProjectConflict {
  theirs: Project;
  mine: ProjectInput;
  /** The fields that both changed, each in another way. */
  fields: (keyof ProjectInput)[];
}

export type ProjectStore = ReturnType<typeof createProjectStore>;

/** What a form for this project starts with. */
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

/**
 * Puts two edits of one state together: a field that only one of them changed is as they left it.
 * @returns the fields that both changed, each in another way; those are `mine` in `merged`
 */
function mergeEdits(base: ProjectInput, mine: ProjectInput, theirs: ProjectInput) {
  const merged = { ...mine };
  const fields: (keyof ProjectInput)[] = [];
  for (const field of Object.keys(base) as (keyof ProjectInput)[]) {
    if (mine[field] === base[field]) merged[field] = theirs[field];
    else if (theirs[field] !== base[field] && theirs[field] !== mine[field]) fields.push(field);
  }
  return { merged, fields };
}

export function createProjectStore(
  deps: AnswerDeps,
  initial: Pick<ProjectView, 'project' | 'moves'>,
) {
  const { id } = initial.project;
  const request = createRequest(deps);
  const $project = atom<Project>(initial.project);
  const $moves = atom<readonly ProjectMove[]>(initial.moves);
  const $moving = atom<ProjectMove['to'] | null>(null);
  const change = (part: Partial<Project>) => $project.set({ ...$project.get(), ...part });

  /** Takes a step. Throws an AppError; a refusal is one with its reason in words. */
  async function move(step: ProjectMove, note: string): Promise<void> {
    $moving.set(step.to);
    try {
      const answer = await request((db) => moveProject(db, id, step.to, note));
      const { moves, refused, ...status } = answer;
      change(status);
      $moves.set(moves);
      if (refused) throw new AppError('conflict', refused);
    } finally {
      $moving.set(null);
    }
  }

  /** Counts tasks, and done tasks, up or down. */
  const count = (tasks: number, done: number) => {
    const { task_count, done_count } = $project.get();
    change({ task_count: task_count + tasks, done_count: done_count + done });
  };

  const save = (revision: number, input: ProjectInput) =>
    request((db) => saveProject(db, id, revision, input));
  return { $project, $moves, $moving, move, count, ...createEdits($project, save) };
}

/** Two people's edits: changes to different fields are merged, changes to the same one shown. */
function createEdits(
  $project: WritableAtom<Project>,
  write: (revision: number, input: ProjectInput) => ReturnType<typeof saveProject>,
) {
  const $conflict = atom<ProjectConflict | null>(null);

  /**
   * Saves what was edited on top of a state. Another person's edits of other fields are
   * kept without asking; where both changed one field, `$conflict` says so and nothing is written.
   * @param base the state that was edited
   * @returns whether it is saved. Throws an AppError.
   */
  async function save(input: ProjectInput, base: Project = $project.get()): Promise<boolean> {
    const { saved, project } = await write(base.revision, input);
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

  return {
    $conflict,
    save,
    /** Resolves a conflict: this version is saved over theirs. */
    async settle(input: ProjectInput): Promise<boolean> {
      const conflict = $conflict.get();
      return conflict ? save(input, conflict.theirs) : false;
    },
    /** Resolves a conflict: what the other person saved stays. */
    takeTheirs() {
      const conflict = $conflict.get();
      if (conflict) $project.set(conflict.theirs);
      $conflict.set(null);
    },
  };
}
