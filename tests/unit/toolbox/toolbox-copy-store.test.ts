import { afterEach, expect, test } from 'vitest';
import type { CopyState } from '#data/toolbox.ts';
import { draftOf } from '#features/toolbox/copy-draft.ts';
import { createCopyStore } from '#features/toolbox/copy-store.ts';
import { AppError } from '#lib/errors.ts';
import { $unsaved } from '#lib/unsaved.ts';

const initial: CopyState = {
  title: 'Plan',
  body_markdown: '# Plan\n\n| A | B |\n| --- | --- |\n| 1 |  |',
  revision: 3,
  updated_at: '2026-11-20T10:00:00Z',
  updated_by: null,
  updated_by_name: 'Olive Owner',
};

type Answer = { saved: boolean; copy: CopyState };
type Change = { revision: number; title: string; body: string };

/** A store over a server that answers as the test says, and a clock that it turns by hand. */
function open(
  answer: (change: Change) => Answer | Promise<Answer>,
  kept = new Map<string, string>(),
) {
  const due: { work: () => void; ms: number }[] = [];
  const sent: Change[] = [];
  const store = createCopyStore(initial, {
    draft: draftOf('me', 'copy', () => ({
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    })),
    async save(change) {
      sent.push(change);
      return answer(change);
    },
    signedOut: () => {},
    after(ms, work) {
      const one = { work, ms };
      due.push(one);
      return () => void (due.includes(one) && due.splice(due.indexOf(one), 1));
    },
  });
  const turn = async () => {
    for (const { work } of due.splice(0)) work();
    await new Promise((resolve) => setImmediate(resolve));
  };
  stores.push(store);
  return { store, sent, kept, due, turn };
}

const stores: { close(): void }[] = [];
afterEach(() => {
  for (const store of stores.splice(0)) store.close();
});

const accept = ({ revision, title, body }: Change): Answer => ({
  saved: true,
  copy: { ...initial, title, body_markdown: body, revision: revision + 1 },
});

test('What is typed is kept at once and saved once typing pauses', async () => {
  const { store, sent, kept, turn } = open(accept);
  store.setTitle('Pl');
  store.setTitle('Plan B');
  expect([...kept.values()][0]).toContain('Plan B');
  expect($unsaved.get()).toBe(true);
  expect(sent).toEqual([]);
  await turn();
  expect(sent).toMatchObject([{ revision: 3, title: 'Plan B' }]);
  expect(store.$saving.get().name).toBe('saved');
  expect(kept.size).toBe(0);
  expect($unsaved.get()).toBe(false);
});

test('What is typed while the last is on its way follows it, on the new revision', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let first = true;
  const { store, sent, turn } = open(async (change) => {
    if (first) await promise;
    first = false;
    return accept(change);
  });
  store.setTitle('One');
  await turn();
  store.setTitle('Two');
  await turn();
  expect(sent).toHaveLength(1);
  resolve();
  await turn();
  await turn();
  expect(sent.map(({ revision, title }) => [revision, title])).toEqual([
    [3, 'One'],
    [4, 'Two'],
  ]);
  expect(store.$saving.get().name).toBe('saved');
});

test('A failed request is tried again, ever later, and nothing is lost meanwhile', async () => {
  let fails = 3;
  const { store, sent, kept, due, turn } = open((change) => {
    if (fails-- > 0) throw new AppError('network');
    return accept(change);
  });
  store.setTitle('Plan B');
  await turn();
  expect(store.$saving.get()).toEqual({ name: 'waiting', kept: true });
  expect(kept.size).toBe(1);
  const waits = [due[0]?.ms];
  await turn();
  waits.push(due[0]?.ms);
  await turn();
  waits.push(due[0]?.ms);
  expect(waits).toEqual([1000, 2000, 5000]);
  await turn();
  expect(sent).toHaveLength(4);
  expect(store.$saving.get().name).toBe('saved');
});

