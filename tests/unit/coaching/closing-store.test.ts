import { expect, test } from 'vitest';
import { createClosingStore } from '#features/coaching/closing/closing-store.ts';
import { blankFigures, startOfForm, startOfNext } from '#features/coaching/closing/start.ts';
import { closedSessionOf, sessionProblems } from '#lib/closed-session.ts';
import { sessionKind, type WrittenSession } from '#sync/kinds/session.ts';
import { settle } from '../../fixtures/memory-browser.ts';
import { offlineSync } from '../../fixtures/test-sync.ts';

const DENVER = 'America/Denver';
/** Tuesday, half past two in Denver. */
const NOW = '2026-11-24T21:30:00.000Z';
const reader = { timeZone: DENVER, now: NOW };
const client = {
  engagementId: 'e1',
  business: 'Delgado Bakery',
  name: 'Maria',
  areas: [{ key: 'operations-workflows', name: 'Operations' }],
  currency: 'USD',
  last: { minutes: 45, kind: 'phone' as const, place: '505 555 0114' },
  planned: null,
  actions: [],
  holidays: [],
  isOver: false,
  keepsNotes: true,
};

const written = (): WrittenSession => ({
  id: 's1',
  engagementId: 'e1',
  business: 'Delgado Bakery',
  timeZone: DENVER,
  form: startOfForm(null, client, reader),
});

/** A coach's page for a session, without a connection; `stored` is what arrives. */
function page(initial = written(), isOver = false) {
  const stored: WrittenSession[] = [];
  const line = offlineSync(sessionKind, (value) => {
    stored.push(value);
    return { id: value.id, state: 'completed' as const };
  });
  const open = () => {
    const store = createClosingStore(
      { openSync: () => line.sync, now: () => Date.parse(NOW) },
      initial,
      isOver,
    );
    store.open();
    return store;
  };
  return { ...line, stored, open, store: open() };
}

test('What a coach types is kept at once, survives a reload and isn’t sent', async () => {
  const { store, open, arrive, stored } = page();
  store.change({ summary: 'We looked at March.', note: 'Tired.' });
  expect(store.$isDraft.get()).toBe(true);
  const later = open();
  expect(later.$form.get()).toMatchObject({ summary: 'We looked at March.', note: 'Tired.' });
  await arrive();
  expect(stored).toEqual([]);
});

test('A session that’s saved offline arrives once, and nothing of it stays here', async () => {
  const { store, arrive, stored, sync } = page();
  store.change({ summary: 'We looked at March.', note: 'Tired.' });
  expect(store.save()).toEqual([]);
  await settle();
  expect(store.$isDraft.get()).toBe(false);
  expect(store.$item.get()?.status.name).toBe('offline');
  await arrive();
  expect(stored.map(({ form }) => form.note)).toEqual(['Tired.']);
  expect(store.$isStored.get()).toBe(true);
  expect(sync.$unsent.get()).toEqual([]);
});

test('What the server refuses is shown, and can be corrected and saved again', async () => {
  const { store, refuse, arrive, stored } = page();
  store.change({ summary: 'We looked at March.' });
  store.save();
  await refuse('You have another session then.');
  expect(store.$item.get()?.status).toEqual({
    name: 'refused',
    reason: 'You have another session then.',
  });
  expect(store.$isDraft.get()).toBe(false);
  store.change({ next: null, minutes: 30 });
  expect(store.$isDraft.get()).toBe(true);
  store.save();
  await arrive();
  expect(stored.map(({ form }) => form.minutes)).toEqual([30]);
});

test('Without a summary it isn’t saved, unless the owner didn’t come', () => {
  const { store } = page();
  store.change({ note: 'Only for me' });
  expect(store.save()).toEqual(['summary']);
  expect(store.$isDraft.get()).toBe(true);
  store.change({ outcome: 'no_show' });
  expect(store.save()).toEqual([]);
});

test('Back at the start, or starting over, keeps nothing', () => {
  const { store, sync } = page();
  store.change({ summary: 'x' });
  store.change({ summary: '' });
  expect(sync.$unsent.get()).toEqual([]);
  store.change({ summary: 'x' });
  store.discard();
  expect(store.$form.get().summary).toBe('');
  expect(sync.$unsent.get()).toEqual([]);
});

test('An unplanned session starts from how they met last, and the next from this one', () => {
  const { form } = written();
  expect(form).toMatchObject({ day: '2026-11-24', time: '13:45', minutes: 45, kind: 'phone' });
  const next = startOfNext(form, client, 2, '2026-11-24');
  expect(next).toMatchObject({ day: '2026-12-08', time: '13:45', place: '505 555 0114' });
});

test('What’s stored leaves out blank actions and figures, and what a missed session can’t have', () => {
  const { form } = written();
  const full = {
    ...form,
    topics: ['operations-workflows'],
    summary: ' Done. ',
    actions: [...form.actions, { id: 'a2', body: ' Call ', doer: 'coach' as const, due_on: '' }],
    figures: { ...blankFigures('USD'), revenue: '48,600' },
  };
  const closed = closedSessionOf(full, DENVER);
  expect(closed).toMatchObject({
    starts_at: '2026-11-24T20:45:00.000Z',
    summary: 'Done.',
    actions: [{ id: 'a2', body: 'Call', due_on: null, area_key: 'operations-workflows' }],
    figures: { revenue_minor: 4_860_000, full_time: null, currency: 'USD' },
  });
  const missed = closedSessionOf({ ...full, outcome: 'no_show' }, DENVER);
  expect(missed).toMatchObject({ topics: [], figures: null });
  expect(closedSessionOf({ ...full, figures: blankFigures('USD') }, DENVER).figures).toBeNull();
});

test('Problems are found before anything is sent', () => {
  const { form } = written();
  const now = Date.parse(NOW);
  const found = (part: Partial<typeof form>) =>
    Object.keys(sessionProblems({ ...form, summary: 'x', ...part }, DENVER, now));
  expect(found({})).toEqual([]);
  expect(found({ day: '2026-11-25' })).toEqual(['day']);
  expect(found({ summary: 'x'.repeat(1001) })).toEqual(['summary']);
  expect(found({ figures: { ...blankFigures('USD'), revenue: 'lots' } })).toEqual([
    'figures.revenue',
  ]);
  const next = startOfNext(form, client, 1, '2026-11-24');
  expect(found({ next: { ...next, day: '2026-11-20' } })).toEqual(['next.day']);
  expect(found({ next: { ...next, kind: 'in_person', place: '' } })).toEqual(['next.place']);
  expect(found({ next: { ...next, day: '', time: '' } })).toEqual(['next.day', 'next.time']);
});

test('Once the coaching has ended, only the session itself is sent, whatever was typed before', async () => {
  const { arrive, stored, store } = page(
    {
      ...written(),
      form: { ...written().form, next: startOfNext(written().form, client, 1, '2026-11-24') },
    },
    true,
  );
  store.change({ summary: 'We looked at March.' });
  expect(store.save()).toEqual([]);
  await arrive();
  expect(stored).toMatchObject([
    { form: { summary: 'We looked at March.', actions: [], figures: null, next: null } },
  ]);
});
