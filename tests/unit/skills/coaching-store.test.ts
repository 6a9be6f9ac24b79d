import { describe, expect, test, vi } from 'vitest';
import type { Engagement } from '#data/coaching.ts';
import { createCoachingStore } from '#features/coaching/coaching-store.ts';
import type { AppError } from '#lib/errors.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';

const engagement: Engagement = {
  id: 'first',
  business_id: 'bakery',
  state: 'assigned',
  areas: ['financial-projection'],
  note: 'Cash is short.',
  results_shared: true,
  requested_at: '2026-11-01T00:00:00Z',
  assigned_at: '2026-11-03T00:00:00Z',
  coach_id: 'ruth',
  coach_name: 'Ruth Abara',
};
const lost = { message: 'TypeError: Failed to fetch', code: '' };
const asked = { businessId: 'shop', note: 'Winter.', areas: ['growth-strategy'], share: true };

/** Answers in turn; null is a success. Lists cannot be read, so that the store shows what it knows. */
function backend(answers: unknown[] = []) {
  const rpc = vi.fn(async (_name: string, _args: Record<string, unknown>) => {
    const error = answers.shift() ?? null;
    return { data: error ? null : {}, error };
  });
  const ask = async (name: string, args: Record<string, unknown>) => {
    if (name === 'my_engagements') throw new Error('unreachable');
    return rpc(name, args);
  };
  const failures: { error: AppError; again: () => void }[] = [];
  let made = 0;
  const store = createCoachingStore(
    {
      db: async () => dbAnswering({ rpc: ask }),
      failed: (error, again) => failures.push({ error, again }),
    },
    [engagement],
    () => {
      made += 1;
      return `request-${made}`;
    },
  );
  const ids = () => rpc.mock.calls.map(([, args]) => args.p_id);
  const shared = () => store.$engagements.get().find(({ id }) => id === 'first')?.results_shared;
  return { store, rpc, ids, shared, failures };
}

describe('An owner who asks for a coach', () => {
  test('sees the request at once, in the state of waiting', async () => {
    const { store } = backend();
    await store.request(asked);
    expect(store.$engagements.get()).toMatchObject([
      { id: 'request-1', business_id: 'shop', state: 'requested', results_shared: true },
      { id: 'first' },
    ]);
  });

  test('asks once, however often a lost connection makes them try', async () => {
    const { store, ids } = backend([lost, lost]);
    await expect(store.request(asked)).rejects.toMatchObject({ kind: 'network' });
    await expect(store.request(asked)).rejects.toMatchObject({ kind: 'network' });
    await store.request(asked);
    expect(ids()).toEqual(['request-1', 'request-1', 'request-1']);
    expect(store.$engagements.get()).toHaveLength(2);
  });

  test('makes a new request the next time', async () => {
    const { store, ids } = backend();
    await store.request(asked);
    await store.request({ ...asked, businessId: 'other' });
    expect(ids()).toEqual(['request-1', 'request-2']);
  });

  test('learns which field is wrong, and nothing is listed', async () => {
    const refusal = { code: '22023', message: 'Keep the note to 2,000 characters.', hint: 'note' };
    const { store } = backend([refusal]);
    await expect(store.request(asked)).rejects.toMatchObject({ kind: 'invalid', field: 'note' });
    expect(store.$engagements.get()).toHaveLength(1);
  });
});

describe('An owner who stops sharing results', () => {
  test('sees it at once', async () => {
    const { store, shared } = backend();
    const done = store.share('first', false);
    expect(shared()).toBe(false);
    await done;
    expect(shared()).toBe(false);
  });

  test('sees that they are still shared when it failed, and can try again', async () => {
    const { store, shared, failures } = backend([lost]);
    await store.share('first', false);
    expect(shared()).toBe(true);
    failures[0]?.again();
    await vi.waitFor(() => expect(shared()).toBe(false));
    expect(failures).toHaveLength(1);
  });

  test('who presses twice gets the last choice', async () => {
    const { store, rpc, shared } = backend();
    await Promise.all([store.share('first', false), store.share('first', true)]);
    expect(rpc.mock.calls.map(([, args]) => args.p_shared)).toEqual([false, true]);
    expect(shared()).toBe(true);
  });
});

describe('An owner who withdraws', () => {
  const state = (store: ReturnType<typeof backend>['store']) =>
    store.$engagements.get().find(({ id }) => id === 'first')?.state;

  test('sees that it has ended once it is stored', async () => {
    const { store, rpc } = backend();
    await store.withdraw('first');
    expect(rpc.mock.calls).toEqual([['withdraw_coaching', { p_engagement_id: 'first' }]]);
    expect(state(store)).toBe('withdrawn');
  });

  test('is told when it did not work, and it goes on', async () => {
    const { store } = backend([lost]);
    await expect(store.withdraw('first')).rejects.toMatchObject({ kind: 'network' });
    expect(state(store)).toBe('assigned');
  });

  test('is told when the coaching ended in another way meanwhile', async () => {
    const ended = { code: '55000', message: 'This coaching has already ended.' };
    const { store } = backend([ended]);
    await expect(store.withdraw('first')).rejects.toMatchObject({ kind: 'conflict' });
    expect(state(store)).toBe('assigned');
  });
});
