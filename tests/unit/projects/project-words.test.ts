import { describe, expect, test } from 'vitest';
import { dueWords, moveWords } from '#features/projects/project-words.ts';

describe('How things are worded', () => {
  test('A day that has passed is late while there is something to do', () => {
    expect(dueWords('2026-11-18', '2026-11-21', true)).toEqual({
      text: 'Was due Nov 18',
      late: true,
    });
    expect(dueWords('2026-11-18', '2026-11-21', false).late).toBe(false);
    expect(dueWords('2026-11-21', '2026-11-21', true).text).toBe('Due today');
  });

  test('A step is called by where it comes from', () => {
    expect(moveWords('planned', 'in_progress')).toBe('Start');
    expect(moveWords('blocked', 'in_progress')).toBe('Go on');
    expect(moveWords('done', 'in_progress')).toBe('Take up again');
  });
});