test('An expired session waits for the person, and then everything is saved', async () => {
  let signedIn = false;
  const { store, due, turn } = open((change) => {
    if (!signedIn) throw new AppError('signed-out');
    return accept(change);
  });
  store.setTitle('Plan B');
  await turn();
  expect(store.$saving.get().name).toBe('signed-out');
  store.setTitle('Plan C');
  expect(store.$saving.get().name).toBe('signed-out');
  expect(due).toEqual([]);
  signedIn = true;
  store.again();
  await turn();
  expect(store.$saving.get().name).toBe('saved');
  expect(store.$title.get()).toBe('Plan C');
});

const theirs: CopyState = { ...initial, title: 'Their plan', revision: 5 };

test.each(['mine', 'theirs'] as const)(
  'Where a colleague was faster, %s is kept when so decided',
  async (whose) => {
    const { store, sent, kept, turn } = open((change) =>
      change.revision < theirs.revision ? { saved: false, copy: theirs } : accept(change),
    );
    store.setTitle('My plan');
    await turn();
    expect(store.$saving.get()).toEqual({ name: 'conflict', theirs });
    // What is typed now is kept, and sent only once it is decided.
    store.setTitle('My plan!');
    await turn();
    expect(sent).toHaveLength(1);
    await store.decide(whose);
    expect(store.$title.get()).toBe(whose === 'mine' ? 'My plan!' : 'Their plan');
    expect(sent.at(-1)).toMatchObject(
      whose === 'mine' ? { revision: 5, title: 'My plan!' } : { revision: 3 },
    );
    expect(store.$saving.get().name).toBe('saved');
    expect(kept.size).toBe(0);
  },
);

test('Two who typed the same are not asked', async () => {
  const { store, turn } = open(() => ({ saved: false, copy: { ...theirs, title: 'Same' } }));
  store.setTitle('Same');
  await turn();
  expect(store.$saving.get().name).toBe('saved');
});

test('Nobody is taken for a colleague of themselves whose answer was lost', async () => {
  let stored = initial;
  let lost = true;
  const { store, sent, turn } = open((change) => {
    if (change.revision < stored.revision) return { saved: false, copy: stored };
    // As the server writes it down, without the spaces around a title.
    stored = accept({ ...change, title: change.title.trim() }).copy;
    if (lost) throw new AppError('network');
    return { saved: true, copy: stored };
  });
  store.setTitle('Plan ');
  await turn();
  expect(store.$saving.get().name).toBe('waiting');
  lost = false;
  store.setTitle('Plan B');
  await turn();
  await turn();
  expect(store.$saving.get().name).toBe('saved');
  expect(stored).toMatchObject({ title: 'Plan B', revision: 5 });
  expect(sent).toHaveLength(3);
});

test('A tab that was closed too early leaves a draft, which the next visit saves', async () => {
  const first = open(() => {
    throw new AppError('network');
  });
  first.store.setTitle('Plan B');
  await first.turn();
  first.store.close();

  const next = open(accept, first.kept);
  next.store.restore();
  expect(next.store.$title.get()).toBe('Plan B');
  await next.turn();
  expect(next.sent).toMatchObject([{ revision: 3, title: 'Plan B' }]);
  expect(next.kept.size).toBe(0);
});

test('A refusal says why, and what was typed stays', async () => {
  const { store, kept, turn } = open(() => {
    throw new AppError('invalid', 'Give it a name.', { field: 'title' });
  });
  store.setTitle('');
  await turn();
  expect(store.$saving.get()).toEqual({
    name: 'refused',
    sentence: 'Give it a name.',
    field: 'title',
  });
  expect(kept.size).toBe(1);
});

test('A browser that keeps nothing says so', () => {
  const { store } = open(accept, {
    get: () => undefined,
    delete: () => false,
    set() {
      throw new Error('full');
    },
  } as never);
  store.setTitle('Plan B');
  expect(store.$saving.get()).toEqual({ name: 'waiting', kept: false });
});
