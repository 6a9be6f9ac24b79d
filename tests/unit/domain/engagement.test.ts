import { describe, expect, test } from 'vitest';
import { unreachableProgress } from '#domain/engagement-text.ts';

const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T17:00:00Z`;
const tried = (...days: number[]) => days.map((day) => ({ at: at(day), reached: false }));

describe('Before giving up on an owner, a coach', () => {
  test('has tried three times over ten days', () => {
    const { attempts, days, isAllowed } = unreachableProgress(tried(1, 5, 11), at(1));
    expect([attempts, days, isAllowed]).toEqual([3, 10, true]);
  });

  test('sees how far they are', () => {
    expect(unreachableProgress([], at(1))).toEqual({ attempts: 0, days: 0, isAllowed: false });
    expect(unreachableProgress(tried(2, 6), at(1))).toMatchObject({ attempts: 2, days: 4 });
    expect(unreachableProgress(tried(2, 3, 4), at(1)).isAllowed).toBe(false);
    expect(unreachableProgress(tried(2, 20), at(1)).isAllowed).toBe(false);
  });

  test('starts again once the owner answered, and doesn’t count what was before', () => {
    const contacts = [...tried(1, 5), { at: at(8), reached: true }, ...tried(9)];
    expect(unreachableProgress(contacts, at(1))).toMatchObject({ attempts: 1, days: 0 });
    expect(unreachableProgress(tried(1, 5, 12), at(4))).toMatchObject({ attempts: 2, days: 7 });
  });
});
