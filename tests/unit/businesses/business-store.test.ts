import { describe, expect, test, vi } from 'vitest';
import type { Snapshot } from '#data/business-snapshots.ts';
import type { Business } from '#data/businesses.ts';
import { createBusinessStore } from '#features/businesses/business-store.ts';
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
/** Days, newest first. */
const days = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => figures(from - index));

const business = (given: Partial<Business> = {}): Business => ({
  id: 'bakery',
  role: 'owner',
  archived_at: null,
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
    { user_id: 'olive', name: 'Olive', role: 'owner', joined_at: '2026-01-01T00:00:00Z' },
    { user_id: 'cole', name: 'Cole', role: 'member', joined_at: '2026-02-01T00:00:00Z' },
  ],
  invitations: [],
  plan: { filled: 0, of: 14, saved_at: null },
  ...given,
});

const lost = { message: 'TypeError: Failed to fetch', code: '' };

/** A database that answers by the name of the procedure; one that is not named cannot be reached. */
function backend(answers: Record<string, unknown>, initial = business()) {
  const rpc = vi.fn(async (name: string, _args: Record<string, unknown>) =>
    name in answers ? { data: answers[name], error: null } : { data: null, error: lost },
  );
  const store = createBusinessStore(async () => dbAnswering({ rpc }), initial);
  return { store, rpc, now: () => store.$business.get() };
}

describe('A business on its page', () => {
  test('shows what the database says after something was done', async () => {
    const after = business({ members: [] });
    const { store, now } = backend({ remove_member: {}, get_business: after });
    await store.remove('cole');
    expect(now().members).toEqual([]);
  });

  test('shows what was done also where it cannot be read again just now', async () => {
    const { store, now } = backend({
      remove_member: {},
      archive_business: {},
      unarchive_business: {},
      add_snapshot: {},
      hand_over_business: {},
    });
    await store.remove('cole');
    expect(now().members.map(({ user_id }) => user_id)).toEqual(['olive']);
    await store.addFigures(figures(3));
    expect(now().snapshots.map(({ full_time }) => full_time)).toEqual([3]);
    await store.archive(true);
    expect(now().archived_at).not.toBeNull();
    await store.archive(false);
    expect(now().archived_at).toBeNull();
    await store.handOver('cole');
    expect(now().role).toBe('member');
  });

  test('stays as it was when something could not be done', async () => {
    const { store, now } = backend({ get_business: business({ members: [] }) });
    const before = now();
    await expect(store.remove('cole')).rejects.toMatchObject({ kind: 'network' });
    await expect(store.archive(true)).rejects.toMatchObject({ kind: 'network' });
    await expect(store.invite('one', 'a@b.test')).rejects.toMatchObject({ kind: 'network' });
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
    expect(rpc).toHaveBeenLastCalledWith(
      'list_snapshots',
      expect.objectContaining({ p_before: '2026-01-05' }),
    );
    expect(store.$more.get()).toBe(false);
    await store.addFigures(figures(29));
    const shown = now().snapshots.map(({ full_time }) => full_time);
    expect(shown).toEqual(days(29, 2).map(({ full_time }) => full_time));
  });
});
