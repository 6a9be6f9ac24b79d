import { describe, expect, test, vi } from 'vitest';
import { createProject, type Project, type ProjectInput } from '#data/projects.ts';
import {
  createProjectStore,
  inputOf,
  mergeEdits,
} from '#features/projects/project/project-store.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';

const project: Project = {
  id: 'forecast',
  business_id: 'bakery',
  title: 'A cash forecast',
  area_key: null,
  engagement_id: null,
  outcome: null,
  baseline: 'We look at the balance.',
  start_on: null,
  due_on: '2026-12-15',
  status: 'in_progress',
  blocked_reason: null,
  revision: 4,
  task_count: 2,
  done_count: 1,
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-02T00:00:00Z',
  saved_by: 'Maria Delgado',
};
const input = inputOf(project);
const moves = [{ to: 'in_review' as const, note: false }];

/** A database that gives these answers in turn; an `error` is one that it throws. */
function backend(...answers: unknown[]) {
  const rpc = vi.fn(async (_name: string, _args: Record<string, unknown>) => {
    const answer = answers.shift();
    const error = answer && typeof answer === 'object' && 'code' in answer ? answer : null;
    return { data: error ? null : answer, error };
  });
  const signedOut = vi.fn();
  const store = createProjectStore(
    { db: async () => dbAnswering({ rpc }), signedOut },
    {
      project,
      moves,
      business_name: 'Alder Bakery',
      archived: false,
      right: 'edit',
      may_write: true,
      tasks: [],
      history: [],
      files: [],
      areas: [],
      engagements: [],
    },
  );
  return { store, rpc, signedOut };
}

describe('Two people who edit one project', () => {
  const change = (part: Partial<ProjectInput>) => ({ ...input, ...part });

  test('keep the fields that only one of them changed', () => {
    const { merged, fields } = mergeEdits(
      input,
      change({ outcome: 'Within $2,000' }),
      change({ dueOn: '2027-01-15', title: 'A forecast' }),
    );
    expect(fields).toEqual([]);
    expect(merged).toEqual(
      change({ outcome: 'Within $2,000', dueOn: '2027-01-15', title: 'A forecast' }),
    );
  });

  test('are shown a field that both changed, unless they wrote the same', () => {
    const mine = change({ outcome: 'Mine', title: 'Same' });
    const { merged, fields } = mergeEdits(
      input,
      mine,
      change({ outcome: 'Theirs', title: 'Same' }),
    );
    expect(fields).toEqual(['outcome']);
    expect(merged.outcome).toBe('Mine');
  });

  test('save both without being asked, where they changed different fields', async () => {
    const theirs = { ...project, revision: 5, due_on: '2027-01-15' };
    const both = { ...theirs, revision: 6, outcome: 'Within $2,000' };
    const { store, rpc } = backend(
      { saved: false, project: theirs },
      { saved: true, project: both },
    );
    expect(await store.save(change({ outcome: 'Within $2,000' }))).toBe(true);
    expect(rpc.mock.calls[1]?.[1]).toMatchObject({
      p_revision: 5,
      p_due_on: '2027-01-15',
      p_outcome: 'Within $2,000',
    });
    expect(store.$project.get()).toEqual(both);
  });

  test('decide about a field that both changed, and the decision is saved over theirs', async () => {
    const theirs = { ...project, revision: 5, outcome: 'Theirs' };
    const mine = change({ outcome: 'Mine' });
    const { store, rpc } = backend(
      { saved: false, project: theirs },
      { saved: true, project: { ...theirs, revision: 6, outcome: 'Mine' } },
    );
    expect(await store.save(mine)).toBe(false);
    expect(store.$conflict.get()).toMatchObject({ fields: ['outcome'], theirs, mine });
    expect(store.$project.get()).toBe(project);
    expect(await store.settle(mine)).toBe(true);
    expect(rpc.mock.calls[1]?.[1]).toMatchObject({ p_revision: 5, p_outcome: 'Mine' });
    expect(store.$conflict.get()).toBeNull();
  });

  test('may leave what the other one saved', async () => {
    const theirs = { ...project, revision: 5, outcome: 'Theirs' };
    const { store } = backend({ saved: false, project: theirs });
    await store.save(change({ outcome: 'Mine' }));
    store.takeTheirs();
    expect([store.$project.get(), store.$conflict.get()]).toEqual([theirs, null]);
  });
});

describe('A project that takes a step', () => {
  const answer = { status: 'in_review', refused: null, revision: 5, blocked_reason: null };

  test('has its new status, and the steps from there', async () => {
    const next = [{ to: 'done' as const, note: false }];
    const { store } = backend({ ...answer, moves: next });
    await store.move({ to: 'in_review', note: false }, '');
    expect(store.$project.get()).toMatchObject({ status: 'in_review', revision: 5 });
    expect([store.$moves.get(), store.$moving.get()]).toEqual([next, null]);
  });

  test('says why it was refused, and shows where it really stands', async () => {
    const { store } = backend({
      status: 'canceled',
      revision: 5,
      blocked_reason: null,
      moves: [],
      refused: 'A project cannot take this step from where it is.',
    });
    await expect(store.move({ to: 'in_review', note: false }, '')).rejects.toMatchObject({
      kind: 'conflict',
      message: 'A project cannot take this step from where it is.',
    });
    expect(store.$project.get().status).toBe('canceled');
  });

  test('tells a session that has ended, and stays where it was', async () => {
    const { store, signedOut } = backend({ code: 'PGRST301', message: 'JWT expired' });
    await expect(store.move({ to: 'in_review', note: false }, '')).rejects.toMatchObject({
      kind: 'signed-out',
    });
    expect(signedOut).toHaveBeenCalledOnce();
    expect(store.$project.get()).toBe(project);
  });
});

describe('Somebody who begins a project, and whose first answer was lost', () => {
  /** A database that has made the project already. */
  const known = (saved: boolean) =>
    vi.fn(async (name: string, _args: Record<string, unknown>) => ({
      data: name === 'create_project' ? { id: 'x', made: false, revision: 1 } : { saved, project },
      error: null,
    }));
  const retyped = { ...input, title: 'A forecast of cash' };

  test('loses nothing that they changed before they sent it again', async () => {
    const rpc = known(true);
    await createProject(dbAnswering({ rpc }), project.id, 'bakery', retyped);
    expect(rpc.mock.calls.at(-1)).toMatchObject([
      'save_project',
      { p_id: project.id, p_revision: 1, p_title: 'A forecast of cash' },
    ]);
  });

  test('is told where somebody else has changed it since', async () => {
    const work = createProject(dbAnswering({ rpc: known(false) }), 'x', 'bakery', retyped);
    await expect(work).rejects.toMatchObject({ kind: 'conflict' });
  });
});
