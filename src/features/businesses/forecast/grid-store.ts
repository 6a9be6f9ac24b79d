/** The state of the forecast's grid: where the person is, what's selected, and what's being typed. */
import { atom } from 'nanostores';
import { flushSync } from 'react-dom';
import { type Cell, figuresOf, MONTHS, monthText, setCells } from '#domain/forecast.ts';
import type { PastView } from '#domain/forecast-past.ts';
import { plainText, readCents } from './amounts.ts';
import type { ForecastStore } from './forecast-store.ts';
import {
  type CellChange,
  type CellProblem,
  cellsIn,
  copyText,
  fillRight,
  type Line,
  linesOf,
  NAME,
  type Place,
  paste,
  placeAfter,
  type Range,
  rangeOf,
  tabPlace,
} from './grid.ts';

export const cellKey = (row: string, month: number): string => `${row}/${month}`;

export interface GridState {
  active: Place;
  /** The other corner of the selection; null if only one cell is selected. */
  anchor: Place | null;
  /** What's being typed into the current cell; null if nothing is. */
  draft: string | null;
  /** Text that isn't an amount, by cell. */
  problems: ReadonlyMap<string, CellProblem>;
  /** What the months that are over show. */
  view: PastView;
  /** What just happened, for screen readers. */
  said: string;
}

const count = (number: number, one: string, many: string) =>
  `${number} ${number === 1 ? one : many}`;

type Edited = Pick<ForecastStore, '$forecast' | 'edit' | 'undo' | 'redo'>;

export class GridStore {
  readonly #store: Edited;
  readonly $state = atom<GridState>({
    active: { line: 0, month: 0 },
    anchor: null,
    draft: null,
    problems: new Map(),
    view: 'actual',
    said: '',
  });
  /** The element of the grid. */
  table: HTMLTableElement | null = null;
  /** After Escape, Tab leaves the grid. */
  isLeaving = false;

  constructor(store: Edited) {
    this.#store = store;
  }

  get lines(): Line[] {
    const forecast = this.#store.$forecast.get();
    return linesOf(forecast, figuresOf(forecast));
  }

  get range(): Range {
    const { active, anchor } = this.$state.get();
    return rangeOf(anchor ?? active, active);
  }

  set(change: Partial<GridState>): void {
    this.$state.set({ ...this.$state.get(), ...change });
  }

  /** Focuses the current cell, or the input or button in it. */
  focus(): void {
    const { line, month } = this.$state.get().active;
    const cell = this.table?.querySelector<HTMLElement>(
      `[data-line="${line}"][data-month="${month}"]`,
    );
    (cell?.querySelector<HTMLElement>('input, button') ?? cell)?.focus();
  }

  /** Moves there; with `extend`, the selection grows to it. */
  go(place: Place, extend = false): void {
    const { active, anchor } = this.$state.get();
    flushSync(() =>
      this.set({ draft: null, anchor: extend ? (anchor ?? active) : null, active: place }),
    );
    this.focus();
  }

  /** Moves by a key; false if it isn't one that moves. */
  move(key: string, extend: boolean, isControl: boolean): boolean {
    const next = placeAfter(this.lines, this.$state.get().active, key, isControl);
    if (next) this.go(next, extend && next.month !== NAME);
    return next !== null;
  }

  /** Saves what's typed and moves to the next cell, or the one before it; false past the end. */
  tab(by: 1 | -1): boolean {
    if (this.isLeaving) return false;
    const next = tabPlace(this.lines, this.$state.get().active, by);
    this.commit();
    if (next) this.go(next);
    return next !== null;
  }

  selectAll(): void {
    const active = { line: this.lines.length - 1, month: MONTHS - 1 };
    this.set({ anchor: { line: 0, month: 0 }, active });
    this.focus();
  }

  /** Starts typing in the current cell: with a first character, or with what's in it. */
  startTyping(text?: string): void {
    const { active, problems } = this.$state.get();
    const row = this.lines[active.line]?.row;
    if (active.month < 0 && active.month !== NAME) {
      this.set({ said: 'Months that are over can’t be changed.' });
    }
    if (!row || active.month < 0) return;
    const unread = problems.get(cellKey(row.id, active.month))?.text;
    const draft = text ?? unread ?? plainText(row.amounts[active.month] ?? null);
    flushSync(() => this.set({ anchor: null, draft }));
    this.focus();
    const input = document.activeElement;
    if (text === undefined && input instanceof HTMLInputElement) input.select();
  }

