import { describe, expect, test, vi } from 'vitest';
import type { ProjectTask } from '#data/projects.ts';
import { TaskStore } from '#features/projects/tasks/task-store.ts';
import type { AppError } from '#lib/errors.ts';
import { taskKind } from '#sync/kinds/project-task.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';
import { settle } from '../../fixtures/memory-browser.ts';
import { offlineSync } from '../../fixtures/test-sync.ts';

const task = (id: string, part: Partial<ProjectTask> = {}): ProjectTask => ({
  id,
  title: id,
  state: 'todo',
  blocked_reason: null,
  due_on: null,
  position: '1',
  revision: 1,
  ...part,
});
const lost = { message: 'TypeError: Failed to fetch', code: '' };

/** Answers in turn; an entry with a `message` is an error, and the last answer is for good. */
function backend(count: number, ...answers: unknown[]) {
  const rpc = vi.fn(async (_name: string, args: Record<string, unknown>) => {
    const answer = answers.shift() ?? task(String(args.p_id), { revision: 2 });
    const failed = typeof answer === 'object' && answer !== null && 'message' in answer;
    return failed ? { data: null, error: answer } : { data: answer, error: null };
  });
  const failures: { what: string; error: AppError; again: () => void; typed?: string }[] = [];
  const counted = vi.fn();
  const line = offlineSync(taskKind, ({ id }) => task(id));
  let made = 0;
  const store = new TaskStore(
    {
      db: async () => dbAnswering({ rpc }),
      failed: (what, error, again, typed = '') => failures.push({ what, error, again, typed }),
      signedOut: () => {},
      openSync: () => line.sync,
      counted,
    },
    {
      project: { id: 'forecast' },
      tasks: Array.from({ length: count }, (_, index) => task(`t${index}`)),
    },
    () => {
      made += 1;
      return `new-${made}`;
    },
  );
  const ids = () => store.$tasks.get().map(({ id }) => id);
  const pending = () => store.pending.$items.get();
  return { store, rpc, failures, counted, ids, pending, line };
}

