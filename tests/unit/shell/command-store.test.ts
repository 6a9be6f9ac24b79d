import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCommandStore } from '#features/shell/command/command-store.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';

const row = { kind: 'tool', id: 'x', title: 'X', detail: null, type: null, seq: null };
const rpc = vi.fn(
  async (_name: string, _args: object): Promise<object> => ({ data: [row], error: null }),
);
const openStore = () =>
  createCommandStore({ db: async () => dbAnswering({ rpc }), signedOut: vi.fn() });
const asked = () => rpc.mock.calls.map(([, args]) => args);

beforeEach(() => {
  vi.useFakeTimers();
  rpc.mockClear();
});
afterEach(() => vi.useRealTimers());

test('One question is asked once the person pauses, and none for a single letter', async () => {
  const store = openStore();
  for (const typed of ['c', 'ca', 'cas', 'cash']) store.type(typed);
  expect(store.$state.get()).toEqual({ name: 'loading' });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked()).toEqual([{ p_words: 'cash' }]);
  expect(store.$found.get()).toEqual([row]);
  // A space at the end asks for nothing else.
  store.type('cash ');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(rpc).toHaveBeenCalledTimes(1);
  store.type('c');
  expect(store.$found.get()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(rpc).toHaveBeenCalledTimes(1);
});

test('A menu that was closed asks for nothing, and a failed search can be repeated', async () => {
  const store = openStore();
  store.type('cash');
  store.close();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(rpc).not.toHaveBeenCalled();
  rpc.mockResolvedValueOnce({
    data: null,
    error: { code: '', message: 'TypeError: Failed to fetch' },
  });
  store.type('cash flow');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(store.$state.get()).toMatchObject({ name: 'failed', error: { kind: 'network' } });
  await store.retry();
  expect(store.$found.get()).toEqual([row]);
});
