import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  instantOf,
  occurrencesOf,
  type Recurring,
  type Weekday,
} from '#lib/content/occurrences.ts';

const DENVER = 'America/Denver';
const YEAR = 366 * 86_400_000;
const from = new Date('2026-01-01T00:00:00Z');
const until = new Date('2026-12-31T00:00:00Z');

const WEEKDAYS: Weekday[] = ['sunday', 'tuesday', 'wednesday', 'friday', 'saturday'];
/** Time zones with DST in either hemisphere, with a half-hour DST shift, and without DST. */
const ZONES = [
  DENVER,
  'America/Phoenix',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
];

const monthly = (over: Partial<Recurring> = {}): Recurring => ({
  starts_at: '2026-01-13T17:30',
  time_zone: DENVER,
  minutes: 120,
  repeats: { every: 'month', week: 2, weekday: 'tuesday' },
  ...over,
});

/** The local time in a zone, such as "2026-01-13T17:30", with the weekday and day of the month. */
function onTheWall(instant: Date, timeZone: string) {
  const [day = '', time = ''] = instant
    .toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .split(' ');
  const weekday = instant.toLocaleDateString('en-US', { timeZone, weekday: 'long' }).toLowerCase();
  return { clock: `${day}T${time}`, weekday, day: Number(day.slice(8)) };
}

const twoDigits = (number: number) => String(number).padStart(2, '0');
const anyEvent: fc.Arbitrary<Recurring> = fc
  .record({
    year: fc.integer({ min: 2024, max: 2027 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
    // Clocks change at night, so DST skips no daytime hour.
    hour: fc.integer({ min: 8, max: 20 }),
    minute: fc.integer({ min: 0, max: 59 }),
    minutes: fc.integer({ min: 15, max: 600 }),
    time_zone: fc.constantFrom(...ZONES),
    week: fc.integer({ min: 1, max: 4 }),
    weekday: fc.constantFrom(...WEEKDAYS),
  })
  .map(({ year, month, day, hour, minute, minutes, time_zone, week, weekday }) => ({
    starts_at: `${year}-${twoDigits(month)}-${twoDigits(day)}T${twoDigits(hour)}:${twoDigits(minute)}`,
    time_zone,
    minutes,
    repeats: { every: 'month', week, weekday },
  }));

describe('The clock of a place', () => {
  test('Half past five in Albuquerque is another instant in winter than in summer', () => {
    expect(instantOf('2026-01-13T17:30', DENVER).toISOString()).toBe('2026-01-14T00:30:00.000Z');
    expect(instantOf('2026-07-14T17:30', DENVER).toISOString()).toBe('2026-07-14T23:30:00.000Z');
  });

  test('A time that the clock skips in spring is the one an hour later', () => {
    const instant = instantOf('2026-03-08T02:30', DENVER);
    expect(onTheWall(instant, DENVER).clock).toBe('2026-03-08T03:30');
  });

  test('Of a time that the clock shows twice in autumn, the first is meant', () => {
    expect(instantOf('2026-11-01T01:30', DENVER).toISOString()).toBe('2026-11-01T07:30:00.000Z');
  });

  test('In any zone the clock on the wall shows the time that was written', () => {
    fc.assert(
      fc.property(anyEvent, ({ starts_at, time_zone }) => {
        expect(onTheWall(instantOf(starts_at, time_zone), time_zone).clock).toBe(starts_at);
      }),
    );
  });
});

describe('When something is held', () => {
  test('What is held once is held once, from its start for its minutes', () => {
    const once = monthly({ repeats: undefined });
    expect(occurrencesOf(once, from, until)).toEqual([
      { start: new Date('2026-01-14T00:30:00Z'), end: new Date('2026-01-14T02:30:00Z') },
    ]);
  });

  test('One that has begun and not ended is still shown, and one that has ended is not', () => {
    const at = (time: string) =>
      occurrencesOf(monthly({ repeats: undefined }), new Date(time), until);
    expect(at('2026-01-14T01:00:00Z')).toHaveLength(1);
    expect(at('2026-01-14T02:30:00Z')).toHaveLength(0);
  });

  test('It is held on its last day and not after it', () => {
    const last = (day: string) =>
      occurrencesOf(
        monthly({ repeats: { every: 'month', week: 2, weekday: 'tuesday', until: day } }),
        from,
        until,
      ).length;
    expect(last('2026-04-14')).toBe(4);
    expect(last('2026-04-13')).toBe(3);
  });

  test('An evening that is the next day in UTC is not lost at the end of a month', () => {
    // 11 PM on Friday, May 1, in Denver is Saturday in UTC.
    const friday = monthly({
      starts_at: '2026-01-02T23:00',
      repeats: { every: 'month', week: 1, weekday: 'friday' },
    });
    const held = occurrencesOf(
      friday,
      new Date('2026-05-01T00:00:00Z'),
      new Date('2026-05-03T00:00:00Z'),
    );
    expect(held.map(({ start }) => start.toISOString())).toEqual(['2026-05-02T05:00:00.000Z']);
  });

  test('Whatever repeats falls on its weekday, in its week, at its time, in order and never early', () => {
    fc.assert(
      fc.property(anyEvent, fc.integer({ min: 0, max: 900 }), (event, days) => {
        const begin = new Date(Date.UTC(2025, 0, 1) + days * 86_400_000);
        const end = new Date(begin.getTime() + YEAR);
        const held = occurrencesOf(event, begin, end);
        const time = event.starts_at.slice(11);
        for (const [index, occurrence] of held.entries()) {
          const wall = onTheWall(occurrence.start, event.time_zone);
          expect(wall.weekday).toBe(event.repeats?.weekday);
          expect(Math.ceil(wall.day / 7)).toBe(event.repeats?.week);
          expect(wall.clock.slice(11)).toBe(time);
          expect(wall.clock >= event.starts_at).toBe(true);
          expect(occurrence.end.getTime() - occurrence.start.getTime()).toBe(
            event.minutes * 60_000,
          );
          expect(occurrence.end > begin && occurrence.start < end).toBe(true);
          const before = held[index - 1];
          if (before) expect(occurrence.start > before.start).toBe(true);
        }
      }),
    );
  });

  test('A year has one in each month, none left out', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const begin = instantOf('2028-01-01T00:00', event.time_zone);
        const end = instantOf('2029-01-01T00:00', event.time_zone);
        const months = occurrencesOf(event, begin, end).map(({ start }) =>
          onTheWall(start, event.time_zone).clock.slice(5, 7),
        );
        expect(months).toEqual(Array.from({ length: 12 }, (_, month) => twoDigits(month + 1)));
      }),
    );
  });
});
