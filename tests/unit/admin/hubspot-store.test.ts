import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { HubSpotSync } from '#data/hubspot.ts';
import { countsOf } from '#domain/hubspot.ts';
import { createHubSpotStore } from '#features/admin/hubspot/hubspot-store.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';

const IDLE: HubSpotSync = {
  state: 'previewed',
  mapping: { contact: {}, company: {} },
  previewed_at: '2026-11-25T12:00:00Z',
  connection: null,
  ...{ agreed: 2, not_agreed: 3, links: 0, refused_links: 0 },
  records: [],
  job: null,
};
const WORKING: HubSpotSync = {
  ...IDLE,
  job: { state: 'running', error: null, run_at: '2026-11-25T12:00:00Z' },
};
const record = { kind: 'contact', wants: 'save', change: null, count: 1 } as const;

/** A store on a database that gives these answers in turn, and then the last one again. */
function open(initial: HubSpotSync, answers: (HubSpotSync | null)[]) {
  const asked: string[] = [];
  const rpc = async (name: string) => {
    asked.push(name);
    const data = answers.length > 1 ? answers.shift() : answers[0];
    return data
      ? { data, error: null, status: 200 }
      : { data: null, error: { message: 'Failed to fetch' }, status: 0 };
  };
  const db = dbAnswering({ rpc: vi.fn(rpc) });
  const recordsChanged = vi.fn();
  const showFailure = vi.fn();
  const store = createHubSpotStore(
    {
      db: async () => db,
      signedOut: () => {},
      showFailure,
      recordsChanged,
    },
    initial,
  );
  return { store, asked, recordsChanged, showFailure };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('An admin sees how far it is while there’s work, and nothing is asked when there’s none', async () => {
  const { store, asked, recordsChanged } = open(IDLE, [
    WORKING,
    { ...WORKING, records: [{ ...record, state: 'sending' }] },
    { ...IDLE, records: [{ ...record, state: 'sent' }] },
  ]);
  const stop = store.watch();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual([]);
  await store.take('send');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual(['run_hubspot', 'admin_hubspot', 'admin_hubspot']);
  expect(store.$sync.get().records).toMatchObject([{ state: 'sent' }]);
  expect(recordsChanged).toHaveBeenCalledTimes(2);
  stop();
});

test('It asks less often while the job waits for HubSpot, and not at all once the screen is left', async () => {
  const waiting: HubSpotSync = {
    ...IDLE,
    job: { state: 'waiting', error: 'HubSpot didn’t answer.', run_at: '2026-11-25T12:00:00Z' },
  };
  const { store, asked } = open(waiting, [waiting]);
  const stop = store.watch();
  await vi.advanceTimersByTimeAsync(14_000);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked).toEqual(['admin_hubspot']);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveLength(1);
});

test('A lost connection is said, and what was shown stays', async () => {
  const { store } = open(WORKING, [null, IDLE]);
  const stop = store.watch();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(store.$failure.get()?.kind).toBe('network');
  expect(store.$sync.get()).toBe(WORKING);
  // It looks again by itself.
  await vi.advanceTimersByTimeAsync(1_000);
  expect(store.$failure.get()).toBe(null);
  expect(store.$sync.get()).toEqual(IDLE);
  stop();
});

test('A step that fails changes nothing and can be tried again', async () => {
  const { store, showFailure } = open(IDLE, [null, WORKING]);
  await store.take('send');
  expect(store.$sync.get()).toBe(IDLE);
  expect(store.$pending.get()).toBe(null);
  expect(showFailure).toHaveBeenCalledWith(
    'We couldn’t start sending',
    expect.objectContaining({ kind: 'network' }),
    expect.any(Function),
    false,
  );
  showFailure.mock.calls[0]?.[2]();
  await vi.advanceTimersByTimeAsync(0);
  expect(store.$sync.get()).toEqual(WORKING);
});

test('What counts as sent, refused and waiting', () => {
  const count = (
    state: 'waiting' | 'sent' | 'unchanged' | 'refused' | 'removed',
    count: number,
  ) => ({
    ...({ wants: 'save', change: null, state, count } as const),
  });
  expect(
    countsOf([
      count('waiting', 1),
      count('sent', 20),
      count('unchanged', 300),
      count('refused', 4_000),
      count('removed', 50_000),
      { ...count('waiting', 7), wants: 'erase' },
    ]),
  ).toMatchObject({ all: 4_321, sent: 320, refused: 4_000, waiting: 1, leaving: 7 });
});
