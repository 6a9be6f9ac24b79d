/** What keys, the mouse, fingers and the clipboard do in the forecast's grid. */
import type { ClipboardEvent, FocusEvent, KeyboardEvent, MouseEvent } from 'react';
import { NAME, type Place } from './grid.ts';
import type { GridStore } from './grid-store.ts';

/** The place that an event happened at; null if it wasn't at a cell. */
function placeOf(target: EventTarget): Place | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-line]') : null;
  return cell && { line: Number(cell.dataset.line), month: Number(cell.dataset.month) };
}

/** A key while typing in a cell; whether it was one of the grid's. */
function typingKey(grid: GridStore, { key, shiftKey }: KeyboardEvent): boolean {
  if (key === 'Enter') {
    grid.commit();
    return grid.move(shiftKey ? 'ArrowUp' : 'ArrowDown', false, false);
  }
  if (key === 'Tab') return grid.tab(shiftKey ? -1 : 1);
  if (key !== 'Escape') return false;
  grid.go(grid.$state.get().active);
  return true;
}

/** A key with Ctrl or Cmd; whether it was one of the grid's. */
function shortcut(grid: GridStore, { key, shiftKey }: KeyboardEvent): boolean {
  const actions: Record<string, () => void> = {
    r: () => grid.fill(),
    z: () => (shiftKey ? grid.redo() : grid.undo()),
    y: () => grid.redo(),
    a: () => grid.selectAll(),
  };
  const act = actions[key.toLowerCase()];
  act?.();
  return act !== undefined;
}

/** A key that changes the current cell, or the selection; whether it was one. */
function editingKey(grid: GridStore, { key }: KeyboardEvent): boolean {
  if (key === 'Enter' || key === 'F2') grid.startTyping();
  else if (key === 'Delete' || key === 'Backspace') grid.clear();
  else if (key === 'Escape') grid.set({ anchor: null });
  else if ([...key].length === 1 && key !== ' ') grid.startTyping(key);
  else return false;
  return true;
}

function onKey(grid: GridStore, event: KeyboardEvent): boolean {
  const { active, draft } = grid.$state.get();
  if (event.nativeEvent.isComposing || event.altKey) return false;
  if (draft !== null) return typingKey(grid, event);
  if (event.key === 'Tab') return grid.tab(event.shiftKey ? -1 : 1);
  const isControl = event.ctrlKey || event.metaKey;
  grid.isLeaving = event.key === 'Escape';
  if (grid.move(event.key, event.shiftKey, isControl)) return true;
  if (isControl) return shortcut(grid, event);
  // The name of a row is a button: its keys are its own.
  return active.month !== NAME && editingKey(grid, event);
}

const isSame = (one: Place, other: Place) => one.line === other.line && one.month === other.month;

const mouseHandlers = (grid: GridStore) => ({
  onMouseDown(event: MouseEvent) {
    const place = placeOf(event.target);
    const { active, draft } = grid.$state.get();
    if (!place || event.button !== 0 || place.month === NAME) return;
    if (draft !== null && isSame(place, active)) return;
    // Otherwise the browser would select text.
    event.preventDefault();
    grid.isLeaving = false;
    grid.commit();
    grid.go(place, event.shiftKey);
  },
  /** Dragging selects. */
  onMouseOver(event: MouseEvent) {
    const { active, anchor, draft } = grid.$state.get();
    const place = event.buttons === 1 && draft === null ? placeOf(event.target) : null;
    if (!place || place.month === NAME || isSame(place, active)) return;
    grid.go(place, true);
    if (anchor === null) grid.set({ anchor: active });
  },
  /** A finger has no double click and no keys: a tap starts typing. */
  onClick({ nativeEvent, target }: MouseEvent) {
    const isTouch = nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch';
    if (isTouch && grid.$state.get().draft === null && placeOf(target)) grid.startTyping();
  },
  onDoubleClick({ target }: MouseEvent) {
    if (grid.$state.get().draft === null && placeOf(target)) grid.startTyping();
  },
});

function clipboardHandlers(grid: GridStore) {
  const isElsewhere = () => {
    const { active, draft } = grid.$state.get();
    return active.month === NAME || draft !== null;
  };
  const copy = (event: ClipboardEvent) => {
    event.preventDefault();
    event.clipboardData.setData('text/plain', grid.copy());
  };
  return {
    onCopy(event: ClipboardEvent) {
      if (!isElsewhere()) copy(event);
    },
    onCut(event: ClipboardEvent) {
      if (isElsewhere()) return;
      copy(event);
      grid.clear();
    },
    onPaste(event: ClipboardEvent) {
      const text = event.clipboardData.getData('text/plain');
      const { active, draft } = grid.$state.get();
      // One value goes into the text that's being typed; several are cells.
      if (active.month < 0 || (draft !== null && !/[\t\n]/.test(text.trim()))) return;
      event.preventDefault();
      grid.paste(text);
      grid.focus();
    },
  };
}

/** The handlers of the grid's table. */
export const handlersOf = (grid: GridStore) => ({
  ...mouseHandlers(grid),
  ...clipboardHandlers(grid),
  onKeyDown(event: KeyboardEvent) {
    if (onKey(grid, event)) event.preventDefault();
  },
  onFocus({ target }: FocusEvent) {
    const place = placeOf(target);
    if (place && !isSame(place, grid.$state.get().active))
      grid.set({ active: place, anchor: null });
  },
  onBlur({ relatedTarget }: FocusEvent) {
    if (relatedTarget instanceof Node && grid.table?.contains(relatedTarget)) return;
    grid.commit();
    grid.isLeaving = false;
  },
});
