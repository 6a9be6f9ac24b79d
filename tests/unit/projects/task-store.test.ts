import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ProjectTask } from '#data/projects.ts';
import { TaskStore } from '#features/projects/tasks/task-store.ts';
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

/** A database that returns these results in order, then tasks; one with a `message` is an error. */
function closedBackend(count: number, ...answers: object[]) {
  const rpc = vi.fn(async (_name: string, args: Record<string, unknown>) => {
    const answer = answers.shift() ?? task(String(args.p_id), { revision: 2 });
    return 'message' in answer ? { data: null, error: answer } : { data: answer, error: null };
  });
  const failures: { title: string; retry: () => void; isLasting: boolean | undefined }[] = [];
  const counted = vi.fn();
  const line = offlineSync(taskKind, (sent) => task(sent.id, { title: sent.title }));
  const store = new TaskStore(
    {
      db: async () => dbAnswering({ rpc }),
      showFailure: (title, _error, retry, isLasting) => failures.push({ title, retry, isLasting }),
      signedOut: () => {},
      openSync: () => line.sync,
      counted,
    },
    {
      project: { id: 'forecast' },
      tasks: Array.from({ length: count }, (_, index) => task(`t${index}`)),
    },
  );
  return {
    store,
    rpc,
    failures,
    counted,
    line,
    first: () => store.$tasks.get()[0],
    titles: () => store.$tasks.get().map(({ title }) => title),
    pending: () => store.pending.$items.get().map(({ value }) => value.title),
  };
}

/** The same, with the store that the page has opened. */
function backend(count: number, ...answers: object[]) {
  const opened = closedBackend(count, ...answers);
  onTestFinished(opened.store.pending.open());
  return opened;
}

describe('New tasks', () => {
  test('that are added before the page follows them are stored', async () => {
    const { store, line, titles, pending } = closedBackend(1);
    store.add({ title: 'Call the bank', dueOn: '' });
    expect(line.sync.unsentOf(taskKind)).toMatchObject([{ value: { title: 'Call the bank' } }]);
    onTestFinished(store.pending.open());
    expect(pending()).toEqual(['Call the bank']);
    await line.arrive();
    expect([titles(), pending()]).toEqual([['t0', 'Call the bank'], []]);
  });

  test('wait below the others until they are stored, and then are at the end, once', async () => {
    const { store, line, counted, titles, pending } = backend(1);
    store.add({ title: 'Call the bank', dueOn: '' });
    store.add({ title: 'Write it down', dueOn: '2026-12-01' });
    expect([titles(), pending()]).toEqual([['t0'], ['Call the bank', 'Write it down']]);
    await line.arrive();
    expect([titles(), pending()]).toEqual([['t0', 'Call the bank', 'Write it down'], []]);
    expect(counted.mock.calls).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });

  test('that another tab has sent are shown as they were written', async () => {
    const { store, line, pending } = backend(1);
    store.add({ title: 'Write it down', dueOn: '2026-12-01' });
    await settle();
    await line.arriveElsewhere();
    expect(pending()).toEqual([]);
    const written = { title: 'Write it down', due_on: '2026-12-01', state: 'todo' };
    expect(store.$tasks.get().at(-1)).toMatchObject(written);
  });

  test('come after those that are not loaded yet', async () => {
    const next = Array.from({ length: 20 }, (_, index) => task(`t${100 + index}`));
    const { store, line, titles } = backend(100, [...next, task('The last one')]);
    expect(store.$more.get()).toBe(true);
    store.add({ title: 'At the end', dueOn: '' });
    await line.arrive();
    expect(titles()).toHaveLength(100);
    await store.more();
    expect(titles()).toHaveLength(121);
    expect([titles().at(-1), store.$more.get()]).toEqual(['The last one', false]);
  });
});

