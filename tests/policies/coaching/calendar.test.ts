import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openWorld, undone } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql } = world;

interface Rules {
  time_zone: string;
  holidays: { date: string; name: string }[];
}
const rules: Rules = parse(
  await readFile(new URL('../../../content/coaching.yaml', import.meta.url), 'utf8'),
);
const holidays = new Set(rules.holidays.map(({ date }) => date));

// The same rules once more, by another way: day after day, with the time zones of this process.

const DAY = 86_400_000;
const iso = (at: Date) => at.toISOString().slice(0, 10);

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The date and hour of a moment in a time zone, `2026-11-01 17:00`. */
function localTime(at: Date, timeZone: string): string {
  const known = clocks.get(timeZone);
  const clock =
    known ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  clocks.set(timeZone, clock);
  return clock.format(at);
}

const nextDay = (day: string) => iso(new Date(Date.parse(day) + DAY));

const isBusinessDay = (day: string) =>
  ![0, 6].includes(new Date(day).getUTCDay()) && !holidays.has(day);

/** The moment at which clocks in a zone show 17:00 on a day. */
function dayEnd(day: string, timeZone: string): string {
  // No zone is more than 14 hours off.
  for (let quarters = -56; quarters <= 56; quarters += 1) {
    const at = new Date(Date.parse(`${day}T17:00:00Z`) + quarters * 900_000);
    if (localTime(at, timeZone) === `${day} 17:00`) return at.toISOString();
  }
  throw new Error(`There is no 17:00 on ${day} in ${timeZone}.`);
}

function businessDayEnd(from: Date, days: number, timeZone: string): string {
  let day = localTime(from, timeZone).slice(0, 10);
  for (let left = days; left > 0; ) {
    day = nextDay(day);
    if (isBusinessDay(day)) left -= 1;
  }
  return dayEnd(day, timeZone);
}

function businessDaysBetween(from: string, to: string): number {
  let count = 0;
  for (let day = from; day < to; ) {
    day = nextDay(day);
    if (isBusinessDay(day)) count += 1;
  }
  return count;
}

const askEnd = async (from: Date, days: number) => {
  const [row] = await sql`select private.business_day_end(${from}, ${days}) as at`;
  return new Date(row?.at).toISOString();
};

test.each([
  // From a Wednesday before Thanksgiving, over it and the weekend; and from the holiday itself.
  ['2026-11-25T16:00:00Z', 1, '2026-11-28T00:00:00.000Z'],
  ['2026-11-26T16:00:00Z', 1, '2026-11-28T00:00:00.000Z'],
  ['2026-11-25T16:00:00Z', 5, '2026-12-04T00:00:00.000Z'],
  // Late in the evening in Denver, it's already tomorrow in UTC.
  ['2026-12-02T05:30:00Z', 1, '2026-12-03T00:00:00.000Z'],
  // The clocks go back on November 1, 2026, and forward on March 14, 2027.
  ['2026-10-30T16:00:00Z', 1, '2026-11-03T00:00:00.000Z'],
  ['2026-10-29T16:00:00Z', 1, '2026-10-30T23:00:00.000Z'],
  ['2026-11-01T07:30:00Z', 1, '2026-11-03T00:00:00.000Z'],
  ['2027-03-12T16:00:00Z', 1, '2027-03-15T23:00:00.000Z'],
  ['2027-03-11T16:00:00Z', 1, '2027-03-13T00:00:00.000Z'],
  ['2027-03-14T08:59:00Z', 2, '2027-03-16T23:00:00.000Z'],
  // A new year that's kept on Friday.
  ['2027-12-30T16:00:00Z', 1, '2028-01-04T00:00:00.000Z'],
])('From %s, %i business days end at %s', async (from, days, expected) => {
  expect(await askEnd(new Date(from), days)).toBe(expected);
  expect(businessDayEnd(new Date(from), days, rules.time_zone)).toBe(expected);
});

const moment = fc.date({
  min: new Date('2025-12-01T00:00:00Z'),
  max: new Date('2028-12-31T00:00:00Z'),
  noInvalidDate: true,
});

test('Business days end as an independent calendar says, from any moment of three years', async () => {
  await fc.assert(
    fc.asyncProperty(moment, fc.integer({ min: 1, max: 30 }), async (from, days) => {
      expect(await askEnd(from, days)).toBe(businessDayEnd(from, days, rules.time_zone));
    }),
    { numRuns: 400 },
  );
});

test('Another time zone of the organization has other days, whatever the reader’s is', async () => {
  for (const zone of [
    'Pacific/Kiritimati',
    'Asia/Kathmandu',
    'Europe/Berlin',
    'Pacific/Pago_Pago',
  ]) {
    await undone(sql, async (tx) => {
      await tx`update private.coaching_rules set time_zone = ${zone}`;
      for (const timeZone of ['UTC', 'America/Denver', 'Asia/Tokyo']) {
        await tx`select set_config('timezone', ${timeZone}, true)`;
        for (const from of fc.sample(moment, 20)) {
          const [row] = await tx`select private.business_day_end(${from}, 3) as at`;
          expect(new Date(row?.at).toISOString()).toBe(businessDayEnd(from, 3, zone));
        }
      }
    });
  }
});

test('Business days between two days are counted, and none backward', async () => {
  await fc.assert(
    fc.asyncProperty(moment, fc.integer({ min: -40, max: 200 }), async (date, days) => {
      const [from, to] = [iso(date), iso(new Date(date.getTime() + days * DAY))];
      const [row] = await sql`select private.business_days_between(${from}, ${to}) as days`;
      expect(row?.days).toBe(businessDaysBetween(from, to));
    }),
    { numRuns: 200 },
  );
});

test('Coaching is stale after so many calendar days at the same time of day, over a clock change', async () => {
  const [row] = await sql`
    select private.stale_after('2026-10-25T16:00:00Z') as autumn,
      private.stale_after('2027-03-10T17:00:00Z') as spring`;
  expect([row?.autumn, row?.spring].map((at: Date) => at.toISOString())).toEqual([
    '2026-11-08T17:00:00.000Z',
    '2027-03-24T16:00:00.000Z',
  ]);
});

test('The calendar has the federal holidays of 2026 to 2028, each on a weekday', async () => {
  const days =
    await sql`select to_char(day, 'YYYY-MM-DD') as date, name from private.holidays order by 1`;
  expect([...days]).toEqual(rules.holidays);
  expect(days).toHaveLength(33);
  for (const { date } of rules.holidays) {
    expect([0, 6], date).not.toContain(new Date(date).getUTCDay());
  }
});
