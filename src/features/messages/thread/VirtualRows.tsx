import { useVirtualizer } from '@tanstack/react-virtual';
import { type Ref, type RefObject, useImperativeHandle, useLayoutEffect } from 'react';
import { type RowsProps, rowAttributes } from './ThreadRows.tsx';

export interface VirtualHandle {
  /** Scrolls a row into the middle. */
  show: (index: number) => void;
  toEnd: () => void;
}

interface VirtualProps extends RowsProps {
  scroller: RefObject<HTMLDivElement | null>;
  handle: Ref<VirtualHandle>;
  /** Measured while all rows were on the page; see `VirtualList`. */
  heights: ReadonlyMap<string, number>;
  offset: number;
}

/** The assumed height of a row that hasn't been measured, in pixels. */
const GUESS = 64;

/** Renders only the rows in view and some around them. */
export function VirtualRows({
  rows,
  renderRow,
  before,
  scroller,
  handle,
  heights,
  offset,
}: VirtualProps) {
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heights.get(rows[index]?.key ?? '') ?? GUESS,
    getItemKey: (index) => rows[index]?.key ?? index,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: 80,
    overscan: 12,
    initialOffset: offset,
  });
  useImperativeHandle(handle, () => ({
    show: (index) => list.scrollToIndex(index, { align: 'center' }),
    toEnd: () => list.scrollToEnd(),
  }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the offset it starts with
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = offset;
  }, []);
  const shown = list.getVirtualItems();
  return (
    <div>
      {/* It has no height, because content above the rows would shift them. */}
      <div className="sticky top-0 z-10 h-0">{before}</div>
      <ol aria-label="Messages" className="relative" style={{ height: list.getTotalSize() }}>
        {shown.map(({ key, index, start }) => {
          const row = rows[index];
          return (
            row && (
              <li
                key={key}
                {...rowAttributes(row)}
                data-index={index}
                ref={list.measureElement}
                aria-setsize={rows.length}
                aria-posinset={index + 1}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${start}px)` }}
              >
                {renderRow(row)}
              </li>
            )
          );
        })}
      </ol>
    </div>
  );
}
