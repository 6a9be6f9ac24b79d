import { useStore } from '@nanostores/react';
import { useState } from 'react';
import {
  addRow,
  changeRow,
  type Figures,
  type Forecast,
  type ForecastRow,
  MOST_ROWS,
  monthText,
  removeRow,
  rowsOf,
  SIDES,
  type Side,
} from '#domain/forecast.ts';
import { pastMonthsOf, renamePast } from '#domain/forecast-past.ts';
import { newId } from '#lib/new-id.ts';
import { Button } from '#ui/Button.tsx';
import { useOpenedPart } from '#ui/use-part.ts';
import { KEYS_ID, Problems } from './ForecastGrid.tsx';
import type { ForecastStore } from './forecast-store.ts';
import { type Line, linesOf, NAME, type Place } from './grid.ts';
import { NAME_ID } from './grid-lines.tsx';
import { GridStore } from './grid-store.ts';
import { Months } from './Months.tsx';
import { PastSwitch } from './PastMonths.tsx';
import { figureWords } from './past-words.ts';

const loadRowDialog = () => import('./RowDialog.tsx');

interface FilledProps {
  store: ForecastStore;
  forecast: Forecast;
  figures: Figures;
  others: Figures | null;
}

/** The grid with its buttons. */
export function FilledMonths({ store, forecast, figures, others }: FilledProps) {
  const [grid] = useState(() => new GridStore(store));
  const state = useStore(grid.$state, { ssr: 'initial' });
  const lines = linesOf(forecast, figures);
  const past = pastMonthsOf(forecast);
  const [open, setOpen] = useState<{ row: ForecastRow | null; side: Side } | null>(null);
  const part = useOpenedPart(loadRowDialog, open !== null, () => setOpen(null));
  return (
    <section aria-labelledby="months" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="months" className="text-lg">
          Month by month
        </h2>
        <GridButtons store={store} grid={grid} />
      </div>
      {past.length > 0 && (
        <div className="max-sm:hidden">
          <PastSwitch view={state.view} onView={(view) => grid.set({ view })} />
        </div>
      )}
      <Months
        figures={figures}
        lines={lines}
        past={{ months: past, view: state.view }}
        others={others?.closes ?? null}
        grid={{ store: grid, state, range: grid.range }}
        onRow={(row) => setOpen({ row, side: row.side })}
      />
      <PastWords lines={lines} months={past} place={state.active} />
      <p
        id={KEYS_ID}
        className="text-xs text-muted max-sm:hidden pointer-coarse:hidden print:hidden"
      >
        Type into a cell, or press Enter to change it. Arrow keys and Tab move; press Escape, then
        Tab, to leave the table. You can paste from a spreadsheet.
      </p>
      <p id={NAME_ID} hidden>
        Change this row
      </p>
      <p role="status" className="sr-only">
        {state.said}
      </p>
      <Problems lines={lines} months={figures.months} problems={state.problems} />
      <AddButtons forecast={forecast} onAdd={(side) => setOpen({ row: null, side })} />
      {open && part && (
        <part.RowDialog
          {...open}
          onSave={(change) => store.edit((it) => withRow(it, open, change))}
          onRemove={() => store.edit((it) => removeRow(it, open.row?.id ?? ''))}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  );
}

/** The forecast with a row changed, or added. */
const withRow = (
  forecast: Forecast,
  { row, side }: { row: ForecastRow | null; side: Side },
  { name, kind }: Pick<ForecastRow, 'name' | 'kind'>,
) =>
  row
    ? { ...changeRow(forecast, row.id, { name, kind }), past: renamePast(forecast, row.id, name) }
    : addRow(forecast, { id: newId(), side, kind, name });

interface AddProps {
  forecast: Forecast;
  onAdd: (side: Side) => void;
}

const AddButtons = ({ forecast, onAdd }: AddProps) => (
  <div className="flex flex-wrap gap-2 print:hidden">
    {SIDES.map((side) => (
      <Button
        key={side}
        size="small"
        variant="secondary"
        needsScript
        disabled={rowsOf(forecast, side).length >= MOST_ROWS}
        onClick={() => onAdd(side)}
      >
        {side === 'in' ? 'Add money in' : 'Add money out'}
      </Button>
    ))}
  </div>
);

/** What Ctrl+R, Ctrl+Z and Ctrl+Y do, for people without a keyboard. */
function GridButtons({ store, grid }: { store: ForecastStore; grid: GridStore }) {
  const canUndo = useStore(store.$canUndo);
  const canRedo = useStore(store.$canRedo);
  const buttons = [
    {
      label: 'Copy to later months',
      key: 'Control+R',
      act: () => grid.fill(),
      look: 'max-sm:hidden',
    },
    { label: 'Undo', key: 'Control+Z', act: () => grid.undo(), isOff: !canUndo },
    { label: 'Redo', key: 'Control+Y', act: () => grid.redo(), isOff: !canRedo },
  ];
  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      {buttons.map(({ label, key, act, isOff = false, look }) => (
        <Button
          key={label}
          size="small"
          variant="secondary"
          needsScript
          {...(look && { className: look })}
          disabled={isOff}
          aria-keyshortcuts={key}
          onClick={() => {
            act();
            grid.focus();
          }}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

interface PastWordsProps {
  lines: readonly Line[];
  /** The months that are over. */
  months: readonly string[];
  place: Place;
}

/** Says what the current cell of a month that's over means; screen readers read it in the cell. */
function PastWords({ lines, months, place: { line, month } }: PastWordsProps) {
  const at = lines[line];
  const figure = month < 0 && month !== NAME ? at?.past[months.length + month] : undefined;
  const words = figure && figureWords(figure);
  if (!at || !words) return null;
  return (
    <p aria-hidden="true" className="text-sm max-sm:hidden print:hidden">
      {at.label}, {monthText(months[months.length + month] ?? '')}: {words}.
    </p>
  );
}