  /** Saves what's typed into the field of a cell, outside the table. */
  typeCell(cell: Cell, cents: number | null): void {
    this.#change([{ ...cell, cents }], [], cellKey(cell.row, cell.month));
  }

  /** Keeps text that can't be read; blank if it can be now. */
  keepUnread(cell: Cell, text: string): void {
    const reason = readCents(text);
    const problems = new Map(this.$state.get().problems);
    if (typeof reason === 'string')
      problems.set(cellKey(cell.row, cell.month), { ...cell, text, reason });
    else problems.delete(cellKey(cell.row, cell.month));
    this.set({ problems });
  }

  /** Saves what's typed. */
  commit(): void {
    const { active, draft } = this.$state.get();
    const row = this.lines[active.line]?.row;
    if (draft === null || !row) return;
    const cents = readCents(draft);
    const cell = { row: row.id, month: active.month };
    if (typeof cents === 'string') {
      this.#change([], [{ ...cell, text: draft.trim(), reason: cents }]);
    } else this.#change([{ ...cell, cents }]);
    this.set({ draft: null });
  }

  /** Saves cells, and keeps the text of those that can't be read. */
  #change(
    changes: readonly CellChange[],
    unread: readonly CellProblem[] = [],
    what: string | null = null,
  ): void {
    if (changes.length > 0) this.#store.edit((forecast) => setCells(forecast, changes), what);
    const problems = new Map(this.$state.get().problems);
    for (const { row, month } of changes) problems.delete(cellKey(row, month));
    for (const problem of unread) problems.set(cellKey(problem.row, problem.month), problem);
    this.set({ problems });
  }

  /** The selection, as spreadsheets take it. */
  copy = (): string => copyText(this.lines, this.range, this.$state.get().view);

  paste(text: string): void {
    const { changes, problems, leftOut, hadNames } = paste(this.lines, this.range, text);
    this.set({ draft: null });
    this.#change(changes, problems);
    const parts = [
      `${count(changes.length, 'amount', 'amounts')} pasted`,
      hadNames && 'names in the first column skipped',
      problems.length > 0 && `${count(problems.length, 'cell', 'cells')} can’t be read`,
      leftOut > 0 && `${leftOut} didn’t fit and were left out`,
    ];
    this.set({ said: `${parts.filter(Boolean).join(', ')}.` });
  }

  fill(): void {
    this.commit();
    this.#fill(this.range);
  }

  #fill(range: Range): void {
    const changes = fillRight(this.lines, range);
    if (changes.length === 0) {
      this.set({ said: 'Choose a cell before the last month first.' });
      return;
    }
    this.#change(changes);
    const last = Math.max(...changes.map(({ month }) => month));
    const { months } = figuresOf(this.#store.$forecast.get());
    this.set({ said: `Filled in through ${monthText(months[last] ?? '')}.` });
  }

  /** Copies the amounts of a month to all months after it. */
  fillFrom(month: number): void {
    this.#fill(rangeOf({ line: 0, month }, { line: this.lines.length - 1, month }));
  }

  clear(): void {
    const cells = cellsIn(this.lines, this.range);
    this.#change(cells.map((cell) => ({ ...cell, cents: null })));
    this.set({ said: `${count(cells.length, 'cell', 'cells')} cleared.` });
  }

  /** The current cell, or the first one after the months that are over, which undoing may take away. */
  get #ahead(): Place {
    const { line, month } = this.$state.get().active;
    return { line, month: Math.max(0, month) };
  }

  undo(): void {
    this.set({ draft: null, problems: new Map(), said: 'Undone.', active: this.#ahead });
    this.#store.undo();
  }

  redo(): void {
    this.set({ draft: null, problems: new Map(), said: 'Redone.', active: this.#ahead });
    this.#store.redo();
  }
}
