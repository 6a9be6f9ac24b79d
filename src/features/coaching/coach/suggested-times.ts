/** Times that a coach's forms start from, so that most of the time nothing has to be typed. */
import { addDays } from '#lib/locale/dates.ts';

export interface PlannedTime {
  /** `2026-11-28` and `14:30`, on the coach's clock. */
  day: string;
  time: string;
}

const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T00:00Z`).getUTCDay());

/** The weekday this many days ahead, or the next one. */
function workday(today: string, days: number): string {
  let day = addDays(today, days);
  while (isWeekend(day)) day = addDays(day, 1);
  return day;
}

/** Three times on different weekdays from the day after tomorrow on. */
export function suggestedTimes(today: string): [PlannedTime, PlannedTime, PlannedTime] {
  const first = workday(today, 2);
  const second = workday(first, 1);
  const third = workday(second, 2);
  return [
    { day: first, time: '10:00' },
    { day: second, time: '14:00' },
    { day: third, time: '10:00' },
  ];
}

/** The same weekday and time some weeks later, or as many weeks from today if that's past. */
export function weeksLater(from: PlannedTime, weeks: number, today: string): PlannedTime {
  let day = addDays(from.day, 7 * weeks);
  while (day <= today) day = addDays(day, 7);
  return { day, time: from.time };
}
