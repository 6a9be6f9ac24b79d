import { expect, test } from 'vitest';
import { countVisit, VISIT_COOKIE, visitAt } from '#lib/last-visit.ts';

const MARIA = '01980000-0000-7000-8000-000000000001';
const NOON = 1_790_000_000;

test('What’s new stays new while someone is here, and the next visit begins where this one ended', () => {
  const first = visitAt(undefined, MARIA, NOON);
  expect(first.since).toBeNull();
  const reload = visitAt(first.cookie, MARIA, NOON + 60);
  expect(reload.since).toBeNull();
  const evening = visitAt(reload.cookie, MARIA, NOON + 20_000);
  expect(evening.since).toBe(NOON + 60);
  const again = visitAt(evening.cookie, MARIA, NOON + 20_100);
  expect(again.since).toBe(NOON + 60);
  expect(visitAt(again.cookie, MARIA, NOON + 90_000).since).toBe(NOON + 20_100);
});

test('Another person’s cookie, one from the future and one that was edited mean nothing', () => {
  const { cookie } = visitAt(undefined, MARIA, NOON);
  expect(visitAt(cookie, 'ruth', NOON + 20_000).since).toBeNull();
  expect(visitAt(cookie, MARIA, NOON - 20_000).since).toBeNull();
  for (const edited of ['', '...', `${MARIA}.x.y`, `${MARIA}.-1`, `${MARIA}.99999999999.1`]) {
    expect(visitAt(edited, MARIA, NOON).since).toBeNull();
  }
});

test('The cookie goes to signed-in pages only, and no script reads it', () => {
  const set: unknown[] = [];
  const cookies = {
    get: () => ({ value: `${MARIA}.${NOON}.` }),
    set: (...given: unknown[]) => void set.push(given),
  };
  const now = new Date((NOON + 7_200) * 1_000).toISOString();
  expect(countVisit(cookies, MARIA, now, true)).toBe(new Date(NOON * 1_000).toISOString());
  const options = { path: '/dashboard', httpOnly: true, sameSite: 'lax', secure: true };
  expect(set).toEqual([
    [VISIT_COOKIE, `${MARIA}.${NOON + 7_200}.${NOON}`, expect.objectContaining(options)],
  ]);
});
