import { expect, test } from 'vitest';
import type { AdminEngagement, Match } from '#data/admin-engagement.ts';
import {
  isHandover,
  MESSAGE_LENGTH,
  messageFor,
  reasonFor,
} from '#features/admin/coaching/assignment.ts';
import { namesIn } from '#features/admin/coaching/names.ts';

const engagement: AdminEngagement['engagement'] = {
  id: '1',
  state: 'active',
  state_since: '2026-11-01T12:00:00Z',
  areas: ['sales-marketing'],
  note: null,
  results_shared: true,
  requested_at: '2026-10-01T12:00:00Z',
  assigned_at: '2026-10-02T12:00:00Z',
  accepted_at: '2026-10-03T12:00:00Z',
  active_at: '2026-10-10T12:00:00Z',
  resume_on: null,
  closed_at: null,
  closing_summary: null,
  referral: null,
  change_requested_at: null,
  change_reason: null,
  due_what: 'plan',
  due_at: '2026-12-01T12:00:00Z',
  late: false,
  can_reopen: false,
  business: { id: '2', name: 'Juniper Bakery', archived: false },
  owner: {
    id: '3',
    name: 'Rosa Delgado',
    languages: ['en', 'es'],
    time_zone: 'America/Denver',
  },
  coach: { id: '4', name: 'Maria Ortega', away: null },
};
const match: Match = {
  user_id: '5',
  name: 'Lena Brooks',
  areas: ['sales-marketing'],
  industry: null,
  languages: ['en', 'es'],
  hours: 0,
  capacity: 8,
  clients: 2,
  waiting: 0,
  room: 6,
  has_room: true,
  before: false,
  away: null,
};
const names = namesIn(
  { skill_areas: [{ key: 'sales-marketing', name: 'Sales and marketing' }] },
  { es: 'Spanish' },
);

test('Only a coach who has accepted hands something over', () => {
  expect(isHandover(engagement)).toBe(true);
  expect(isHandover({ ...engagement, state: 'assigned' })).toBe(false);
  expect(isHandover({ ...engagement, state: 'requested', coach: null })).toBe(false);
});

test('A suggestion brings its reason along, without English as a language in common', () => {
  expect(reasonFor(match, names)).toBe(
    'Good at Sales and marketing; also speaks Spanish; in the same time zone; has room.',
  );
  expect(reasonFor({ ...match, areas: [], languages: ['en'], hours: null }, names)).toBe(
    'Has room.',
  );
  expect(reasonFor(undefined, names)).toBe('');
});

test('The message greets the owner, names both coaches and fits into a notification', () => {
  const text = messageFor(engagement, match);
  expect(text).toMatch(/^Hi Rosa,\n\nLena Brooks is your coach from now on\./);
  expect(text).toContain('with Maria Ortega');
  expect(text.length).toBeLessThanOrEqual(MESSAGE_LENGTH);
  expect(messageFor({ ...engagement, owner: null, coach: null }, undefined)).toMatch(
    /^Hello,\n\nAnother coach is/,
  );
});
