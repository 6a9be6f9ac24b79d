import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { suggestedTimes, weeksLater } from '#features/coaching/coach/suggested-times.ts';
import { addDays } from '#lib/locale/dates.ts';

const weekday = (day: string) => new Date(`${day}T00:00Z`).getUTCDay();

test('Times to offer are on three different weekdays, from the day after tomorrow on', () => {
  expect(suggestedTimes('2026-11-25', [])).toEqual([
    { day: '2026-11-27', time: '10:00' },
    { day: '2026-11-30', time: '14:00' },
    { day: '2026-12-02', time: '10:00' },
  ]);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3000 }), (days) => {
      const today = addDays('2026-01-01', days);
      const all = suggestedTimes(today, []).map(({ day }) => day);
      expect(new Set(all).size).toBe(3);
      expect(all.toSorted()).toEqual(all);
      for (const day of all) {
        expect(day >= addDays(today, 2)).toBe(true);
        expect([1, 2, 3, 4, 5]).toContain(weekday(day));
      }
    }),
  );
});

test('The next session is on the same weekday, and never in the past', () => {
  const last = { day: '2026-11-24', time: '14:30' };
  expect(weeksLater(last, 2, '2026-11-24', [])).toEqual({ day: '2026-12-08', time: '14:30' });
  // Written up late: still a Tuesday, but one that's ahead.
  expect(weeksLater(last, 1, '2026-12-10', [])).toEqual({ day: '2026-12-15', time: '14:30' });
});

test('Nothing is suggested on a holiday', () => {
  // Thanksgiving, and a Friday that some organizations add.
  expect(suggestedTimes('2026-11-23', ['2026-11-26', '2026-11-27'])).toEqual([
    { day: '2026-11-25', time: '10:00' },
    { day: '2026-11-30', time: '14:00' },
    { day: '2026-12-02', time: '10:00' },
  ]);
  const last = { day: '2026-11-19', time: '14:30' };
  expect(weeksLater(last, 1, '2026-11-20', ['2026-11-26', '2026-11-27'])).toEqual({
    day: '2026-11-30',
    time: '14:30',
  });
});
