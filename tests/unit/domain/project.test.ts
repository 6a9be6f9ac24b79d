import { expect, test } from 'vitest';
import { dueState, moveLabel } from '#domain/project.ts';

test('A day that has passed is late while there is something to do', () => {
  expect(dueState('2026-11-18', '2026-11-21', true)).toBe('late');
  expect(dueState('2026-11-18', '2026-11-21', false)).toBe('ahead');
  expect(dueState('2026-11-21', '2026-11-21', true)).toBe('today');
});

test('A step is called by where it comes from', () => {
  expect(moveLabel('planned', 'in_progress')).toBe('Start');
  expect(moveLabel('blocked', 'in_progress')).toBe('Continue');
  expect(moveLabel('done', 'in_progress')).toBe('Reopen');
});
