import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Row } from './ThreadRows.tsx';
import { fromTop } from './use-thread-scroll.ts';
import type { VirtualRows } from './VirtualRows.tsx';

/** The numbers of rows at which the virtual list is loaded, and at which it takes over. */
const LOAD_FROM = 300;
const SWITCH_AT = 500;

export interface VirtualList {
  Rows: typeof VirtualRows;
  /** Row heights in pixels, by key, measured while all rows were on the page. */
  heights: ReadonlyMap<string, number>;
  /** The reader's distance from the top, in pixels. */
  offset: number;
}

/** Returns a list that renders only the rows in view, once there are many; null before that. */
export function useVirtualRows(
  rows: readonly Row[],
  scroller: RefObject<HTMLDivElement | null>,
): VirtualList | null {
  const hasSwitched = useRef(false);
  const [Rows, setRows] = useState<typeof VirtualRows | null>(null);
  const [list, setList] = useState<VirtualList | null>(null);
  const shouldLoad = rows.length >= LOAD_FROM;
  const shouldSwitch = rows.length >= SWITCH_AT;
  useEffect(() => {
    if (!shouldLoad) return;
    // If it can't be loaded, the page keeps rendering all rows.
    import('./VirtualRows.tsx').then(
      (module) => setRows(() => module.VirtualRows),
      () => {},
    );
  }, [shouldLoad]);
  useEffect(() => {
    const element = scroller.current;
    if (!shouldSwitch || !Rows || !element || hasSwitched.current) return;
    hasSwitched.current = true;
    const heights = new Map(
      [...element.querySelectorAll<HTMLElement>('[data-row]')].map((row) => [
        row.dataset.row ?? '',
        row.getBoundingClientRect().height,
      ]),
    );
    setList({ Rows, heights, offset: fromTop(element, false) });
  }, [shouldSwitch, Rows, scroller]);
  return list;
}
