/** Edits of a project's details, also by two people at once. */
import { atom } from 'nanostores';
import type { Project, ProjectInput } from '#data/projects.ts';
import type { ProjectStore } from './project-store.ts';

/** Someone else saved first: their version, and the user's own. */
export interface ProjectConflict {
  theirs: Project;
  mine: ProjectInput;
  /** The fields that both people changed to different values. */
  fields: (keyof ProjectInput)[];
}

/** The starting values of a form for this project. */
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
 * Merges two edits of the same version: a field that only one person changed keeps their change.
 * @returns `fields`, those that both changed to different values; `merged` has `mine` for them
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

/** Two people's edits: changes to different fields are merged, others shown as a conflict. */
export function createEdits({ $project, save: write }: Pick<ProjectStore, '$project' | 'save'>) {
  const $conflict = atom<ProjectConflict | null>(null);

  /**
   * Saves an edit. Another person's edits to other fields are merged without asking; if both
   * changed the same field, `$conflict` is set and nothing is saved.
   * @param base the version that was edited
   * @returns whether it's saved. Throws an AppError.
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
    /** Resolves a conflict by saving this version over theirs. */
    async settle(input: ProjectInput): Promise<boolean> {
      const conflict = $conflict.get();
      return conflict ? save(input, conflict.theirs) : false;
    },
    /** Resolves a conflict by keeping what the other person saved. */
    takeTheirs() {
      const conflict = $conflict.get();
      if (conflict) $project.set(conflict.theirs);
      $conflict.set(null);
    },
  };
}
