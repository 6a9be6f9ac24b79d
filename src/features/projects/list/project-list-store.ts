/** The list of projects: what is asked for, what came, and projects that are moved on the board. */

import { atom } from 'nanostores';
import {
  type ListedProject,
  listProjects,
  moveProject,
  type ProjectMove,
  type ProjectPage,
} from '#data/projects.ts';
import type { ProjectFilter, ProjectStatus } from '#domain/project.ts';
import { createErrorReporter } from '#lib/classify-error.ts';
import { AppError } from '#lib/errors.ts';
import { type AnswerDeps, createLatestAnswer } from '#lib/latest-answer.ts';

interface ListDeps extends AnswerDeps {
  businessId: string | null;
  /** Puts the filters into the address. */
  address: (filter: ProjectFilter) => void;
  /**
   * Tells the person that a project stayed where it was; `again` tries once more. Their note is nowhere
   * else: where there is one it is told until they have answered.
   */
  failed: (project: ListedProject, error: AppError, again: () => void, note: string) => void;
}

export type ProjectListStore = ReturnType<typeof createProjectListStore>;

/** Makes the store of one page. */
export function createProjectListStore(
  deps: ListDeps,
  initial: { filter: ProjectFilter; page: ProjectPage },
) {
  const $filter = atom(initial.filter);
  const $projects = atom<readonly ListedProject[]>(initial.page.projects);
  const $counts = atom(initial.page.counts);
  const $more = atom(initial.page.more);
  const reportError = createErrorReporter(deps);
  const { $state, ask, retry } = createLatestAnswer(deps);

  /** Chooses something else, and asks for the list anew; the rest stays. */
  function choose(change: Partial<ProjectFilter>): Promise<void> {
    const filter = { ...$filter.get(), ...change };
    $filter.set(filter);
    deps.address(filter);
    return ask(async (db) => {
      const page = await listProjects(db, filter, deps.businessId);
      return () => {
        $projects.set(page.projects);
        $counts.set(page.counts);
        $more.set(page.more);
      };
    });
  }

  /** Adds the next page, of one status on the board. */
  function more(status?: ProjectStatus): Promise<void> {
    const before = $projects.get().filter((each) => !status || each.status === status);
    const last = before.findLast(({ key }) => key !== null);
    const place = last?.key ? { way: 'after' as const, key: last.key, id: last.id } : null;
    return ask(async (db) => {
      const filter = { ...$filter.get(), place };
      const page = await listProjects(
        db,
        status ? { ...filter, status, view: 'table' } : filter,
        deps.businessId,
      );
      return () => {
        const had = new Set($projects.get().map(({ id }) => id));
        $projects.set([...$projects.get(), ...page.projects.filter(({ id }) => !had.has(id))]);
        if (!status) $more.set(page.more);
      };
    });
  }

  const change = (id: string, part: Partial<ListedProject>) =>
    $projects.set($projects.get().map((each) => (each.id === id ? { ...each, ...part } : each)));

  const count = (from: ProjectStatus, to: ProjectStatus) => {
    const counts = $counts.get();
    if (counts) $counts.set({ ...counts, [from]: counts[from] - 1, [to]: counts[to] + 1 });
  };

  /** Lets a project take a step: at once on the board, and back when it is refused. */
  async function move(project: ListedProject, step: ProjectMove, note: string): Promise<void> {
    const was = { status: project.status, moves: project.moves };
    change(project.id, { status: step.to, moves: [] });
    count(was.status, step.to);
    try {
      const answer = await moveProject(await deps.db(), project.id, step.to, note);
      if (answer.refused) throw new AppError('conflict', answer.refused);
      const { status, moves, blocked_reason } = answer;
      change(project.id, { status, moves, blocked_reason, key: null });
    } catch (thrown) {
      change(project.id, was);
      count(step.to, was.status);
      const again = () => void move(project, step, note);
      deps.failed({ ...project, ...was }, reportError(thrown), again, note);
    }
  }

  return { $filter, $projects, $counts, $more, $state, choose, more, move, retry };
}
