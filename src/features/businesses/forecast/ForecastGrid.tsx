import { useEffect, useRef } from 'react';
import {
  type Figures,
  type ForecastRow,
  MONTHS,
  monthText,
  shortMonthText,
} from '#domain/forecast.ts';
import type { PastView } from '#domain/forecast-past.ts';
import { classNames } from '#ui/class-names.ts';
import { cellText, dollars } from './amounts.ts';
import type { Line, Range } from './grid.ts';
import { handlersOf } from './grid-events.ts';
import { AMOUNT, CELL, NAME_LOOK, OVER, renderLine } from './grid-lines.tsx';
import { cellKey, type GridState, type GridStore } from './grid-store.ts';
import { VIEW_LABELS } from './past-words.ts';

export interface GridProps {
  figures: Figures;
  lines: readonly Line[];
  /** The months that are over, oldest first, with what their columns show. */
  past: { months: readonly string[]; view: PastView };
  /** The balances at the end of each month with the what-ifs; null without any. */
  others: readonly number[] | null;
  /** Null for people who can only read it. */
  grid: { store: GridStore; state: GridState; range: Range } | null;
  onRow: (row: ForecastRow) => void;
}

/** A month over its column: the year goes below it, so that twelve columns fit on a desktop. */
const MONTH = `${CELL} py-1 align-top`;

/** The id of the text that explains the keys. */
export const KEYS_ID = 'forecast-keys';

/** The groups of lines, by their last lines' keys. */
const GROUPS = [
  { title: 'Money in', end: 'total-in' },
  { title: 'Money out', end: 'total-out' },
  { title: 'Result', end: 'total-closes' },
];

interface Group {
  title: string;
  /** The index of its first line. */
  first: number;
  lines: readonly Line[];
}

/** The lines by group. */
export function groupsOf(lines: readonly Line[]): Group[] {
  const ends = GROUPS.map(({ end }) => lines.findIndex(({ key }) => key === end) + 1);
  return GROUPS.map(({ title }, at) => {
    const first = ends[at - 1] ?? 0;
    return { title, first, lines: lines.slice(first, ends[at]) };
  });
}

/**
 * Scrolls to the first month that's planned, with the one before it, which shows that there are more;
 * or as far as there's room without cutting a month, whose figures would be read wrong.
 */
function usePlanInView(over: number) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const scroll = () => {
      const cells = [...(ref.current?.querySelectorAll<HTMLElement>('thead th') ?? [])];
      const [frame, name] = [ref.current, cells[0]];
      if (!frame || !name) return;
      const most = frame.scrollWidth - frame.clientWidth;
      const starts = cells.slice(1, over + 1).map((cell) => cell.offsetLeft - name.offsetWidth);
      frame.scrollTo({ left: starts.findLast((start) => start <= most) ?? 0 });
    };
    // Along with the frame, for which the browser lays out the table anyway.
    const frame = requestAnimationFrame(scroll);
    return () => cancelAnimationFrame(frame);
  }, [over]);
  return ref;
}

/**
 * The twelve months, and those that are over, as a table: with the keys of a spreadsheet for those
 * who can fill it in.
 */
export function ForecastGrid(props: GridProps) {
  const { lines, others, figures, grid, past } = props;
  const scroller = usePlanInView(past.months.length);
  const table = grid
    ? {
        role: 'grid',
        'aria-multiselectable': true,
        'aria-describedby': KEYS_ID,
        ...handlersOf(grid.store),
      }
    : {};
  return (
    <section
      ref={scroller}
      className="scroll-fade scroll-pl-32 overflow-x-auto card sm:scroll-pl-48"
      aria-label="Twelve months"
      tabIndex={grid ? -1 : 0}
    >
      <table
        ref={(element) => {
          if (grid) grid.store.table = element;
        }}
        aria-label="Forecast by month"
        {...table}
        className={classNames('w-full border-collapse', grid && 'select-none')}
      >
        <thead>
          <tr className="border-b border-line">
            <th
              scope="col"
              className={classNames(
                NAME_LOOK,
                'min-w-32 bg-surface px-3 text-xs font-normal text-muted sm:min-w-48',
              )}
            >
              Row
            </th>
            {past.months.map((month) => (
              <th key={`over ${month}`} scope="col" className={classNames(MONTH, OVER, 'bg-paper')}>
                {shortMonthText(month)}
                <span className="block text-xs font-normal text-muted">
                  {VIEW_LABELS[past.view].toLowerCase()}
                </span>
              </th>
            ))}
            {figures.months.map((month) => (
              <th key={month} scope="col" className={classNames(MONTH, 'font-semibold')}>
                {shortMonthText(month)}
              </th>
            ))}
          </tr>
        </thead>
        {groupsOf(lines).map(({ title, first, lines: group }) => (
          <tbody key={title}>
            <tr className="border-b border-line bg-raised">
              <th
                scope="rowgroup"
                colSpan={past.months.length + MONTHS + 1}
                className="px-3 py-1.5 text-left text-xs font-semibold"
              >
                <span className="sticky left-3">{title}</span>
              </th>
            </tr>
            {group.map((line, index) => renderLine({ ...props, line, at: first + index }))}
          </tbody>
        ))}
        {others && (
          <OtherBalance over={past.months.length} months={figures.months} closes={others} />
        )}
      </table>
    </section>
  );
}

interface OtherProps {
  /** How many months are over. */
  over: number;
  months: string[];
  closes: readonly number[];
}

const OtherBalance = ({ over, months, closes }: OtherProps) => (
  <tbody>
    <tr className="border-t border-line text-muted">
      <th scope="row" className={classNames(NAME_LOOK, 'bg-surface px-3 text-sm font-normal')}>
        Balance with the what-ifs
      </th>
      {over > 0 && <td colSpan={over} className={`${OVER} bg-paper`} />}
      {closes.map((cents, month) => (
        <td key={months[month]} className={AMOUNT}>
          {cellText(cents)}
        </td>
      ))}
    </tr>
  </tbody>
);

/** What couldn't be read, and what counts instead. */
export function Problems({ lines, months, problems }: ProblemsProps) {
  const list = [...problems.values()].flatMap(({ row, month, text, reason }) => {
    const line = lines.find(({ key }) => key === row);
    if (!line) return [];
    const cents = line.amounts[month] ?? null;
    const stays = cents === null ? 'the cell stays blank' : `it stays ${dollars(cents)}`;
    return {
      key: cellKey(row, month),
      words: `${line.label}, ${monthText(months[month] ?? '')}: “${text}”. ${reason}, so ${stays}.`,
    };
  });
  if (list.length === 0) return null;
  return (
    <div role="alert" className="text-sm text-danger">
      <p className="font-semibold">
        {list.length === 1 ? 'One cell can’t be read' : `${list.length} cells can’t be read`}. Use
        digits, such as 1,250 or 12.50.
      </p>
      <ul className="mt-1 list-disc pl-5">
        {list.slice(0, MOST_PROBLEMS).map(({ key, words }) => (
          <li key={key} className="[overflow-wrap:anywhere]">
            {words}
          </li>
        ))}
        {list.length > MOST_PROBLEMS && <li>… and {list.length - MOST_PROBLEMS} more.</li>}
      </ul>
    </div>
  );
}

/** How many of them are listed. */
const MOST_PROBLEMS = 12;

interface ProblemsProps {
  lines: readonly Line[];
  months: readonly string[];
  problems: GridState['problems'];
}
