import { shortCalendarDayText } from '#lib/locale/dates.ts';

/** A day as a leaf of a calendar. The text next to it says the same. */
export function DayMark({ day }: { day: string }) {
  const [month = '', date = ''] = shortCalendarDayText(day).split(/[ ,]+/);
  return (
    <span
      aria-hidden="true"
      className="flex h-16 w-14 shrink-0 flex-col overflow-hidden rounded-control border border-line text-center"
    >
      <span className="bg-primary-soft py-0.5 text-xs font-semibold text-primary">{month}</span>
      <span className="grid grow place-items-center font-display text-xl leading-none font-heading figures">
        {date}
      </span>
    </span>
  );
}
