import { expect, test, vi } from 'vitest';
import type { ListedProject } from '#data/project-list.ts';
import type { ProjectStatus } from '#domain/project.ts';
import { projectFilter } from '#domain/project-list.ts';
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
  business: { id: 'bakery', name: 'Alder Bakery' },
  moves: [],
  key: id,
});

test('A card that was moved to the end of a column hides nothing that follows the others there', async () => {
  const moved = { status: 'done', refused: null, revision: 2, blocked_reason: null, moves: [] };
  const page = { more: false, counts: null, counted: 100, areas: null };
  const rpc = vi.fn(async (name: string, _args: Record<string, unknown>) => {
    const projects = [listed('c', 'done'), listed('z', 'done')];
    return { data: name === 'move_project' ? moved : { ...page, projects }, error: null };
  });
  const last = listed('z', 'in_review');
  const { $page, move, more } = createProjectListStore(
    {
      db: async () => dbAnswering({ rpc }),
      signedOut: vi.fn(),
      businessId: null,
      showAddress: vi.fn(),
      showFailure: vi.fn(),
    },
    {
      filter: projectFilter.read(new URLSearchParams({ view: 'board', sort: 'title' })),
      page: {
        rows: [listed('a', 'done'), listed('b', 'done'), last],
        previous: null,
        next: null,
        count: null,
        counts: null,
        areas: null,
      },
    },
  );
  await move(last, { to: 'done', note: false }, '');
  await more('done');
  expect(rpc.mock.calls.at(-1)?.[1]).toMatchObject({
    p_place: { way: 'after', key: 'b', id: 'b' },
  });
  expect($page.get().rows.map(({ id }) => id)).toEqual(['a', 'b', 'z', 'c']);
});