describe('A task', () => {
  test('is moved right away, and the database is told which one it follows', async () => {
    const { store, rpc, titles } = backend(4);
    const moving = store.moveTo('t3', 1);
    expect(titles()).toEqual(['t0', 't3', 't1', 't2']);
    await moving;
    await store.moveTo('t2', 0);
    await store.moveTo('t0', 99);
    await store.moveTo('t0', 3);
    expect(rpc.mock.calls.map(([, args]) => [args.p_id, args.p_after])).toEqual([
      ['t3', 't0'],
      ['t2', undefined],
      ['t0', 't1'],
    ]);
    expect(titles()).toEqual(['t2', 't3', 't1', 't0']);
  });

  test('goes back to its place when a move is refused, and a retry moves it', async () => {
    const { store, failures, titles } = backend(3, lost);
    await store.moveTo('t2', 0);
    expect(titles()).toEqual(['t0', 't1', 't2']);
    expect(failures[0]).toMatchObject({ title: '“t2” wasn’t moved', isLasting: false });
    failures[0]?.retry();
    await vi.waitFor(() => expect(titles()).toEqual(['t2', 't0', 't1']));
  });

  test('keeps its new status when a move at the same time is refused', async () => {
    const { store, titles } = backend(3, task('t2', { state: 'done', revision: 2 }), lost);
    const done = store.setState('t2', 'done');
    const moved = store.moveTo('t2', 0);
    await Promise.all([done, moved]);
    expect(titles()).toEqual(['t0', 't1', 't2']);
    expect(store.$tasks.get()[2]).toMatchObject({ state: 'done', revision: 2 });
  });

  test('is blocked by what was typed, which is kept for a retry when it was not stored', async () => {
    const { store, failures, first } = backend(1, lost);
    const reason = 'The bank has not answered.';
    await store.setState('t0', 'blocked', reason);
    expect(first()).toMatchObject({ state: 'todo', blocked_reason: null });
    expect(failures[0]?.isLasting).toBe(true);
    failures[0]?.retry();
    await vi.waitFor(() => expect(first()?.blocked_reason).toBe(reason));
  });

  test('counts as done right away, and not when that is refused', async () => {
    const { store, counted, first } = backend(1, task('t0', { revision: 2 }), lost);
    await store.setState('t0', 'done');
    expect(first()).toMatchObject({ state: 'done', revision: 2 });
    await store.setState('t0', 'todo');
    expect(first()?.state).toBe('done');
    expect(counted.mock.calls).toEqual([
      [0, 1],
      [0, -1],
      [0, 1],
    ]);
  });

  test('ends in the state that is stored, whichever of several clicks was lost', async () => {
    const { store, counted, first } = backend(1, lost);
    void store.setState('t0', 'done');
    void store.setState('t0', 'todo');
    await store.setState('t0', 'done');
    expect(first()?.state).toBe('done');
    expect(counted.mock.calls.reduce((sum, [, by]) => sum + by, 0)).toBe(1);
  });

  test('that another person changed meanwhile is shown as they saved it', async () => {
    const theirs = task('t0', { title: 'Theirs', revision: 5 });
    const { store, first } = backend(
      1,
      { saved: false, task: theirs },
      { saved: true, task: theirs },
    );
    expect(await store.save(task('t0'), { title: 'Mine', dueOn: '' })).toEqual(theirs);
    expect(first()).toEqual(theirs);
    expect(await store.save(theirs, { title: 'Mine', dueOn: '' })).toBeNull();
  });

  test('is removed and restored to its place', async () => {
    const { store, titles, counted } = backend(3, {}, {});
    const undo = await new Promise<() => void>((resolve) => {
      void store.remove('t1', (_title, again) => resolve(again));
    });
    expect(titles()).toEqual(['t0', 't2']);
    undo();
    expect(titles()).toEqual(['t0', 't1', 't2']);
    expect(counted.mock.calls).toEqual([
      [-1, -0],
      [1, 0],
    ]);
  });
});
