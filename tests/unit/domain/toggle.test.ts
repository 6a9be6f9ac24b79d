import { expect, test } from 'vitest';
import { visitorToggles } from '#data/toggles.ts';
import { audienceText, toggleFilter } from '#domain/admin-toggles.ts';
import { isOn, TOGGLES, type Toggle } from '#domain/toggle.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';

test('A toggle is on if the person has it, and by default while toggles can’t be read', () => {
  for (const key of Object.keys(TOGGLES) as Toggle[]) {
    expect(isOn([key], key)).toBe(true);
    expect(isOn([], key)).toBe(false);
    expect(isOn(null, key)).toBe(TOGGLES[key].default);
  }
});

test('While the database is away, visitors get the defaults', async () => {
  for (const rpc of [
    async () => ({ data: null, error: { message: 'No database', code: '' }, status: 503 }),
    async () => Promise.reject(new TypeError('fetch failed')),
  ]) {
    expect(await visitorToggles(dbAnswering({ rpc }))).toBeNull();
  }
});

test('An audience reads as words', () => {
  const none = { roles: [], percentage: null };
  expect(audienceText({ ...none, audience: 'off' })).toBe('Off');
  expect(audienceText({ ...none, audience: 'everyone' })).toBe('Everyone');
  expect(audienceText({ ...none, audience: 'percentage', percentage: 25 })).toBe('25% of people');
  expect(audienceText({ ...none, audience: 'roles', roles: ['coach', 'owner'] })).toBe(
    'Owners and coaches',
  );
});

test('The overview’s list is a filter of the toggles', () => {
  expect(toggleFilter.read(new URLSearchParams('state=review')).state).toBe('review');
});
