import { useEffect, useState } from 'react';
import { today } from '#lib/dates.ts';

const MINUTE = 60_000;

/**
 * The reader's day while the page stays open, so that "Today" turns into "Yesterday" at midnight.
 * @param initial the day that the server rendered
 */
export function useToday(initial: string, timeZone: string): string {
  const [day, setDay] = useState(initial);
  useEffect(() => {
    const update = () => setDay(today(timeZone));
    update();
    const timer = setInterval(update, MINUTE);
    return () => clearInterval(timer);
  }, [timeZone]);
  return day;
}
