import { describe, expect, test, vi } from 'vitest';
import type { OwnEngagement } from '#data/own-coaching.ts';
import { createCoachingStore } from '#features/coaching/coaching-store.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';
import { assignedEngagement, openAction, openOffer } from '../../fixtures/own-coaching.ts';

const lost = { message: 'TypeError: Failed to fetch', code: '' };
const asked = {
  businessId: 'shop',
  note: 'Winter.',
  areas: ['growth-strategy'],
  share: true,
  coachId: null,
};
const page = (engagements: OwnEngagement[]) => ({
  engagements,
  areas: [],
  topics: [],
  calendar_since: null,
});

/**
 * Fails with these errors in order; null succeeds. Unless the test says what the page reads after a
 * step, it can't be read, so that what's shown is the store's own.
 */
function backend(answers: unknown[] = [], read?: OwnEngagement[]) {
  const rpc = vi.fn(async (_name: string, _args: Record<string, unknown>) => {
    const error = answers.shift() ?? null;
    return { data: error ? null : {}, error };
  });
  const ask = async (name: string, args: Record<string, unknown>) => {
    if (name !== 'get_coaching') return rpc(name, args);
    if (!read) throw new Error('unreachable');
    return { data: page(read), error: null };
  };
  let made = 0;
  const store = createCoachingStore(
    async () => dbAnswering({ rpc: ask }),
    page([{ ...assignedEngagement, actions: [openAction], offers: [openOffer] }]),
    () => `id-${++made}`,
  );
  const ids = (key = 'p_id') => rpc.mock.calls.map(([, args]) => args[key]);
  const first = () => store.$coaching.get().engagements.find(({ id }) => id === 'first');
  return { store, rpc, ids, first };
}

describe('An owner who asks for a coach', () => {
  test('sees the request at once, in the state of waiting', async () => {
    const { store } = backend();
    await store.request(asked);
    expect(store.$coaching.get().engagements).toMatchObject([
      { id: 'id-1', business_id: 'shop', state: 'requested', results_shared: true },
      { id: 'first' },
    ]);
  });

  test('sees what the database made of it, if they chose a coach', async () => {
    const { store, rpc } = backend([], [{ ...assignedEngagement, id: 'id-1' }]);
    await store.request({ ...asked, coachId: 'ruth' });
    expect(rpc.mock.calls[0]?.[1]).toMatchObject({ p_id: 'id-1', p_coach_id: 'ruth' });
    expect(store.$coaching.get().engagements).toMatchObject([
      { id: 'id-1', state: 'assigned', coach: { full_name: 'Ruth Abara' } },
    ]);
  });

  test('asks once, however often a lost connection makes them try', async () => {
    const { store, ids } = backend([lost, lost]);
    await expect(store.request(asked)).rejects.toMatchObject({ kind: 'network' });
    await expect(store.request(asked)).rejects.toMatchObject({ kind: 'network' });
    await store.request(asked);
    expect(ids()).toEqual(['id-1', 'id-1', 'id-1']);
    expect(store.$coaching.get().engagements).toHaveLength(2);
  });

  test('makes a new request the next time', async () => {
    const { store, ids } = backend();
    await store.request(asked);
    await store.request({ ...asked, businessId: 'other' });
    expect(ids()).toEqual(['id-1', 'id-2']);
  });

  test('learns which field is wrong, and nothing is listed', async () => {
    const refusal = { code: '22023', message: 'Keep the note to 2,000 characters.', hint: 'note' };
    const { store } = backend([refusal]);
    await expect(store.request(asked)).rejects.toMatchObject({ kind: 'invalid', field: 'note' });
    expect(store.$coaching.get().engagements).toHaveLength(1);
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

test('An owner who checks off an action sees it at once, and it comes back when it failed', async () => {
  const { store, rpc, first } = backend([null, lost]);
  const state = () => first()?.actions[0]?.state;
  const row = { ...openAction, state: 'done', settled_at: '2026-11-21T00:00:00Z' };
  rpc.mockResolvedValueOnce({ data: row, error: null });
  const stored = store.settleAction('call', 'done');
  expect(state()).toBe('done');
  await stored;
  expect(rpc.mock.calls).toEqual([['settle_coaching_action', { p_id: 'call', p_state: 'done' }]]);
  rpc.mockResolvedValueOnce({ data: null, error: lost } as never);
  await store.settleAction('call', 'open');
  expect(state()).toBe('done');
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

test('An owner who picks a time twice, because the answer was lost, has one session', async () => {
  const { store, rpc, ids } = backend([lost]);
  rpc.mockResolvedValueOnce({ data: null, error: lost } as never);
  const [time = ''] = openOffer.times;
  await expect(store.pickTime('offer', time)).rejects.toMatchObject({ kind: 'network' });
  rpc.mockResolvedValueOnce({ data: { id: 'id-1', state: 'scheduled' }, error: null });
  await store.pickTime('offer', time);
  expect(ids('p_session_id')).toEqual(['id-1', 'id-1']);
});

test.each([
  ['pause', 'pause_coaching', 'paused'],
  ['resume', 'resume_coaching', 'active'],
  ['reopen', 'reopen_coaching', 'active'],
  ['resumeContact', 'resume_contact', 'accepted'],
] as const)(
  '%s takes its step, even if the page can’t be read again',
  async (step, name, state) => {
    const { store, rpc, first } = backend();
    await store[step]('first', '2027-01-15', '');
    expect(rpc.mock.calls[0]?.[0]).toBe(name);
    expect(first()?.state).toBe(state);
  },
);

test('News from elsewhere shows once it can be read, and nothing is lost before', async () => {
  const offline = backend();
  await offline.store.refresh();
  expect(offline.first()?.state).toBe('assigned');
  const { store, first } = backend([], [{ ...assignedEngagement, state: 'accepted' }]);
  await store.refresh();
  expect(first()?.state).toBe('accepted');
});
