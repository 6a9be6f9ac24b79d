import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  browserTimeZone,
  timeZoneMeant,
  timeZoneOption,
  timeZoneOptions,
  timeZonesIn,
  timeZoneText,
} from '#lib/locale/time-zones.ts';

const WINTER = new Date('2026-11-22T12:00:00Z');
const SUMMER = new Date('2026-07-02T12:00:00Z');

describe('The time zone of a browser', () => {
  afterEach(() => vi.restoreAllMocks());
  const sayZone = (timeZone: unknown) => {
    const said = { ...Intl.DateTimeFormat().resolvedOptions(), timeZone };
    vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(said as never);
    return browserTimeZone();
  };

  test('is taken by the name it has today', () => {
    expect(sayZone('America/Denver')).toBe('America/Denver');
    expect(sayZone('Asia/Calcutta')).toBe('Asia/Kolkata');
  });

  test('may be missing', () => {
    for (const said of [undefined, '', 'Etc/Unknown', 'Mars/Olympus', '+05:30', 7]) {
      expect(sayZone(said), String(said)).toBeNull();
    }
  });
});

describe('The zones to choose from', () => {
  const labelOf = (zone: string, now: Date) =>
    timeZoneOptions(now).find(({ value }) => value === zone)?.label;

  test('Show how far each is from UTC now, also after the clock has changed', () => {
    expect(labelOf('America/Denver', WINTER)).toBe('Denver, Mountain Time (GMT-7)');
    expect(labelOf('America/Denver', SUMMER)).toBe('Denver, Mountain Time (GMT-6)');
    expect(labelOf('Asia/Kolkata', WINTER)).toBe('Kolkata, India Standard Time (GMT+5:30)');
    expect(labelOf('UTC', WINTER)).toBe('UTC (GMT+0)');
    expect(timeZoneOption('US/Mountain', WINTER).label).toContain('(GMT-7)');
  });

  test('Say what Intl says of each zone, with one format for each', () => {
    const offsetIn = (timeZone: string, now: Date) =>
      new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' })
        .formatToParts(now)
        .find(({ type }) => type === 'timeZoneName')
        ?.value.replace(/^GMT$/, 'GMT+0');
    for (const now of [WINTER, SUMMER]) {
      for (const { value, label } of timeZoneOptions(now)) {
        expect(label).toContain(`(${offsetIn(value, now)})`);
      }
    }
    const formats = vi.spyOn(Intl, 'DateTimeFormat');
    const { length } = timeZoneOptions(new Date('2027-01-02T12:00:00Z'));
    // A few more, to see whether this runtime knows a zone by its current name.
    expect(formats.mock.calls.length).toBeLessThan(length + 30);
    vi.restoreAllMocks();
  });

  test('Can be told apart, and have no name twice', () => {
    const options = timeZoneOptions(WINTER);
    expect(options.length).toBeGreaterThan(400);
    expect(new Set(options.map(({ label }) => label)).size).toBe(options.length);
    expect(new Set(options.map(({ value }) => value)).size).toBe(options.length);
  });

  test('Stay the same as text', () => {
    const options = timeZoneOptions(WINTER);
    expect(timeZonesIn(timeZoneText(options))).toEqual(options);
  });

  test('Are found by place, by name and by label, where only one is meant', () => {
    const meant = (typed: string) => timeZoneMeant(timeZoneOptions(WINTER), typed);
    expect(meant(' denver ')).toBe('America/Denver');
    expect(meant('Asia/Kolkata')).toBe('Asia/Kolkata');
    expect(meant('Denver, Mountain Time (GMT-7)')).toBe('America/Denver');
    expect(meant('Mountain Time')).toBeNull();
    expect(meant('Atlantis')).toBeNull();
    expect(meant('')).toBeNull();
  });
});
