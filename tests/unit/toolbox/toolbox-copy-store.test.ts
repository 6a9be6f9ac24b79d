import { beforeEach, expect, test, vi } from 'vitest';
import type { CopyState } from '#data/toolbox.ts';
import { createCopyStore } from '#features/toolbox/copy-store.ts';
import { AppError } from '#lib/errors.ts';
import { toolCopyKind } from '#sync/kinds/tool-copy.ts';
import { settle, stillBrowser } from '../../fixtures/memory-browser.ts';
import { syncOf } from '../../fixtures/test-sync.ts';

const initial: CopyState = {
  title: 'Plan',
  body_markdown: '# Plan\n\n| A | B |\n| --- | --- |\n| 1 |  |',
  revision: 3,
  updated_at: '2026-11-20T10:00:00Z',
  updated_by: null,
  updated_by_name: 'Olive Owner',
};

/** A database with one copy, which checks revisions as `save_tool_copy` does. */
const server = vi.hoisted(() => ({
  copy: {} as CopyState,
  trouble: 'none' as 'none' | 'offline' | 'answer-lost',
  saves: 0,
}));

vi.mock('#lib/db.ts', () => ({ db: async () => ({}) }));
vi.mock('#data/toolbox.ts', () => ({
  async saveToolCopy(
    _client: object,
    _id: string,
    change: { revision: number; title: string; body: string },
  ) {
    if (server.trouble === 'offline') throw new AppError('network');
    if (change.revision !== server.copy.revision) return { saved: false, copy: server.copy };
    server.saves += 1;
    server.copy = {
      ...server.copy,
      title: change.title.trim(),
      body_markdown: change.body,
      revision: change.revision + 1,
    };
    if (server.trouble === 'answer-lost') throw new AppError('network');
    return { saved: true, copy: server.copy };
  },
}));

beforeEach(() => {
  Object.assign(server, { copy: initial, trouble: 'none', saves: 0 });
});

let copies = 0;

/** Opens a copy's page. */
function open() {
  const browser = stillBrowser();
  const sync = syncOf('me', browser.openTab(), [toolCopyKind]);
  const store = createCopyStore(`copy-${++copies}`, initial, {
    read: async () => server.copy,
    openSync: () => sync,
  });
  store.open();
  // Sending loads modules dynamically, which takes extra ticks.
  const pass = async (milliseconds: number) => {
    await browser.pass(milliseconds);
    await vi.dynamicImportSettled();
    await settle();
  };
  return { store, pass, status: () => store.$status.get()?.name };
}

test('What is typed is saved once typing pauses, title and blocks together', async () => {
  const { store, pass, status } = open();
  store.setTitle('Pl');
  store.setTitle('Plan B');
  store.insertBlock(store.$blocks.get().length, { kind: 'text', markdown: 'A note' });
  expect(status()).toBe('saving');
  expect(server.saves).toBe(0);
  await pass(800);
  expect(status()).toBe('saved');
  expect(server.copy).toMatchObject({ title: 'Plan B', revision: 4 });
  expect(server.copy.body_markdown).toContain('A note');
  store.setTitle('Plan C');
  await pass(800);
  expect(server.copy).toMatchObject({ title: 'Plan C', revision: 5 });
});

test('Nobody is taken for a colleague of themselves whose answer was lost', async () => {
  const { store, pass, status } = open();
  server.trouble = 'answer-lost';
  store.setTitle('Plan ');
  store.setTitle('Plan A ');
  await pass(800);
  expect(status()).toBe('offline');
  server.trouble = 'none';
  store.setTitle('Plan B');
  await pass(2_000);
  expect(status()).toBe('saved');
  expect(server.copy).toMatchObject({ title: 'Plan B', revision: 5 });
});

test.each(['mine', 'theirs'] as const)(
  'Where a colleague was faster, %s is kept when so decided',
  async (which) => {
    const { store, pass, status } = open();
    server.copy = { ...initial, title: 'Their plan', revision: 5 };
    store.setTitle('My plan');
    await pass(800);
    expect(status()).toBe('conflict');
    // What the user types now is kept, and sent only after they decide.
    store.setTitle('My plan!');
    await pass(800);
    expect([status(), server.copy.title]).toEqual(['conflict', 'Their plan']);
    store.choose(which);
    await pass(800);
    const kept = which === 'mine' ? 'My plan!' : 'Their plan';
    expect([store.$title.get(), server.copy.title, status()]).toEqual([kept, kept, 'saved']);
  },
);
