/** Tasks draggable by mouse, touch or keyboard. Loaded when the user hovers over or focuses one. */
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
import type { ProjectTask } from '#data/projects.ts';
import { type TaskFrameProps, TaskHandle } from './task-parts.tsx';

const screenReaderInstructions = {
  draggable:
    'Press Space to pick up a task, the up and down arrow keys to move it, Space to drop it, or Escape to cancel.',
};

export default function DragTasks({ tasks, row, onDrop }: TaskFrameProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const placeOf = (id: unknown) => tasks.findIndex((task) => task.id === id);
  const titleOf = (id: unknown) => tasks[placeOf(id)]?.title ?? 'The task';
  const where = (id: unknown) => `position ${placeOf(id) + 1} of ${tasks.length}`;
  // A task starts out over its own position; announcing that would drown out the pickup.
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
      accessibility={{ announcements, screenReaderInstructions }}
      onDragEnd={({ active, over }) => {
        if (over && over.id !== active.id) onDrop(String(active.id), placeOf(over.id));
      }}
    >
      <SortableContext items={tasks.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
        <ol className="divide-y divide-line">
          {tasks.map((task) => (
            <SortableTask key={task.id} task={task} row={row} />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  );
}

function SortableTask({ task, row }: { task: ProjectTask; row: TaskFrameProps['row'] }) {
  const sortable = useSortable({ id: task.id });
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
        task,
        <TaskHandle
          title={task.title}
          ref={setActivatorNodeRef}
          {...sortable.attributes}
          {...sortable.listeners}
        />,
      )}
    </li>
  );
}
