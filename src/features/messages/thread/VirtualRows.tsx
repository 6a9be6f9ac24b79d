import { useVirtualizer } from '@tanstack/react-virtual';
import { type Ref, type RefObject, useImperativeHandle, useLayoutEffect } from 'react';
import { type RowsProps, rowFacts } from './ThreadRows.tsx';

export interface VirtualHandle {
  /** Brings a row into the middle. */
  show: (index: number) => void;
  toEnd: () => void;
}

interface VirtualProps extends RowsProps {
  scroller: RefObject<HTMLDivElement | null>;
  handle: Ref<VirtualHandle>;
  /** Heights that rows had when all of them were on the page, and where the reader was. */
  heights: ReadonlyMap<string, number>;
  offset: number;
}

/** Pixels that a row takes until it is drawn. */
const GUESS = 64;

/** Only those rows that are in view, and some around them: from some hundred rows on. */
export function VirtualRows({
  rows,
  draw,
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: where the reader was when it took over
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = offset;
  }, []);
  const shown = list.getVirtualItems();
  return (
    <div>
      {/* It takes no room of its own: what is above the rows must not move them. */}
      <div className="sticky top-0 z-10 h-0">{before}</div>
      <ol aria-label="Messages" className="relative" style={{ height: list.getTotalSize() }}>
        {shown.map(({ key, index, start }) => {
          const row = rows[index];
          return (
            row && (
              <li
                key={key}
                {...rowFacts(row)}
                data-index={index}
                ref={list.measureElement}
                aria-setsize={rows.length}
                aria-posinset={index + 1}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${start}px)` }}
              >
                {draw(row)}
              </li>
            )
          );
        })}
      </ol>
    </div>
  );
}
