/** The list of projects: its filter, the rows loaded, and moves from status to status. */

import { placeAfter } from '#data/keyset.ts';
import { type ListedProject, listProjects, type ProjectPage } from '#data/project-list.ts';
import { moveProject, type ProjectMove } from '#data/projects.ts';
import type { ProjectStatus } from '#domain/project.ts';
import { type ProjectFilter, projectFilter } from '#domain/project-list.ts';
import { type AttemptDeps, createAttempt } from '#lib/attempt.ts';
import { AppError } from '#lib/errors.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { createListStore } from '#stores/list-store.ts';

interface ProjectListDeps extends AttemptDeps {
  businessId: string | null;
  /** Replaces the URL of the page. */
  showAddress: (address: string) => void;
}

export type ProjectListStore = ReturnType<typeof createProjectListStore>;

export function createProjectListStore(
  deps: ProjectListDeps,
  initial: { filter: ProjectFilter; page: ProjectPage },
) {
  const attempt = createAttempt(deps);
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

  /** Updates a project on the page after a move, and counts it in its new status. */
  const show = ({ id }: ListedProject, part: Partial<ListedProject>, from: ProjectStatus) => {
    const page = $page.get();
    const rows = page.rows.map((each) => (each.id === id ? { ...each, ...part } : each));
    $page.set({ ...page, rows, counts: recounted(page.counts, from, part.status ?? from) });
  };

  /** Moves a project to another status. The change is optimistic, and rolled back if it fails. */
  async function move(project: ListedProject, step: ProjectMove, note: string): Promise<void> {
    const { status, moves } = project;
    show(project, { status: step.to, moves: [] }, status);
    await attempt(
      `“${project.title}” wasn’t moved`,
      async (db) => {
        const { refused, revision, ...now } = await moveProject(db, project.id, step.to, note);
        if (refused) throw new AppError('conflict', refused);
        show(project, { ...now, key: null }, step.to);
      },
      () => void move(project, step, note),
      () => show(project, { status, moves }, step.to),
      note !== '',
    );
  }

  return { ...list, more, move };
}

function recounted(counts: ProjectPage['counts'], from: ProjectStatus, to: ProjectStatus) {
  if (!counts) return null;
  const next = { ...counts };
  next[from] -= 1;
  next[to] += 1;
  return next;
}
