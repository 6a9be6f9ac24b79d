import { Pencil } from 'lucide-react';
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
import { amountAt, isIn, type Line, NAME, type Range } from './grid.ts';
import { handlersOf } from './grid-events.ts';
import { cellKey, type GridState, type GridStore } from './grid-store.ts';
import { figureWords, VIEW_LABELS } from './past-words.ts';

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

/** What's special about a month's balance, in words that are shown below it. */
export const marksOf = ({ lowest, below }: Figures, month: number): string[] => [
  ...(month === lowest ? ['lowest'] : []),
  ...(below.includes(month) ? ['below floor'] : []),
];

const NAME_LOOK = 'sticky left-0 z-10 border-r border-line text-left';
const CELL = 'h-9 min-w-16 px-1.5 text-right text-sm figures';
const AMOUNT = `${CELL} whitespace-nowrap`;
/** A month over its column: the year goes below it, so that twelve columns fit on a desktop. */
const MONTH = `${CELL} py-1 align-top`;
const FOCUS = 'focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus';

/** The ids of the texts that explain the keys, and what a row's name does. */
export const NAME_ID = 'forecast-names';
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
    const cells = [...(ref.current?.querySelectorAll<HTMLElement>('thead th') ?? [])];
    const [frame, name] = [ref.current, cells[0]];
    if (!frame || !name) return;
    const most = frame.scrollWidth - frame.clientWidth;
    const starts = cells.slice(1, over + 1).map((cell) => cell.offsetLeft - name.offsetWidth);
    frame.scrollTo({ left: starts.findLast((start) => start <= most) ?? 0 });
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
            {group.map((line, index) => (
              <GridLine key={line.key} {...props} line={line} at={first + index} />
            ))}
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

interface LineProps extends GridProps {
  line: Line;
  /** Its index. */
  at: number;
}

function GridLine(props: LineProps) {
  const { figures, grid, onRow, line, at, past } = props;
  const { label, row, isTotal } = line;
  const isName = grid?.state.active.line === at && grid.state.active.month === NAME;
  return (
    <tr className={classNames('border-b border-line last:border-b-0', isTotal && 'font-semibold')}>
      <th
        scope="row"
        {...(grid && { 'data-line': at, 'data-month': NAME })}
        className={classNames(
          NAME_LOOK,
          isTotal ? 'bg-raised font-semibold' : 'bg-surface font-normal',
        )}
      >
        {row && grid ? (
          <button
            type="button"
            tabIndex={isName ? 0 : -1}
            aria-describedby={NAME_ID}
            aria-haspopup="dialog"
            className={classNames(
              'flex min-h-9 w-full items-center gap-2 px-3 text-left text-sm [overflow-wrap:anywhere] hover:bg-raised pointer-coarse:min-h-11',
              FOCUS,
            )}
            onClick={() => onRow(row)}
          >
            <span className="grow">{label}</span>
            <Pencil className="size-3 shrink-0 text-muted" aria-hidden="true" />
          </button>
        ) : (
          <span className="block px-3 py-1.5 text-sm [overflow-wrap:anywhere]">{label}</span>
        )}
      </th>
      {past.months.map((name, index) => (
        <PastCell key={`over ${name}`} {...props} month={index - past.months.length} />
      ))}
      {figures.months.map((name, month) => (
        <GridCell key={name} {...props} month={month} />
      ))}
    </tr>
  );
}

/** How a cell looks: its sign, its mark, and whether it's selected. */
const lookOf = (
  isTotal: boolean,
  cents: number | null,
  marks: readonly string[],
  isChosen: boolean,
) =>
  classNames(
    AMOUNT,
    'relative',
    isTotal && marks.length === 0 && 'bg-raised',
    (cents ?? 0) < 0 && 'text-danger',
    marks.length > 0 && (marks.includes('below floor') ? 'bg-danger-soft' : 'bg-caution-soft'),
    isChosen && 'bg-primary-soft',
    FOCUS,
  );

const OVER = 'border-r border-line border-dashed';

/** Attributes of a cell that the keys lead to. */
function placeProps({ grid, line, at }: LineProps, month: number) {
  if (!grid) return {};
  const { active, draft } = grid.state;
  const isActive = active.line === at && active.month === month;
  return {
    tabIndex: isActive && draft === null ? 0 : -1,
    'data-line': at,
    'data-month': month,
    'aria-selected': isIn(grid.range, { line: at, month }),
    'aria-readonly': line.row === null || month < 0 || undefined,
  };
}

/** A figure of a month that's over, with the plan and the difference for screen readers. */
function PastCell(props: LineProps & { month: number }) {
  const { grid, line, past, at, month } = props;
  const figure = line.past[line.past.length + month];
  const cents = amountAt(line, month, past.view);
  const words = figure && figureWords(figure);
  const isDifference = past.view === 'difference';
  const isBad = (cents ?? 0) * (isDifference && line.isCost ? -1 : 1) < 0;
  return (
    <td
      {...placeProps(props, month)}
      className={classNames(
        AMOUNT,
        OVER,
        line.isTotal ? 'bg-raised font-semibold' : 'bg-paper',
        'relative',
        grid && 'cursor-cell pointer-coarse:h-11',
        isBad && 'text-danger',
        grid && isIn(grid.range, { line: at, month }) && 'bg-primary-soft',
        FOCUS,
      )}
    >
      <span aria-hidden={words ? true : undefined}>
        {isDifference && (cents ?? 0) > 0 && '+'}
        {cellText(cents)}
      </span>
      {words && <span className="sr-only">{words}</span>}
    </td>
  );
}

function GridCell(props: LineProps & { month: number }) {
  const { figures, grid, line, at, month } = props;
  const { label, row, key, isTotal } = line;
  const cents = line.amounts[month] ?? null;
  const marks = key === 'total-closes' ? marksOf(figures, month) : [];
  if (!grid) {
    return (
      <td className={lookOf(isTotal, cents, marks, false)}>
        <Amount cents={cents} marks={marks} />
      </td>
    );
  }
  const { active, draft, problems } = grid.state;
  const isActive = active.line === at && active.month === month;
  const isChosen = isIn(grid.range, { line: at, month });
  const problem = row && problems.get(cellKey(row.id, month));
  return (
    <td
      {...placeProps(props, month)}
      aria-invalid={problem ? true : undefined}
      className={classNames(
        lookOf(isTotal, cents, marks, isChosen),
        'cursor-cell pointer-coarse:h-11',
      )}
    >
      {isActive && draft !== null ? (
        <input
          aria-label={`${label}, ${monthText(figures.months[month] ?? '')}`}
          className="absolute inset-0 w-full bg-surface px-2 text-right text-base outline-2 -outline-offset-2 outline-focus sm:text-sm"
          inputMode="decimal"
          autoComplete="off"
          value={draft}
          onChange={(event) => grid.store.set({ draft: event.currentTarget.value })}
        />
      ) : problem ? (
        <span className="block text-danger">
          <span className="block max-w-24 truncate">{problem.text}</span>
          <span className="block text-xs">{problem.reason}</span>
        </span>
      ) : (
        <Amount cents={cents} marks={marks} />
      )}
    </td>
  );
}

const Amount = ({ cents, marks }: { cents: number | null; marks: readonly string[] }) => (
  <>
    {cellText(cents)}
    {marks.map((mark) => (
      <span
        key={mark}
        className="block text-xs leading-tight font-normal whitespace-normal text-ink"
      >
        {mark}
      </span>
    ))}
  </>
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
