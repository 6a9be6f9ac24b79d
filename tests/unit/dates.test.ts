import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, dayOf, daysBetween, dueText, shortDayText } from '#lib/dates.ts';

describe('Days', () => {
  test('are those of the reader: late in Denver it is tomorrow in Tokyo', () => {
    const late = '2026-11-21T04:30:00Z';
    expect(dayOf(late, 'America/Denver')).toBe('2026-11-20');
    expect(dayOf(late, 'Asia/Tokyo')).toBe('2026-11-21');
    expect(dayOf(late, 'No/Such_Place')).toBe('2026-11-21');
    expect(shortDayText(late, 'America/Denver')).toBe('Nov 20, 2026');
  });

  test('are counted through the change of the clock and a leap year', () => {
    expect(addDays('2026-10-20', 30)).toBe('2026-11-19');
    expect(addDays('2028-02-28', 2)).toBe('2028-03-01');
    expect(daysBetween('2026-10-31', '2026-11-02')).toBe(2);
  });

  test('added and counted back are the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: -900, max: 900 }), (days) => {
        expect(daysBetween('2026-11-21', addDays('2026-11-21', days))).toBe(days);
      }),
    );
  });

  test('are far away in words', () => {
    const words = [-3, -1, 0, 1, 12].map((days) =>
      dueText(addDays('2026-11-21', days), '2026-11-21'),
    );
    expect(words).toEqual(['3 days ago', 'yesterday', 'today', 'tomorrow', 'in 12 days']);
  });
});
