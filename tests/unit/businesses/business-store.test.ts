import { describe, expect, test, vi } from 'vitest';
import type { Snapshot } from '#data/business-snapshots.ts';
import type { Business } from '#data/businesses.ts';
import { type BusinessStore, createBusinessStore } from '#features/businesses/business-store.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';

const figures = (day: number): Snapshot => ({
  id: `figures-${day}`,
  taken_on: `2026-01-${String(day).padStart(2, '0')}`,
  full_time: day,
  part_time: null,
  revenue_minor: null,
  profit_minor: null,
  currency: null,
  added_by: 'Olive',
  added_at: '2026-02-01T00:00:00Z',
  corrections: 0,
});
/** Figures for these days, newest first. */
const days = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => figures(from - index));

const olive = {
  user_id: 'olive',
  name: 'Olive',
  role: 'owner' as const,
  joined_at: '2026-01-01T00:00:00Z',
};

const business = (given: Partial<Business> = {}): Business => ({
  id: 'bakery',
  role: 'owner',
  archived_at: null,
  merged_into: null,
  forecast: null,
  calculators: 0,
  client: null,
  facts: {
    name: 'Alder Bakery',
    trading: 'trading',
    postal_code: '',
    help_wanted: '',
    legal_name: '',
    entity_type: '',
    industry: '',
    stage: '',
    start_date: '',
    home_based: '',
    description: '',
    address_line1: '',
    address_line2: '',
    city: '',
    region: '',
    country: '',
    phone: '',
    website: '',
  },
  snapshots: [],
  members: [
    olive,
    { user_id: 'cole', name: 'Cole', role: 'member', joined_at: '2026-02-01T00:00:00Z' },
  ],
  invitations: [],
  plan: { filled: 0, of: 14, saved_at: null },
  ...given,
});

/** A database with a result for each procedure. Calls to any other fail like a lost connection. */
function backend(answers: Record<string, unknown>, initial = business()) {
  const error = { message: 'TypeError: Failed to fetch', code: '' };
  const rpc = vi.fn(async (name: string, _args: Record<string, unknown>) =>
    name in answers ? { data: answers[name], error: null } : { data: null, error },
  );
  const store = createBusinessStore(async () => dbAnswering({ rpc }), initial);
  return { store, rpc, now: () => store.$business.get() };
}

describe('A business on its page', () => {
  test('shows what the database says after a change', async () => {
    const after = business({ members: [] });
    const { store, now } = backend({ remove_member: {}, get_business: after });
    await store.remove('cole');
    expect(now().members).toEqual([]);
  });

  test.each<[string, (store: BusinessStore) => Promise<void>, Partial<Business>]>([
    ['remove_member', (store) => store.remove('cole'), { members: [olive] }],
    ['archive_business', (store) => store.archive(true), { archived_at: expect.any(String) }],
    ['unarchive_business', (store) => store.archive(false), { archived_at: null }],
    ['hand_over_business', (store) => store.handOver('cole'), { role: 'member' }],
    ['revoke_invitation', (store) => store.revoke('one'), { invitations: [] }],
    [
      'add_snapshot',
      (store) => store.addFigures(figures(3)),
      { snapshots: [expect.objectContaining({ full_time: 3, corrections: 0 })] },
    ],
  ])('shows a change also if the business cannot be read again: %s', async (name, act, part) => {
    const { store, now } = backend({ [name]: {} });
    await act(store);
    expect(now()).toMatchObject(part);
  });

  test('stays as it was when a change was not saved', async () => {
    const { store, now } = backend({ get_business: business({ members: [] }) });
    const before = now();
    for (const change of [
      store.remove('cole'),
      store.archive(true),
      store.invite('one', 'a@b.test'),
    ])
      await expect(change).rejects.toMatchObject({ kind: 'network' });
    expect(now()).toBe(before);
  });

  test('loads older figures page by page, and keeps them when newer ones are added', async () => {
    const first = days(28, 5);
    const { store, rpc, now } = backend(
      {
        list_snapshots: days(4, 2),
        add_snapshot: {},
        get_business: business({ snapshots: [figures(29), ...first.slice(0, -1)] }),
      },
      business({ snapshots: first }),
    );
    expect(store.$more.get()).toBe(true);
    await store.loadOlder();
    expect(rpc.mock.lastCall).toMatchObject(['list_snapshots', { p_before: '2026-01-05' }]);
    expect(store.$more.get()).toBe(false);
    await store.addFigures(figures(29));
    expect(now().snapshots.map(({ id }) => id)).toEqual(days(29, 2).map(({ id }) => id));
  });
});
