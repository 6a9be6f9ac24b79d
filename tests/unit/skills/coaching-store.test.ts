import { describe, expect, test, vi } from 'vitest';
import type { Engagement } from '#data/coaching.ts';
import { createCoachingStore } from '#features/coaching/coaching-store.ts';
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

/** Fails with these errors in order; null succeeds. Lists can't be read, so local state shows. */
function backend(answers: unknown[] = []) {
  const rpc = vi.fn(async (_name: string, _args: Record<string, unknown>) => {
    const error = answers.shift() ?? null;
    return { data: error ? null : {}, error };
  });
  const ask = async (name: string, args: Record<string, unknown>) => {
    if (name === 'my_engagements') throw new Error('unreachable');
    return rpc(name, args);
  };
  let made = 0;
  const store = createCoachingStore(
    async () => dbAnswering({ rpc: ask }),
    [engagement],
    () => `request-${++made}`,
  );
  const ids = () => rpc.mock.calls.map(([, args]) => args.p_id);
  const first = () => store.$engagements.get().find(({ id }) => id === 'first');
  return { store, rpc, ids, first };
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

test('An owner who stops sharing results sees it at once, and shares again when it failed', async () => {
  const { store, rpc, first } = backend([null, lost]);
  const stored = store.share('first', false);
  expect(first()?.results_shared).toBe(false);
  await stored;
  await store.share('first', true);
  expect(rpc.mock.calls.map(([, args]) => args.p_shared)).toEqual([false, true]);
  expect(first()?.results_shared).toBe(false);
});

describe('An owner who withdraws', () => {
  test('sees that it has ended once it is stored', async () => {
    const { store, rpc, first } = backend();
    await store.withdraw('first');
    expect(rpc.mock.calls).toEqual([['withdraw_coaching', { p_engagement_id: 'first' }]]);
    expect(first()?.state).toBe('withdrawn');
  });

  test.each([
    ['network', lost],
    ['conflict', { code: '55000', message: 'This coaching has already ended.' }],
  ])('is told why it did not work (%s), and it goes on', async (kind, answer) => {
    const { store, first } = backend([answer]);
    await expect(store.withdraw('first')).rejects.toMatchObject({ kind });
    expect(first()?.state).toBe('assigned');
  });
});
