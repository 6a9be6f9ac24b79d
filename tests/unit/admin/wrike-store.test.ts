import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WrikeOverview } from '#data/wrike.ts';
import { mirrorSteps, mirrorText } from '#domain/wrike.ts';
import { createWrikeStore } from '#features/admin/wrike/wrike-store.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';

const IDLE: WrikeOverview = {
  connection: null,
  ...{ is_listing: false, listed_at: null, statuses: [], mirrors: [], job: null },
};
const WORKING: WrikeOverview = {
  ...IDLE,
  is_listing: true,
  job: { state: 'running', error: null, run_at: '2026-11-25T12:00:00Z' },
};

/** A store on a database that gives these answers in turn, and then the last one again. */
function open(initial: WrikeOverview, answers: (WrikeOverview | null)[]) {
  const asked: string[] = [];
  const rpc = async (name: string) => {
    asked.push(name);
    const data = answers.length > 1 ? answers.shift() : answers[0];
    return data
      ? { data, error: null, status: 200 }
      : { data: null, error: { message: 'Failed to fetch' }, status: 0 };
  };
  const told = { folders: vi.fn(), mirrors: vi.fn(), failure: vi.fn() };
  const store = createWrikeStore(
    {
      db: async () => dbAnswering({ rpc: vi.fn(rpc) }),
      signedOut: () => {},
      showFailure: told.failure,
      foldersChanged: told.folders,
      mirrorsChanged: told.mirrors,
    },
    initial,
  );
  return { store, asked, told };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('Listing the folders is followed until it’s done, and then they’re shown', async () => {
  const done = { ...IDLE, listed_at: '2026-11-25T12:00:00Z' };
  const { store, asked, told } = open(IDLE, [WORKING, WORKING, done]);
  const stop = store.watch();
  await store.take('list_folders');
  expect(told.folders).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual(['run_wrike', 'admin_wrike', 'admin_wrike']);
  expect(told.folders).toHaveBeenCalledTimes(1);
  stop();
});

test('A mirrored project is shown at once, and again when it has been sent', async () => {
  const counted = (state: 'waiting' | 'sent') => ({
    ...WORKING,
    mirrors: [{ wants: 'save' as const, state, count: 1 }],
  });
  const { store, told } = open(IDLE, [counted('waiting'), { ...counted('sent'), job: null }]);
  const stop = store.watch();
  await store.mirror('m', 'IEA', 'p');
  const before = told.mirrors.mock.calls.length;
  expect(before).toBeGreaterThan(0);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(told.mirrors.mock.calls.length).toBe(before + 1);
  stop();
});

test('A change that fails says so where it was asked for, and changes nothing', async () => {
  const { store, told } = open(IDLE, [null]);
  await expect(store.change('m', 'stop')).rejects.toMatchObject({ kind: 'network' });
  expect(store.$wrike.get()).toBe(IDLE);
  expect(told.mirrors).not.toHaveBeenCalled();
  await store.take('check');
  expect(told.failure).toHaveBeenCalledWith(
    ...['We couldn’t check the connection', expect.objectContaining({ kind: 'network' })],
    ...[expect.any(Function), false],
  );
});

test('What can be done with a mirrored project follows from what becomes of it', () => {
  expect(mirrorSteps({ wants: 'save', state: 'sent' })).toEqual(['stop', 'remove']);
  expect(mirrorSteps({ wants: 'save', state: 'refused' })).toEqual(['replay', 'stop', 'remove']);
  expect(mirrorSteps({ wants: 'keep', state: 'sent' })).toEqual(['continue', 'remove']);
  expect(mirrorSteps({ wants: 'remove', state: 'waiting' })).toEqual([]);
  expect(mirrorSteps({ wants: 'remove', state: 'refused' })).toEqual(['replay']);
  expect(mirrorText({ wants: 'keep', state: 'sent' })).toBe('Not updated anymore');
  expect(mirrorText({ wants: 'remove', state: 'sending' })).toBe('Being deleted');
});
