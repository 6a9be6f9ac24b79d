/** The list of projects: what is asked for, what came, and projects that are moved on. */

import { placeAfter } from '#data/keyset.ts';
import {
  type ListedProject,
  listProjects,
  moveProject,
  type ProjectMove,
  type ProjectPage,
} from '#data/projects.ts';
import { type ProjectFilter, type ProjectStatus, projectFilter } from '#domain/project.ts';
import { createErrorReporter } from '#lib/classify-error.ts';
import { AppError } from '#lib/errors.ts';
import type { AnswerDeps } from '#lib/latest-answer.ts';
import { hrefFor } from '#lib/routes.ts';
import { createListStore } from '#stores/list-store.ts';

interface ProjectListDeps extends AnswerDeps {
  businessId: string | null;
  /** Puts an address in place of that of the page. */
  showAddress: (address: string) => void;
  /**
   * Tells the person that a project stayed where it was; `again` tries once more. Their note is nowhere
   * else: where there is one it is told until they have answered.
   */
  failed: (project: ListedProject, error: AppError, again: () => void, note: string) => void;
}

export type ProjectListStore = ReturnType<typeof createProjectListStore>;

/** Makes the store of one page. */
export function createProjectListStore(
  deps: ProjectListDeps,
  initial: { filter: ProjectFilter; page: ProjectPage },
) {
  const reportError = createErrorReporter(deps);
  const list = createListStore<ListedProject, ProjectFilter, ProjectPage>(
    {
      ...deps,
      read: (db, filter, limit) => listProjects(db, filter, deps.businessId, limit ?? null),
      codec: projectFilter,
      path: hrefFor('/dashboard/projects'),
    },
    initial,
  );
  const { $page } = list;

  /** Adds the next cards of one column of the board. */
  function more(status: ProjectStatus): Promise<void> {
    const place = placeAfter($page.get().rows.filter((each) => each.status === status));
    return list.ask(async (db) => {
      const filter = { ...list.$filter.get(), place, status, view: 'table' as const };
      const { rows } = await listProjects(db, filter, deps.businessId);
      return () => {
        const page = $page.get();
        const had = new Set(page.rows.map(({ id }) => id));
        $page.set({ ...page, rows: [...page.rows, ...rows.filter(({ id }) => !had.has(id))] });
      };
    });
  }

  const change = (id: string, part: Partial<ListedProject>) => {
    const page = $page.get();
    const rows = page.rows.map((each) => (each.id === id ? { ...each, ...part } : each));
    $page.set({ ...page, rows });
  };

  const count = (from: ProjectStatus, to: ProjectStatus) => {
    const page = $page.get();
    if (!page.counts) return;
    const counts = { ...page.counts };
    counts[from] -= 1;
    counts[to] += 1;
    $page.set({ ...page, counts });
  };

  /** Lets a project take a step: at once here, and back when it is refused. */
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

  return { ...list, more, move };
}
