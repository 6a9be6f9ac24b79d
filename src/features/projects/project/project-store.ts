/** One project: its details, and its moves from status to status. */
import { atom } from 'nanostores';
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

export type ProjectStore = ReturnType<typeof createProjectStore>;

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

  /** Moves the project to another status. Throws an AppError, with the reason if it's refused. */
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

  /** Adjusts the counts of tasks and of done tasks by these amounts. */
  const count = (tasks: number, done: number) => {
    const { task_count, done_count } = $project.get();
    change({ task_count: task_count + tasks, done_count: done_count + done });
  };

  /** Saves an edit of a revision, unless someone else saved first. Throws an AppError. */
  const save = (revision: number, input: ProjectInput) =>
    request((db) => saveProject(db, id, revision, input));
  return { $project, $moves, $moving, move, count, save };
}
