import { expect, test, vi } from 'vitest';
import type { ListedProject, ProjectPage } from '#data/projects.ts';
import { type ProjectStatus, projectFilter } from '#domain/project.ts';
import { createProjectListStore } from '#features/projects/list/project-list-store.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';

const listed = (id: string, status: ProjectStatus): ListedProject => ({
  id,
  title: id,
  status,
  area_key: null,
  due_on: null,
  blocked_reason: null,
  updated_at: '2026-11-21T09:00:00Z',
  task_count: 0,
  done_count: 0,
  next_task: null,
  ...{ business: { id: 'bakery', name: 'Alder Bakery' }, moves: [], key: id },
});

const pageOf = (...projects: ListedProject[]): ProjectPage => ({
  projects,
  more: false,
  counts: null,
  areas: null,
});

test('A card that was moved to the end of a column hides nothing that follows the others there', async () => {
  const rpc = vi.fn(async (name: string, _args: Record<string, unknown>) => ({
    data:
      name === 'move_project'
        ? { status: 'done', refused: null, revision: 2, blocked_reason: null, moves: [] }
        : pageOf(listed('c', 'done'), listed('z', 'done')),
    error: null,
  }));
  const deps = {
    db: async () => dbAnswering({ rpc }),
    signedOut: vi.fn(),
    businessId: null,
    address: vi.fn(),
    failed: vi.fn(),
  };
  const last = listed('z', 'in_review');
  const { $projects, move, more } = createProjectListStore(deps, {
    filter: projectFilter.read(new URLSearchParams({ view: 'board', sort: 'title' })),
    page: pageOf(listed('a', 'done'), listed('b', 'done'), last),
  });
  await move(last, { to: 'done', note: false }, '');
  await more('done');
  expect(rpc.mock.calls.at(-1)?.[1]).toMatchObject({
    p_place: { way: 'after', key: 'b', id: 'b' },
  });
  expect($projects.get().map(({ id }) => id)).toEqual(['a', 'b', 'z', 'c']);
});
