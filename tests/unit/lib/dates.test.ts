import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  calendarDayText,
  dayOf,
  daysBetween,
  dayText,
  dueDayText,
  dueText,
  instantOf,
  momentText,
  nearDayText,
  recentDayText,
  sessionText,
  shortCalendarDayText,
  shortDayText,
  soonText,
  startText,
  timeOf,
  timeText,
  today,
  weekdayText,
  zonedTimeText,
} from '#lib/locale/dates.ts';

describe('A moment', () => {
  const late = '2026-11-21T04:30:00Z';

  test('is on the day of its reader: late in Denver it is tomorrow in Tokyo', () => {
    expect(dayOf(late, 'America/Denver')).toBe('2026-11-20');
    expect(dayOf(late, 'Asia/Tokyo')).toBe('2026-11-21');
    expect(shortDayText(late, 'America/Denver')).toBe('Nov 20, 2026');
    expect(dayText(late, 'America/Denver')).toBe('November 20, 2026');
  });

  test('is in UTC where the zone is not known here', () => {
    expect(dayOf(late, 'No/Such_Place')).toBe('2026-11-21');
    expect(momentText(late, 'No/Such_Place')).toBe('Nov 21, 2026, 4:30 AM');
  });

  test.each([
    // Two zones that are 24 hours apart, one at UTC+5:45, and Denver.
    ['Pacific/Pago_Pago', 'Dec 31, 2025, 11:30 PM', '11:30 PM GMT-11', '2025-12-31'],
    ['Pacific/Apia', 'Jan 1, 2026, 11:30 PM', '11:30 PM GMT+13', '2026-01-01'],
    ['Asia/Kathmandu', 'Jan 1, 2026, 4:15 PM', '4:15 PM GMT+5:45', '2026-01-01'],
    ['America/Denver', 'Jan 1, 2026, 3:30 AM', '3:30 AM MST', '2026-01-01'],
  ])('is read on the clock of %s', (zone, moment, time, day) => {
    const iso = '2026-01-01T10:30:00Z';
    expect(momentText(iso, zone)).toBe(moment);
    expect(zonedTimeText(iso, zone)).toBe(time);
    expect(timeText(iso, zone)).toBe(time.replace(/ \S+$/, ''));
    expect(today(zone, new Date(iso))).toBe(day);
  });

  // Denver's clocks went from 1:59 to 3:00 AM on March 8, and from 1:59 to 1:00 AM on November 1.
  test.each([
    ['2026-03-08T08:59:00Z', '1:59 AM MST'],
    ['2026-03-08T09:00:00Z', '3:00 AM MDT'],
    ['2026-11-01T07:59:00Z', '1:59 AM MDT'],
    ['2026-11-01T08:00:00Z', '1:00 AM MST'],
  ])('follows the clock when it changes: %s', (iso, time) => {
    expect(zonedTimeText(iso, 'America/Denver')).toBe(time);
  });

  test('is on one day through a day of 25 hours', () => {
    const days = ['2026-11-01T06:00:00Z', '2026-11-02T06:59:59Z', '2026-11-02T07:00:00Z'];
    expect(days.map((iso) => dayOf(iso, 'America/Denver'))).toEqual([
      '2026-11-01',
      '2026-11-01',
      '2026-11-02',
    ]);
  });

  test('has its year where that is another one there', () => {
    const eve = '2026-01-01T02:00:00Z';
    const now = new Date('2026-06-01T12:00:00Z');
    expect(weekdayText(eve, 'America/Denver', now)).toBe('Wednesday, December 31, 2025');
    expect(weekdayText(eve, 'Asia/Kolkata', now)).toBe('Thursday, January 1');
  });

  test('was today, yesterday or on a weekday, where its reader is', () => {
    const read = (zone: string) => recentDayText(late, zone, '2026-11-21');
    expect(read('Asia/Tokyo')).toBe('Today');
    expect(read('America/Denver')).toBe('Yesterday');
    expect(recentDayText(late, 'America/Denver', '2026-11-24')).toBe('Friday');
    expect(recentDayText(late, 'America/Denver', '2026-12-24')).toBe('November 20, 2026');
  });
});

