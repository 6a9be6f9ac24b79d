import * as fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';

const NOW = new Date('2026-11-21T12:00:00Z');
/** One that changes twice a year, by half an hour, around Ramadan, by 24 hours, and never. */
const ZONES = [
  'America/Denver',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Asia/Kolkata',
];

const fresh = async () => {
  vi.resetModules();
  return import('#lib/locale/zone-offsets.ts');
};

/** The time on the clock of a zone, as Intl knows it. */
const clock = (instant: number, timeZone: string) =>
  new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(
    instant,
  );

const shifted = (instant: number, offset: number) =>
  new Date(instant + offset).toISOString().slice(0, 19).replace('T', ' ');

/** Adds the offsets to the page, as its server does; returns the module as its browser loads it. */
async function openPage(timeZone: string) {
  const { offsetsText } = await fresh();
  const meta = { content: offsetsText(timeZone, NOW) };
  vi.stubGlobal('document', { querySelector: () => meta });
  return fresh();
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('The offsets of a zone', () => {
  test.each(ZONES)('that came with the page are those of Intl: %s', async (zone) => {
    const { offsetAt } = await openPage(zone);
    const start = Date.UTC(2020, 0);
    const end = Date.UTC(2032, 0);
    fc.assert(
      fc.property(fc.integer({ min: start / 1_000, max: end / 1_000 }), (second) => {
        const instant = second * 1_000;
        expect(shifted(instant, offsetAt(instant, zone))).toBe(clock(instant, zone));
      }),
    );
  });

  test('change on the very minute', async () => {
    const { offsetAt } = await openPage('America/Denver');
    const spring = Date.parse('2026-03-08T09:00:00Z');
    expect(offsetAt(spring - 1, 'America/Denver')).toBe(-7 * 3_600_000);
    expect(offsetAt(spring, 'America/Denver')).toBe(-6 * 3_600_000);
  });

  test('that came with the page are used without asking Intl', async () => {
    const { offsetAt } = await openPage('America/Denver');
    const asked = vi.spyOn(Intl, 'DateTimeFormat');
    offsetAt(NOW.getTime(), 'America/Denver');
    offsetAt(NOW.getTime(), 'UTC');
    expect(asked).not.toHaveBeenCalled();
  });

  test('of another zone than the page’s come from Intl', async () => {
    const { offsetAt } = await openPage('America/Denver');
    expect(offsetAt(NOW.getTime(), 'Asia/Kolkata')).toBe(5.5 * 3_600_000);
    expect(offsetAt(NOW.getTime(), 'No/Such_Place')).toBe(0);
  });

  test('are short', async () => {
    const { offsetsText } = await fresh();
    expect(offsetsText('UTC', NOW)).toBe('UTC');
    expect(offsetsText('America/Denver', NOW).length).toBeLessThan(160);
  });
});
