/** The data for the charts of a business's figures. */
import type { Snapshot } from '#data/business-snapshots.ts';
import { daysBetween, monthOfDayText, shortCalendarDayText } from '#lib/locale/dates.ts';
import { digitsOf } from '#lib/locale/money.ts';

export interface FigureLines {
  title: string;
  unit: string;
  labels: string[];
  /** The time of each point, in milliseconds since 1970. */
  times: number[];
  series: { name: string; values: (number | null)[] }[];
}

/** Over more days than this, a chart names months: the table has the days. */
const YEAR = 366;

/**
 * The charts of the figures: staff, and money in the currency of the newest amounts. A line needs
 * two values; amounts in other currencies leave a gap.
 */
export function linesOf(snapshots: readonly Snapshot[]): FigureLines[] {
  const days = snapshots.toReversed();
  const currency = snapshots.find((each) => each.currency !== null)?.currency ?? null;
  const major = (minor: number | null, of: Snapshot) =>
    minor === null || of.currency !== currency || currency === null
      ? null
      : minor / 10 ** digitsOf(currency);
  const span = daysBetween(days[0]?.taken_on ?? '', days.at(-1)?.taken_on ?? '');
  const labelOf = span > YEAR ? monthOfDayText : shortCalendarDayText;
  const labels = days.map(({ taken_on }) => labelOf(taken_on));
  const times = days.map(({ taken_on }) => Date.parse(taken_on));
  const all: FigureLines[] = [
    {
      title: 'Annual revenue and profit',
      unit: currency === 'USD' ? '$' : (currency ?? ''),
      labels,
      times,
      series: [
        { name: 'Revenue', values: days.map((each) => major(each.revenue_minor, each)) },
        { name: 'Profit', values: days.map((each) => major(each.profit_minor, each)) },
      ],
    },
    {
      title: 'Staff',
      unit: '',
      labels,
      times,
      series: [
        { name: 'Full-time', values: days.map(({ full_time }) => full_time) },
        { name: 'Part-time', values: days.map(({ part_time }) => part_time) },
      ],
    },
  ];
  const drawn = (values: readonly (number | null)[]) => values.filter((each) => each !== null);
  return all.flatMap((lines) => {
    const series = lines.series.filter(({ values }) => drawn(values).length >= 2);
    return series.length === 0 ? [] : [{ ...lines, series }];
  });
}
