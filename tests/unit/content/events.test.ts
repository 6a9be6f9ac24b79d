import { describe, expect, test } from 'vitest';
import {
  byEvent,
  calendarOf,
  type HeldEvent,
  heldOnce,
  rhythmWords,
  upcoming,
  whenParts,
  whenWords,
} from '#lib/content/events.ts';
import type { Site } from '#lib/content/site.ts';

const DENVER = 'America/Denver';
const NOW = new Date('2026-11-21T12:00:00Z');

const event = (
  id: string,
  starts_at: string,
  over: Partial<HeldEvent['data']> = {},
): HeldEvent => ({
  id,
  data: {
    title: `About ${id}`,
    description: 'Bring last month; leave with a plan, or two.',
    starts_at,
    time_zone: DENVER,
    minutes: 90,
    place: { name: 'Library', address: '9 Example Street, Farmington', online: false },
    ...over,
  },
});
const monthly = event('workshop', '2026-01-13T17:30', {
  repeats: { every: 'month', week: 2, weekday: 'tuesday' },
});
const talk = event('talk', '2027-01-21T17:30');
const long_ago = event('website', '2025-09-18T16:00');

describe('What comes next', () => {
  test('is a year of it, the next one first, each with its event', () => {
    const times = upcoming([talk, monthly, long_ago], NOW);
    expect(times.slice(0, 3).map(({ event: { id }, start }) => [id, start.toISOString()])).toEqual([
      ['workshop', '2026-12-09T00:30:00.000Z'],
      ['workshop', '2027-01-13T00:30:00.000Z'],
      ['talk', '2027-01-22T00:30:00.000Z'],
    ]);
    expect(times).toHaveLength(13);
  });

  test('What was held once is listed latest first, and what repeats is not in it', () => {
    expect(heldOnce([long_ago, monthly, talk]).map(({ event: { id } }) => id)).toEqual([
      'talk',
      'website',
    ]);
  });
});

test('What repeats is one row, where its next date is', () => {
  const rows = byEvent(upcoming([talk, monthly], NOW));
  expect(rows.map((dates) => [dates[0]?.event.id, dates.length])).toEqual([
    ['workshop', 12],
    ['talk', 1],
  ]);
});

describe('When it is, in words', () => {
  const words = (starts: string) => {
    const [once] = heldOnce([event('one', starts)]);
    return once && whenWords(once, DENVER, NOW).replaceAll('\u00a0', ' ');
  };

  test('The zone has the name that it has on that day', () => {
    expect(words('2026-12-08T17:30')).toBe('Tuesday, December 8, 5:30 to 7:00 PM MST');
    expect(words('2026-06-11T17:00')).toBe('Thursday, June 11, 5:00 to 6:30 PM MDT');
  });

  test('Its parts are there to show apart, with the half of the day once if it’s the same', () => {
    const parts = (start: string, end: string) =>
      whenParts({ start: new Date(start), end: new Date(end) }, DENVER, NOW);
    expect(parts('2026-12-09T00:30:00Z', '2026-12-09T02:30:00Z')).toEqual({
      weekday: 'Tuesday',
      date: 'December 8',
      tile: ['Dec', '8'],
      time: '5:30\u00a0to\u00a07:30\u00a0PM\u00a0MST',
    });
    const across = parts('2027-01-22T18:00:00Z', '2027-01-22T19:30:00Z');
    expect(across.time).toBe('11:00\u00a0AM\u00a0to\u00a012:30\u00a0PM\u00a0MST');
    expect(across.tile).toEqual(['Jan', '22', '2027']);
  });

  test('Another year is named', () => {
    expect(words('2027-01-21T17:30')).toContain('January 21, 2027,');
    expect(words('2025-09-18T16:00')).toContain('September 18, 2025,');
  });

  test('What repeats says when, and what does not says nothing', () => {
    expect(rhythmWords(monthly.data)).toBe('Second Tuesday of each month');
    expect(rhythmWords(talk.data)).toBeNull();
  });
});

describe('A calendar to subscribe to', () => {
  const site = {
    product: 'Sprout',
    organisation: 'Sprout Coaching',
    url: 'https://sprout.example',
  } as Site;
  // tests/site/machines.test.ts checks the links in the built calendars.
  test('names each time so that it stays when it is read again, in UTC, with its place', () => {
    const calendar = calendarOf('Events', upcoming([talk, monthly], NOW), site);
    // Unfold long lines (RFC 5545, 3.1).
    const lines = calendar.replace(/\r\n[ \t]/g, '').split('\r\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'UID:talk-2027-01-22@sprout.example',
        'DTSTAMP:20270122T003000Z',
        'DTSTART:20270122T003000Z',
        'DTEND:20270122T020000Z',
        'LOCATION:Library\\, 9 Example Street\\, Farmington',
        'DESCRIPTION:Bring last month\\; leave with a plan\\, or two.',
      ]),
    );
  });
});
