import { describe, expect, test } from 'vitest';
import { comingDates, type EventFile } from '#backend/local/seed-events.ts';
import { mapOf } from '#lib/content/events.ts';
import { occasionOf } from '#lib/content/occurrences.ts';
import { placeCalendar } from '#lib/content/place-calendar.ts';
import type { Site } from '#lib/content/site.ts';

const NOW = new Date('2026-11-25T12:00:00Z');
const workshop: EventFile = {
  slug: 'workshop',
  title: 'A workshop',
  starts_at: '2026-01-31T23:30',
  time_zone: 'America/Denver',
  minutes: 60,
  place: { name: 'Library', address: '9 Example Street' },
  places: 12,
};
const monthly: EventFile = {
  ...workshop,
  starts_at: '2026-01-13T17:30',
  repeats: { every: 'month', week: 2, weekday: 'tuesday' },
};

describe('The dates of events that people can take places at', () => {
  test('are those that haven’t begun, for more than a year, each with its month', () => {
    const dates = comingDates([monthly], NOW);
    expect(dates).toHaveLength(13);
    expect(dates[0]).toEqual({
      slug: 'workshop',
      occasion: '2026-12',
      title: 'A workshop',
      starts_at: '2026-12-09T00:30:00.000Z',
      minutes: 60,
      time_zone: 'America/Denver',
      place: 'Library, 9 Example Street',
      address: '9 Example Street',
      online_link: null,
      places: 12,
      canceled: false,
    });
  });

  test('don’t include one under way, one that’s over, or an event without places', () => {
    const during = new Date('2026-12-09T01:00:00Z');
    expect(comingDates([monthly], during)[0]?.occasion).toBe('2027-01');
    expect(comingDates([workshop], NOW)).toEqual([]);
    const { places: _, ...without } = monthly;
    expect(comingDates([without], NOW)).toEqual([]);
  });

  test('have the month where the event is, and none if it’s held once', () => {
    // In UTC, it's already February.
    const start = new Date('2026-02-01T06:30:00Z');
    expect(occasionOf(monthly, { start, end: start })).toBe('2026-01');
    expect(occasionOf(workshop, { start, end: start })).toBe('');
    const far = comingDates([{ ...workshop, starts_at: '2031-01-15T12:00' }], NOW);
    expect(far).toMatchObject([{ occasion: '' }]);
  });
});

describe('Someone’s place', () => {
  const site = {
    product: 'Sprout',
    organisation: 'Sprout Coaching',
    url: 'https://sprout.example',
  } as Site;
  const held = {
    id: '01993c5e-7a4b-7c1d-9e2f-3a4b5c6d7e8f',
    slug: 'workshop',
    title: 'A workshop',
    starts_at: '2026-12-09T00:30:00Z',
    minutes: 60,
    place: 'Library, 9 Example Street',
    online_link: null,
    revision: 2,
    state: 'taken',
    event_state: 'planned',
  } as const;

  test('goes into a calendar once, under the same id as in the private feed', () => {
    const lines = placeCalendar(held, site).split('\r\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        `UID:place-${held.id}@sprout.example`,
        'SEQUENCE:2',
        'DTSTART:20261209T003000Z',
        'DTEND:20261209T013000Z',
        'LOCATION:Library\\, 9 Example Street',
        'STATUS:CONFIRMED',
      ]),
    );
  });

  test('is canceled there if it, or the event, is', () => {
    for (const off of [{ state: 'canceled' }, { event_state: 'canceled' }] as const) {
      expect(placeCalendar({ ...held, ...off }, site)).toContain('STATUS:CANCELLED');
    }
  });

  test('has a link to a map that keeps the address whole', () => {
    const link = new URL(mapOf('9 Example Street & Main #2, Farmington'));
    expect(link.searchParams.get('query')).toBe('9 Example Street & Main #2, Farmington');
  });
});
