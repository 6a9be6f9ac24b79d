import { expect, test } from 'vitest';
import {
  awayText,
  engagementFilter,
  fitReasons,
  hoursText,
  loadText,
  type StepEvent,
  stepText,
} from '#domain/admin-coaching.ts';

const step = (event: Partial<StepEvent>): string =>
  stepText({
    kind: 'state_changed',
    from_state: null,
    to_state: null,
    coach: null,
    from_coach: null,
    why: null,
    shared: null,
    ...event,
  });

test('The list shows open coaching, what’s due first, until something else is chosen', () => {
  const read = (query: string) => engagementFilter.read(new URLSearchParams(query));
  expect(read('')).toMatchObject({
    state: 'open',
    late: null,
    show: null,
    sort: 'due',
  });
  expect(engagementFilter.write(read('?state=requested'))).toBe('?state=requested');
  expect(engagementFilter.write(read('?late=1'))).toBe('?late=1');
  expect(engagementFilter.write(read('?late=yes&show=all&state=none'))).toBe('');
});

test('Each step reads as one line that names who it’s about', () => {
  expect(step({ kind: 'requested', to_state: 'requested' })).toBe('Asked for a coach');
  expect(step({ to_state: 'assigned', coach: 'Maria' })).toBe('Maria was asked to coach');
  expect(
    step({
      from_state: 'assigned',
      to_state: 'requested',
      from_coach: 'Maria',
      why: 'lapsed',
    }),
  ).toBe('Maria didn’t answer in time: back to finding a coach');
  expect(
    step({
      from_state: 'assigned',
      to_state: 'requested',
      from_coach: 'Maria',
      why: 'declined',
    }),
  ).toBe('Maria declined: back to finding a coach');
  expect(step({ from_state: 'unreachable', to_state: 'accepted', coach: 'Maria' })).toBe(
    'The owner replied: reopened',
  );
  expect(step({ from_state: 'paused', to_state: 'active' })).toBe('Resumed');
  expect(step({ from_state: 'completed', to_state: 'active' })).toBe('Reopened');
  expect(step({ kind: 'coach_changed', coach: 'Jo', from_coach: 'Maria' })).toBe(
    'Jo took over from Maria',
  );
  expect(step({ kind: 'coach_changed', coach: 'Jo' })).toBe('Jo took over from the coach before');
  expect(step({ kind: 'sharing_changed', shared: false })).toBe('Results no longer shared');
});

test('Someone who’s away is told by why and until when', () => {
  const day = (date: string) => `(${date})`;
  expect(awayText({ why: 'time_off', until: '2026-12-04' }, day)).toBe(
    'is away until (2026-12-04)',
  );
  expect(awayText({ why: 'paused', until: '2026-12-04' }, day)).toBe(
    'takes no new clients until (2026-12-04)',
  );
  expect(awayText({ why: 'leaving', until: null }, day)).toBe('hands over their clients');
});

test('A suggestion gives only the reasons there are', () => {
  expect(
    fitReasons({
      areas: ['Cash flow', 'Sales'],
      industry: 'Media',
      languages: ['Spanish'],
      hours: 0,
    }),
  ).toEqual([
    'Good at Cash flow, Sales',
    'Knows the industry: Media',
    'Also speaks Spanish',
    'In the same time zone',
  ]);
  expect(fitReasons({ areas: [], industry: null, languages: [], hours: 1 })).toEqual([
    '1 hour apart by time zone',
  ]);
  expect(fitReasons({ areas: [], industry: null, languages: [], hours: null })).toEqual([]);
});

test('How long something lasts is said in one unit', () => {
  expect([0.4, 1, 30, 40, 24 * 20, 24 * 35].map(hoursText)).toEqual([
    'less than an hour',
    '1 hour',
    '30 hours',
    '2 days',
    '20 days',
    '5 weeks',
  ]);
  expect([loadText(5, 8), loadText(1, null)]).toEqual(['5 of 8 clients', '1 client, no limit']);
});
