/** Times that a coach's forms start from, so that most of the time nothing has to be typed. */
import { addDays } from '#lib/locale/dates.ts';

export interface PlannedTime {
  /** `2026-11-28` and `14:30`, on the coach's clock. */
  day: string;
  time: string;
}

const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T00:00Z`).getUTCDay());

/** The day this many days ahead, or the next one that's neither on a weekend nor a holiday. */
function workday(today: string, days: number, holidays: readonly string[]): string {
  let day = addDays(today, days);
  while (isWeekend(day) || holidays.includes(day)) day = addDays(day, 1);
  return day;
}

/** Three times on different weekdays from the day after tomorrow on, none of them on a holiday. */
export function suggestedTimes(
  today: string,
  holidays: readonly string[],
): [PlannedTime, PlannedTime, PlannedTime] {
  const first = workday(today, 2, holidays);
  const second = workday(first, 1, holidays);
  const third = workday(second, 2, holidays);
  return [
    { day: first, time: '10:00' },
    { day: second, time: '14:00' },
    { day: third, time: '10:00' },
  ];
}

/**
 * The same weekday and time some weeks later, or in the first week from today on if that's past.
 * Instead of a holiday, it's the next day that isn't one.
 */
export function weeksLater(
  from: PlannedTime,
  weeks: number,
  today: string,
  holidays: readonly string[],
): PlannedTime {
  let day = addDays(from.day, 7 * weeks);
  while (day <= today) day = addDays(day, 7);
  if (holidays.includes(day)) day = workday(day, 1, holidays);
  return { day, time: from.time };
}
