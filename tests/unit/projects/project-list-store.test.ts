import { expect, test, vi } from 'vitest';
import type { ListedProject, ProjectPage } from '#data/projects.ts';
import { type ProjectStatus, projectFilter } from '#domain/project.ts';
import { createProjectListStore } from '#features/projects/list/project-list-store.ts';
import type { Db } from '#lib/supabase.ts';

const listed = (id: string, status: ProjectStatus): ListedProject =>
  ({ id, title: id, status, moves: [], key: id }) as unknown as ListedProject;

test('A card that was moved to the end of a column hides nothing that follows the others there', async () => {
  const rpc = vi.fn(async (name: string, _args: Record<string, unknown>) => ({
    data:
      name === 'move_project'
        ? { status: 'done', refused: null, revision: 2, blocked_reason: null, moves: [] }
        : { projects: [listed('c', 'done'), listed('z', 'done')], more: false },
    error: null,
  }));
  const deps = {
    db: async () => ({ rpc }) as unknown as Db,
    signedOut: vi.fn(),
    businessId: null,
    address: vi.fn(),
    failed: vi.fn(),
  };
  const last = listed('z', 'in_review');
  const { $projects, move, more } = createProjectListStore(deps, {
    filter: projectFilter.read(new URLSearchParams({ view: 'board', sort: 'title' })),
    page: { projects: [listed('a', 'done'), listed('b', 'done'), last] } as unknown as ProjectPage,
  });
  await move(last, { to: 'done', note: false }, '');
  await more('done');
  expect(rpc.mock.calls.at(-1)?.[1]).toMatchObject({
    p_place: { way: 'after', key: 'b', id: 'b' },
  });
  expect($projects.get().map(({ id }) => id)).toEqual(['a', 'b', 'z', 'c']);
});
