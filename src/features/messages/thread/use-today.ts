import { useEffect, useState } from 'react';
import { today } from '#lib/dates.ts';

const MINUTE = 60_000;

/**
 * The day where the reader is, as long as the page stays open: after midnight "Today" is "Yesterday".
 * @param initial as the server drew it
 */
export function useToday(initial: string, timeZone: string): string {
  const [day, setDay] = useState(initial);
  useEffect(() => {
    const look = () => setDay(today(timeZone));
    look();
    const timer = setInterval(look, MINUTE);
    return () => clearInterval(timer);
  }, [timeZone]);
  return day;
}
