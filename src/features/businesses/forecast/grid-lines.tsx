/**
 * The lines of the forecast's table. Functions and not components: there are hundreds of cells, and a
 * component for each would make the page slower to work and each key slower to answer.
 */
import { monthText } from '#domain/forecast.ts';
import { classNames } from '#ui/class-names.ts';
import { LineIcon } from '#ui/LineIcon.tsx';
import { cellText } from './amounts.ts';
import type { GridProps } from './ForecastGrid.tsx';
import { amountAt, isIn, type Line, marksOf, NAME } from './grid.ts';
import { cellKey } from './grid-store.ts';
import { figureWords } from './past-words.ts';

export const NAME_LOOK = 'sticky left-0 z-10 border-r border-line text-left';
export const CELL = 'h-9 min-w-16 px-1.5 text-right text-sm figures';
export const AMOUNT = `${CELL} whitespace-nowrap`;
/** A month that's over. */
export const OVER = 'border-r border-line border-dashed';
const FOCUS = 'focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus';

/** The id of the text that says what a row's name does. */
export const NAME_ID = 'forecast-names';

/** Made once, for all names. */
export const PENCIL = LineIcon({
  d: 'M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497zM15 5l4 4',
  box: 24,
  width: 2,
  className: 'size-3 shrink-0 text-muted',
});

interface LineProps extends GridProps {
  line: Line;
  /** Its index. */
  at: number;
}

/** Renders a row of the table: a name, the months that are over, and the twelve ahead. */
export function renderLine(props: LineProps) {
  const { figures, grid, onRow, line, at, past } = props;
  const { label, row, isTotal } = line;
  const isName = grid?.state.active.line === at && grid.state.active.month === NAME;
  return (
    <tr
      key={line.key}
      className={classNames('border-b border-line last:border-b-0', isTotal && 'font-semibold')}
    >
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
            {PENCIL}
          </button>
        ) : (
          <span className="block px-3 py-1.5 text-sm [overflow-wrap:anywhere]">{label}</span>
        )}
      </th>
      {/* One list: React goes through each list of a row as an element of its own. */}
      {[
        ...past.months.map((name, index) => renderPast(props, name, index - past.months.length)),
        ...figures.months.map((name, month) => renderCell(props, name, month)),
      ]}
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
function renderPast(props: LineProps, name: string, month: number) {
  const { grid, line, past, at } = props;
  const figure = line.past[line.past.length + month];
  const cents = amountAt(line, month, past.view);
  const words = figure && figureWords(figure);
  const isDifference = past.view === 'difference';
  const isBad = (cents ?? 0) * (isDifference && line.isCost ? -1 : 1) < 0;
  const shown = (isDifference && (cents ?? 0) > 0 ? '+' : '') + cellText(cents);
  return (
    <td
      key={`over ${name}`}
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
      // As HTML, which spares React two of three elements: figures and our own words, nothing typed.
      // biome-ignore lint/security/noDangerouslySetInnerHtml: no text from elsewhere
      dangerouslySetInnerHTML={{
        __html: words
          ? `<span aria-hidden="true">${shown}</span><span class="sr-only">${words}</span>`
          : shown,
      }}
    />
  );
}

function renderCell(props: LineProps, name: string, month: number) {
  const { figures, grid, line, at } = props;
  const { row, key, isTotal } = line;
  const cents = line.amounts[month] ?? null;
  const marks = key === 'total-closes' ? marksOf(figures, month) : [];
  if (!grid) {
    return (
      <td key={name} className={lookOf(isTotal, cents, marks, false)}>
        {amountWith(cents, marks)}
      </td>
    );
  }
  const { active, draft, problems } = grid.state;
  const isTyping = draft !== null && active.line === at && active.month === month;
  const problem = row && problems.get(cellKey(row.id, month));
  const isChosen = isIn(grid.range, { line: at, month });
  return (
    <td
      key={name}
      {...placeProps(props, month)}
      aria-invalid={problem ? true : undefined}
      className={`${lookOf(isTotal, cents, marks, isChosen)} cursor-cell pointer-coarse:h-11`}
    >
      {isTyping ? (
        <input
          aria-label={`${line.label}, ${monthText(figures.months[month] ?? '')}`}
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
        amountWith(cents, marks)
      )}
    </td>
  );
}

/** The amount; without marks it's a text, which takes React less than a list with a text in it. */
const amountWith = (cents: number | null, marks: readonly string[]) =>
  marks.length === 0 ? (
    cellText(cents)
  ) : (
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
