import { describe, expect, test, vi } from 'vitest';
import { createProject, type Project, type ProjectInput } from '#data/projects.ts';
import { createEdits, inputOf } from '#features/projects/project/project-edits.ts';
import { createProjectStore } from '#features/projects/project/project-store.ts';
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
const change = (part: Partial<ProjectInput>) => ({ ...input, ...part });

/** A database that returns these results in order; one with a `code` is an error. */
function backend(...answers: object[]) {
  const rpc = vi.fn(async (_name: string, _args: Record<string, unknown>) => {
    const answer = answers.shift();
    const error = answer && 'code' in answer ? answer : null;
    return { data: error ? null : answer, error };
  });
  const db = dbAnswering({ rpc });
  const signedOut = vi.fn();
  const moves = [{ to: 'in_review' as const, note: false }];
  const store = createProjectStore({ db: async () => db, signedOut }, { project, moves });
  return { store, edits: createEdits(store), rpc, db, signedOut };
}

describe('Two people who edit one project', () => {
  test('save both edits without being asked, if they changed different fields', async () => {
    const theirs = { ...project, revision: 5, due_on: '2027-01-15', title: 'A forecast' };
    const both = { ...theirs, revision: 6, outcome: 'Within $2,000' };
    const { store, edits, rpc } = backend(
      { saved: false, project: theirs },
      { saved: true, project: both },
    );
    expect(await edits.save(change({ outcome: 'Within $2,000' }))).toBe(true);
    expect(rpc.mock.calls[1]?.[1]).toMatchObject({
      p_revision: 5,
      p_title: 'A forecast',
      p_due_on: '2027-01-15',
      p_outcome: 'Within $2,000',
    });
    expect(store.$project.get()).toEqual(both);
  });

  test('decide about a field that each changed in another way, and may save over it', async () => {
    const theirs = { ...project, revision: 5, outcome: 'Theirs', title: 'Same', due_on: null };
    const { store, edits, rpc } = backend(
      { saved: false, project: theirs },
      { saved: true, project: { ...theirs, revision: 6, outcome: 'Mine' } },
    );
    const mine = change({ outcome: 'Mine', title: 'Same' });
    expect(await edits.save(mine)).toBe(false);
    const merged = { ...mine, dueOn: '' };
    expect(edits.$conflict.get()).toEqual({ fields: ['outcome'], theirs, mine: merged });
    expect(store.$project.get()).toBe(project);
    expect(await edits.settle(merged)).toBe(true);
    expect(rpc.mock.calls[1]?.[1]).toMatchObject({ p_revision: 5, p_outcome: 'Mine' });
    expect(edits.$conflict.get()).toBeNull();
  });

  test('may keep what the other person saved', async () => {
    const theirs = { ...project, revision: 5, outcome: 'Theirs' };
    const { store, edits } = backend({ saved: false, project: theirs });
    await edits.save(change({ outcome: 'Mine' }));
    edits.takeTheirs();
    expect([store.$project.get(), edits.$conflict.get()]).toEqual([theirs, null]);
  });
});

describe('A project that takes a step', () => {
  const step = { to: 'in_review' as const, note: false };
  const answer = { status: 'in_review', refused: null, revision: 5, blocked_reason: null };

  test('has its new status, and the steps from there', async () => {
    const next = [{ to: 'done' as const, note: false }];
    const { store } = backend({ ...answer, moves: next });
    await store.move(step, '');
    expect(store.$project.get()).toMatchObject({ status: 'in_review', revision: 5 });
    expect([store.$moves.get(), store.$moving.get()]).toEqual([next, null]);
  });

  test('says why it was refused, and shows its real status', async () => {
    const refused = 'A project can’t go there from its current status.';
    const { store } = backend({ ...answer, status: 'canceled', moves: [], refused });
    await expect(store.move(step, '')).rejects.toMatchObject({
      kind: 'conflict',
      message: refused,
    });
    expect(store.$project.get().status).toBe('canceled');
  });

  test('reports a session that has ended, and stays where it was', async () => {
    const { store, signedOut } = backend({ code: 'PGRST301', message: 'JWT expired' });
    await expect(store.move(step, '')).rejects.toMatchObject({ kind: 'signed-out' });
    expect(signedOut).toHaveBeenCalledOnce();
    expect(store.$project.get()).toBe(project);
  });
});

describe('A person who creates a project and never got the first answer', () => {
  const known = { id: 'x', made: false, revision: 1 };
  const retyped = change({ title: 'A forecast of cash' });

  test('loses nothing that they changed before they sent it again', async () => {
    const { db, rpc } = backend(known, { saved: true, project });
    await createProject(db, project.id, 'bakery', retyped);
    expect(rpc.mock.calls.at(-1)).toMatchObject([
      'save_project',
      { p_id: project.id, p_revision: 1, p_title: 'A forecast of cash' },
    ]);
  });

  test('is told if another person has changed it since', async () => {
    const { db } = backend(known, { saved: false, project });
    const work = createProject(db, 'x', 'bakery', retyped);
    await expect(work).rejects.toMatchObject({ kind: 'conflict' });
  });
});
