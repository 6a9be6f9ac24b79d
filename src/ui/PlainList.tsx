import type { ComponentProps, ReactNode } from 'react';
import { DragHandle } from './use-drag.tsx';

export interface DragListProps {
  items: readonly { id: string; title: string }[];
  /** What an item is: "task". */
  noun: string;
  row: (id: string, handle: ReactNode) => ReactNode;
  /** An item was dropped; `place` is its index among the others. */
  onDrop: (id: string, place: number) => void;
}

/** The drag handle at the start of a row. */
export const ItemHandle = (props: ComponentProps<typeof DragHandle>) => (
  <DragHandle {...props} className="-ml-2 grid size-9 pointer-coarse:size-11 print:hidden" />
);

/** The list until the drag-and-drop code is loaded. */
export function PlainList({ items, row }: DragListProps) {
  return (
    <ol className="divide-y divide-line">
      {items.map(({ id, title }) => (
        <li key={id}>{row(id, <ItemHandle title={title} />)}</li>
      ))}
    </ol>
  );
}
