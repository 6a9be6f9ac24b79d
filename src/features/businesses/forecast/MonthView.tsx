import { type ReactNode, useState } from 'react';
import { type Figures, type ForecastRow, MONTHS, monthText } from '#domain/forecast.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { ReadySelect } from '#ui/forms/ready-inputs.tsx';
import { IconButton } from '#ui/IconButton.tsx';
import { LineIcon } from '#ui/LineIcon.tsx';
import { enabledWhenReady } from '#ui/until-ready.ts';
import { dollars } from './amounts.ts';
import { CentsField } from './FigureField.tsx';
import { type GridProps, groupsOf } from './ForecastGrid.tsx';
import { type Line, marksOf } from './grid.ts';
import { PENCIL } from './grid-lines.tsx';
import { cellKey, type GridState, type GridStore } from './grid-store.ts';
import { figureWords } from './past-words.ts';

const MARK_WORDS: Record<string, string> = {
  lowest: 'The lowest month',
  'below floor': 'Below the floor',
};

/** One month at a time, for screens on which twelve don't fit: fields, totals and the balance. */
export function MonthView(props: GridProps) {
  const { figures, past, lines, others, grid } = props;
  const [chosen, setMonth] = useState(0);
  const over = past.months.length;
  const month = Math.max(-over, chosen);
  return (
    <section className="card p-4" aria-label="One month">
      <MonthPicker
        months={[...past.months, ...figures.months]}
        at={over + month}
        onPick={(at) => setMonth(at - over)}
      />
      <MonthMarks
        name={monthText([...past.months, ...figures.months][over + month] ?? '')}
        figures={figures}
        month={month}
        onPick={setMonth}
      />
      {groupsOf(lines).map(({ title, lines: group }) => (
        <section key={title} aria-label={title} className="mt-5">
          <h3 className="text-sm">{title}</h3>
          {month >= 0 && grid ? (
            <div className="mt-2 flex flex-col gap-3">
              {group.map(
                (line) =>
                  line.row && (
                    <AmountField
                      key={`${line.key}/${month}`}
                      {...props}
                      grid={grid}
                      row={line.row}
                      month={month}
                    />
                  ),
              )}
            </div>
          ) : null}
          <dl className="mt-2 text-sm">
            {group.map(
              (line) =>
                (month < 0 || !grid || line.isTotal) && (
                  <Amounts key={line.key} line={line} month={month} />
                ),
            )}
            {others && month >= 0 && title === 'Result' && (
              <Pair name="Balance with the what-ifs">{dollars(others[month] ?? 0)}</Pair>
            )}
          </dl>
        </section>
      ))}
      {grid && month >= 0 && month < MONTHS - 1 && (
        <Button
          size="small"
          variant="secondary"
          className="mt-5"
          needsScript
          onClick={() => grid.store.fillFrom(month)}
        >
          Copy to later months
        </Button>
      )}
    </section>
  );
}

interface PickerProps {
  months: readonly string[];
  /** The index of the chosen one. */
  at: number;
  onPick: (at: number) => void;
}

/** Chooses a month from the list, or the one before or after. */
function MonthPicker({ months, at, onPick }: PickerProps) {
  const step = (by: -1 | 1, arrow: string) => {
    const to = months[at + by];
    return (
      <IconButton
        label={
          to
            ? `${by < 0 ? 'Previous' : 'Next'} month, ${monthText(to)}`
            : by < 0
              ? 'No earlier month'
              : 'No later month'
        }
        className="button button-secondary size-11 shrink-0 p-0"
        // A button that's disabled loses the focus.
        aria-disabled={!to || undefined}
        {...enabledWhenReady()}
        onClick={() => to && onPick(at + by)}
      >
        <LineIcon d={arrow} box={24} width={2} className="size-5" />
      </IconButton>
    );
  };
  return (
    <div className="flex items-end gap-2">
      {step(-1, 'm15 18-6-6 6-6')}
      <Field
        label="Month"
        className="min-w-0 grow"
        as={ReadySelect}
        value={String(at)}
        options={months.map((month, index) => ({ value: String(index), label: monthText(month) }))}
        onChange={(event: { currentTarget: { value: string } }) =>
          onPick(Number(event.currentTarget.value))
        }
      />
      {step(1, 'm9 18 6-6-6-6')}
    </div>
  );
}

interface MarksProps {
  /** Of the month. */
  name: string;
  figures: Figures;
  month: number;
  onPick: (month: number) => void;
}

/** Says what month it is and whether it's the lowest one, with a way there. */
function MonthMarks({ name, figures, month, onPick }: MarksProps) {
  const marks =
    month < 0 ? ['It’s over'] : marksOf(figures, month).map((mark) => MARK_WORDS[mark] ?? mark);
  return (
    <div className="mt-3 flex min-h-11 flex-wrap items-center justify-between gap-x-3 text-sm">
      <p role="status" className="font-semibold">
        <span className="sr-only">
          {name}
          {marks.length > 0 && ': '}
        </span>
        {marks.join(', ')}
      </p>
      {month !== figures.lowest && (
        <Button size="small" variant="quiet" needsScript onClick={() => onPick(figures.lowest)}>
          Lowest: {monthText(figures.months[figures.lowest] ?? '')}
        </Button>
      )}
    </div>
  );
}

interface FieldProps extends Pick<GridProps, 'onRow'> {
  grid: { store: GridStore; state: GridState };
  row: ForecastRow;
  month: number;
}

function AmountField({ grid: { store, state }, row, month, onRow }: FieldProps) {
  const cell = { row: row.id, month };
  return (
    <CentsField
      label={row.name}
      aside={
        <IconButton
          label={`Change the row ${row.name}`}
          tip="Change this row"
          className="-my-4 -mr-4 block p-4"
          onClick={() => onRow(row)}
        >
          {PENCIL}
        </IconButton>
      }
      value={row.amounts[month] ?? null}
      unread={state.problems.get(cellKey(row.id, month))?.text}
      onChange={(cents) => store.typeCell(cell, cents)}
      onLeave={(text) => store.keepUnread(cell, text)}
    />
  );
}

/** A line of a month that's read: its amount, or what happened next to what was planned. */
function Amounts({ line, month }: { line: Line; month: number }) {
  if (month < 0) {
    const figure = line.past[line.past.length + month];
    const words = figure && figureWords(figure);
    return words ? (
      <div className="border-t border-line py-2">
        <dt className={line.isTotal ? 'font-semibold' : undefined}>{line.label}</dt>
        <dd className="text-muted figures">{words.charAt(0).toUpperCase() + words.slice(1)}</dd>
      </div>
    ) : null;
  }
  // A row that was removed has no amounts.
  if (line.amounts.length === 0) return null;
  const cents = line.amounts[month] ?? null;
  return (
    <Pair name={line.label} isTotal={line.isTotal}>
      {cents === null ? '–' : dollars(cents)}
    </Pair>
  );
}

interface PairProps {
  name: string;
  isTotal?: boolean;
  children: ReactNode;
}

const Pair = ({ name, isTotal = false, children }: PairProps) => (
  <div
    className={`flex justify-between gap-4 border-t border-line py-2 ${isTotal ? 'font-semibold' : ''}`}
  >
    <dt className="min-w-0 [overflow-wrap:anywhere]">{name}</dt>
    <dd className="figures whitespace-nowrap">{children}</dd>
  </div>
);