describe('A planned time', () => {
  const DENVER = 'America/Denver';

  test.each([
    ['an ordinary day', '2026-11-24', '14:30', DENVER, '2026-11-24T21:30:00.000Z'],
    ['a day east of Greenwich', '2026-11-24', '00:30', 'Asia/Tokyo', '2026-11-23T15:30:00.000Z'],
    ['the day clocks go forward', '2026-03-08', '12:00', DENVER, '2026-03-08T18:00:00.000Z'],
    ['a time that’s skipped', '2026-03-08', '02:30', DENVER, '2026-03-08T09:30:00.000Z'],
    ['the day clocks go back', '2026-11-01', '12:00', DENVER, '2026-11-01T19:00:00.000Z'],
    ['a time that’s there twice', '2026-11-01', '01:30', DENVER, '2026-11-01T07:30:00.000Z'],
    ['skipped in Berlin', '2026-03-29', '02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ])('is the instant when the clock shows it: %s', (_, day, time, timeZone, instant) => {
    expect(instantOf(day, time, timeZone)).toBe(instant);
  });

  test('is shown as it was typed, in any zone, unless the clock skips it', () => {
    const zones = [DENVER, 'Europe/Berlin', 'Pacific/Auckland', 'Asia/Kolkata', 'UTC'];
    const minute = 60_000;
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2025, 0) / minute, max: Date.UTC(2027, 11) / minute }),
        fc.constantFrom(...zones),
        (minutes, timeZone) => {
          // An instant, so the clock shows this time at least once.
          const iso = new Date(minutes * minute).toISOString();
          const [day, time] = [dayOf(iso, timeZone), timeOf(iso, timeZone)];
          const found = instantOf(day, time, timeZone);
          expect([dayOf(found, timeZone), timeOf(found, timeZone)]).toEqual([day, time]);
        },
      ),
    );
  });

  test('is told by its day as long as that is near', () => {
    const say = (iso: string) => sessionText(iso, DENVER, '2026-11-24');
    expect(say('2026-11-24T21:00:00Z')).toBe('Today, 2:00 PM');
    expect(say('2026-11-25T21:00:00Z')).toBe('Tomorrow, 2:00 PM');
    expect(say('2026-11-23T21:00:00Z')).toBe('Yesterday, 2:00 PM');
    expect(say('2026-12-08T21:00:00Z')).toBe('Tue, Dec 8, 2:00 PM');
    expect(say('2027-01-05T21:00:00Z')).toBe('Tue, Jan 5, 2027, 2:00 PM');
    const start = (iso: string) => startText(iso, DENVER, '2026-11-24T18:00:00Z');
    expect(start('2026-11-24T21:00:00Z')).toBe('today at 2:00 PM');
    expect(start('2026-11-25T21:00:00Z')).toBe('tomorrow at 2:00 PM');
    expect(start('2026-11-26T01:00:00Z')).toBe('tomorrow at 6:00 PM');
    expect(start('2026-11-23T21:00:00Z')).toBe('yesterday at 2:00 PM');
    expect(start('2026-11-29T21:00:00Z')).toBe('Sunday at 2:00 PM');
    expect(start('2026-12-01T21:00:00Z')).toBe('Tuesday, December 1 at 2:00 PM');
    expect(start('2027-01-05T21:00:00Z')).toBe('Tuesday, January 5, 2027 at 2:00 PM');
    const near = (iso: string) => soonText(iso, DENVER, '2026-11-24');
    expect(near('2026-11-25T00:00:00Z')).toBe('today');
    expect(near('2026-11-26T00:00:00Z')).toBe('tomorrow');
    expect(near('2026-11-29T00:00:00Z')).toBe('Sat');
    expect(near('2026-12-08T21:00:00Z')).toBe('Dec 8');
  });
});

describe('A calendar day', () => {
  test('is the same day wherever it is read', () => {
    expect(calendarDayText('2025-11-04')).toBe('November 4, 2025');
    expect(calendarDayText('2026-01-01')).toBe('January 1, 2026');
    expect(shortCalendarDayText('2026-01-01')).toBe('Jan 1, 2026');
    expect(nearDayText('2026-11-28', '2026-11-21')).toBe('Nov 28');
    expect(nearDayText('2027-01-02', '2026-11-21')).toBe('Jan 2, 2027');
  });

  test('added and counted back is the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: -900, max: 900 }), (days) => {
        expect(daysBetween('2026-11-21', addDays('2026-11-21', days))).toBe(days);
      }),
    );
  });

  test('is far away in words', () => {
    const words = [-3, -1, 0, 1, 12].map((days) =>
      dueText(addDays('2026-11-21', days), '2026-11-21'),
    );
    expect(words).toEqual(['3 days ago', 'yesterday', 'today', 'tomorrow', 'in 12 days']);
  });

  test('has its weekday or date, with how far away it is', () => {
    const words = [-20, -3, -1, 0, 1, 3, 6, 7, 50].map((days) =>
      dueDayText(addDays('2026-11-21', days), '2026-11-21'),
    );
    expect(words).toEqual([
      'November 1, 20 days ago',
      'Wednesday, 3 days ago',
      'yesterday',
      'today',
      'tomorrow',
      'Tuesday, in 3 days',
      'Friday, in 6 days',
      'November 28, in 7 days',
      'January 10, 2027, in 50 days',
    ]);
  });

  test.each([
    ['Pacific/Pago_Pago', '2026-11-22T10:59:59Z', 'today'],
    ['Pacific/Pago_Pago', '2026-11-22T11:00:00Z', 'yesterday'],
    ['Pacific/Apia', '2026-11-21T10:59:59Z', 'today'],
    ['Pacific/Apia', '2026-11-21T11:00:00Z', 'yesterday'],
  ])('is overdue from midnight on in %s, not from that of UTC: %s', (zone, now, words) => {
    expect(dueText('2026-11-21', today(zone, new Date(now)))).toBe(words);
  });
});
