/** A list draggable by mouse, touch or keyboard. `useDrag` loads it when the user reaches an item. */
import {
  type Announcements,
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { useRef } from 'react';
import { type DragListProps, ItemHandle } from './PlainList.tsx';

export default function DragList({ items, noun, row, onDrop }: DragListProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const placeOf = (id: unknown) => items.findIndex((item) => item.id === id);
  const titleOf = (id: unknown) => items[placeOf(id)]?.title ?? `The ${noun}`;
  const where = (id: unknown) => `position ${placeOf(id) + 1} of ${items.length}`;
  // An item starts out over its own position; announcing that would drown out the pickup.
  const fresh = useRef(false);
  const announcements: Announcements = {
    onDragStart({ active }) {
      fresh.current = true;
      return `Picked up ${titleOf(active.id)} at ${where(active.id)}.`;
    },
    onDragOver({ active, over }) {
      const own = fresh.current && over?.id === active.id;
      fresh.current = false;
      return over && !own ? `${titleOf(active.id)} is at ${where(over.id)}.` : undefined;
    },
    onDragEnd: ({ active, over }) =>
      over
        ? `${titleOf(active.id)} was dropped at ${where(over.id)}.`
        : `${titleOf(active.id)} stays where it was.`,
    onDragCancel: ({ active }) => `${titleOf(active.id)} stays where it was.`,
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{
        announcements,
        screenReaderInstructions: {
          draggable: `Press Space to pick up a ${noun}, the up and down arrow keys to move it, Space to drop it, or Escape to cancel.`,
        },
      }}
      onDragEnd={({ active, over }) => {
        if (over && over.id !== active.id) onDrop(String(active.id), placeOf(over.id));
      }}
    >
      <SortableContext items={items.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
        <ol className="divide-y divide-line">
          {items.map((item) => (
            <SortableItem key={item.id} item={item} row={row} />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  );
}

interface SortableItemProps {
  item: DragListProps['items'][number];
  row: DragListProps['row'];
}

function SortableItem({ item, row }: SortableItemProps) {
  const sortable = useSortable({ id: item.id });
  const { setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = sortable;
  return (
    <li
      ref={setNodeRef}
      className={isDragging ? 'relative z-10 rounded-control float' : undefined}
      style={{
        transform: transform ? `translate3d(0, ${Math.round(transform.y)}px, 0)` : undefined,
        transition,
      }}
    >
      {row(
        item.id,
        <ItemHandle
          title={item.title}
          ref={setActivatorNodeRef}
          {...sortable.attributes}
          {...sortable.listeners}
        />,
      )}
    </li>
  );
}