describe('Tasks of a project', () => {
  test('wait under the others until they are stored, and then are at the end, once', async () => {
    const { store, line, counted, ids, pending } = backend(1);
    const close = store.pending.open();
    store.add({ title: 'Call the bank', dueOn: '' });
    store.add({ title: 'Write it down', dueOn: '2026-12-01' });
    expect(pending().map(({ value }) => value.title)).toEqual(['Call the bank', 'Write it down']);
    expect(ids()).toEqual(['t0']);
    await line.arrive();
    expect(ids()).toEqual(['t0', 'new-1', 'new-2']);
    expect(pending()).toEqual([]);
    expect(counted.mock.calls).toEqual([
      [1, 0],
      [1, 0],
    ]);
    close();
  });

  test('that another tab has sent are there as they were written', async () => {
    const { store, line, ids, pending } = backend(1);
    store.pending.open();
    store.add({ title: 'Write it down', dueOn: '2026-12-01' });
    await settle();
    await line.arriveElsewhere();
    expect([ids(), pending()]).toEqual([['t0', 'new-1'], []]);
    expect(store.$tasks.get().at(-1)).toMatchObject({
      title: 'Write it down',
      due_on: '2026-12-01',
      state: 'todo',
    });
  });

  test('that are refused say why until somebody takes them away', async () => {
    const { store, line, ids, pending } = backend(1);
    store.pending.open();
    store.add({ title: 'Call the bank', dueOn: '' });
    await settle();
    await line.refuse('This project is over.');
    expect(pending()).toMatchObject([
      { status: { name: 'refused', reason: 'This project is over.' } },
    ]);
    store.pending.discard('new-1');
    expect(pending()).toEqual([]);
    expect(ids()).toEqual(['t0']);
  });

  test('stand at their new place at once, and the database is told which one they follow', async () => {
    const { store, rpc, ids } = backend(4);
    const under = store.moveTo('t3', 1);
    expect(ids()).toEqual(['t0', 't3', 't1', 't2']);
    await under;
    await store.moveTo('t2', 0);
    await store.moveTo('t0', 99);
    await store.moveTo('t0', 3);
    expect(rpc.mock.calls.map(([, args]) => [args.p_id, args.p_after])).toEqual([
      ['t3', 't0'],
      ['t2', undefined],
      ['t0', 't1'],
    ]);
    expect(ids()).toEqual(['t2', 't3', 't1', 't0']);
  });

  test('go back to their place when a move is refused, and trying again moves them', async () => {
    const { store, failures, ids } = backend(3, lost);
    await store.moveTo('t2', 0);
    expect(ids()).toEqual(['t0', 't1', 't2']);
    expect(failures[0]).toMatchObject({ what: '“t2” stays at its place' });
    failures[0]?.again();
    await vi.waitFor(() => expect(ids()).toEqual(['t2', 't0', 't1']));
  });

  test('are blocked by what was typed, which is not gone when it could not be kept', async () => {
    const { store, failures } = backend(1, lost);
    await store.setState('t0', 'blocked', 'The bank has not answered.');
    expect(store.$tasks.get()[0]).toMatchObject({ state: 'todo', blocked_reason: null });
    expect(failures[0]?.typed).toBe('The bank has not answered.');
    failures[0]?.again();
    await vi.waitFor(() =>
      expect(store.$tasks.get()[0]?.blocked_reason).toBe('The bank has not answered.'),
    );
  });

  test('count as done at once, and not when that is refused', async () => {
    const { store, counted } = backend(1, task('t0', { revision: 2 }), lost);
    await store.setState('t0', 'done');
    expect(store.$tasks.get()[0]).toMatchObject({ state: 'done', revision: 2 });
    await store.setState('t0', 'todo');
    expect(store.$tasks.get()[0]?.state).toBe('done');
    expect(counted.mock.calls).toEqual([
      [0, 1],
      [0, -1],
      [0, 1],
    ]);
  });

  test('stand at the end as they are stored, whichever of several presses was lost', async () => {
    const { store, counted } = backend(1, lost);
    void store.setState('t0', 'done');
    void store.setState('t0', 'todo');
    await store.setState('t0', 'done');
    expect(store.$tasks.get()[0]?.state).toBe('done');
    const done = counted.mock.calls.reduce((sum, [, by]) => sum + by, 0);
    expect(done).toBe(1);
  });

  test('that somebody else changed meanwhile are shown as they saved them', async () => {
    const theirs = task('t0', { title: 'Theirs', revision: 5 });
    const { store } = backend(1, { saved: false, task: theirs }, { saved: true, task: theirs });
    expect(await store.save(task('t0'), { title: 'Mine', dueOn: '' })).toEqual(theirs);
    expect(store.$tasks.get()[0]).toEqual(theirs);
    expect(await store.save(theirs, { title: 'Mine', dueOn: '' })).toBeNull();
  });

  test('are taken away and brought back to their place', async () => {
    const { store, ids, counted } = backend(3, {}, {});
    const undo = await new Promise<() => void>((resolve) => {
      void store.remove('t1', (_title, again) => resolve(again));
    });
    expect(ids()).toEqual(['t0', 't2']);
    undo();
    expect(ids()).toEqual(['t0', 't1', 't2']);
    expect(counted.mock.calls).toEqual([
      [-1, -0],
      [1, 0],
    ]);
  });

  test('come a hundred at a time, and a new one waits behind those not read yet', async () => {
    const next = Array.from({ length: 20 }, (_, index) => task(`t${100 + index}`));
    const { store, line, ids } = backend(100, [...next, task('new-1')]);
    store.pending.open();
    expect(store.$more.get()).toBe(true);
    store.add({ title: 'At the end', dueOn: '' });
    await line.arrive();
    expect(ids()).toHaveLength(100);
    await store.more();
    expect([ids().length, ids().at(-1), store.$more.get()]).toEqual([121, 'new-1', false]);
  });
});
