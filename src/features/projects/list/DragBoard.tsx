/** The board with cards draggable by mouse or keyboard. Loaded on the first hover or focus. */

import {
  type Announcements,
  type CollisionDetection,
  DndContext,
  DragOverlay,
  KeyboardCode,
  type KeyboardCoordinateGetter,
  KeyboardSensor,
  PointerSensor,
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { type ReactNode, useState } from 'react';
import type { ListedProject } from '#data/project-list.ts';
import { type ProjectStatus, STATUS_LABELS } from '#domain/project.ts';
import { BoardGrid } from '#ui/Board.tsx';
import { CardHandle, type Column, type FrameProps, StatusColumn } from './board-parts.tsx';

/** The column under the pointer or the center of a card moved by keyboard; only x matters. */
const byColumn: CollisionDetection = (args) => {
  const { collisionRect, droppableRects, droppableContainers, pointerCoordinates } = args;
  const at = pointerCoordinates?.x ?? collisionRect.left + collisionRect.width / 2;
  const found = droppableContainers.find(({ id }) => {
    const rect = droppableRects.get(id);
    return rect !== undefined && rect.left <= at && at <= rect.right;
  });
  return found ? [{ id: found.id }] : [];
};

/** Arrow keys go from column to column, skipping the ones the card can't move to. */
const columnKeys: KeyboardCoordinateGetter = (event, { context, currentCoordinates }) => {
  const step =
    event.code === KeyboardCode.Right ? 1 : event.code === KeyboardCode.Left ? -1 : undefined;
  if (step === undefined) return undefined;
  event.preventDefault();
  const { droppableContainers, droppableRects, over } = context;
  const columns = droppableContainers
    .getEnabled()
    .toSorted(
      (a, b) => (droppableRects.get(a.id)?.left ?? 0) - (droppableRects.get(b.id)?.left ?? 0),
    );
  const next = columns[columns.findIndex(({ id }) => id === over?.id) + step];
  const rect = next && droppableRects.get(next.id);
  return rect ? { x: rect.left, y: currentCoordinates.y } : undefined;
};

const titleOf = (data: Record<string, unknown> | undefined) =>
  (data?.project as ListedProject | undefined)?.title ?? 'The project';
const words = (status: unknown) => STATUS_LABELS[status as ProjectStatus] ?? 'its place';

const announcements: Announcements = {
  onDragStart: ({ active }) => `Picked up ${titleOf(active.data.current)}.`,
  onDragOver: ({ active, over }) =>
    over ? `${titleOf(active.data.current)} is over ${words(over.id)}.` : undefined,
  // For a move to another column, the board makes the announcement, as it does for the menu.
  onDragEnd: ({ active, over }) =>
    over && over.id !== active.data.current?.project.status
      ? undefined
      : `${titleOf(active.data.current)} stays where it was.`,
  onDragCancel: ({ active }) => `${titleOf(active.data.current)} stays where it was.`,
};

const screenReaderInstructions = {
  draggable:
    'Press Space to pick up a project, the left and right arrow keys to move it to another status, Space to drop it, or Escape to cancel.',
};

export default function DragBoard({ columns, card, onMore, onDrop }: FrameProps) {
  const [dragged, setDragged] = useState<ListedProject | null>(null);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: columnKeys }),
  );
  const may = (status: ProjectStatus) =>
    dragged?.status === status || (dragged?.moves.some(({ to }) => to === status) ?? false);
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={byColumn}
      accessibility={{ announcements, screenReaderInstructions }}
      onDragStart={({ active }) => setDragged(active.data.current?.project as ListedProject)}
      onDragCancel={() => setDragged(null)}
      onDragEnd={({ over }) => {
        setDragged(null);
        const to = over?.id as ProjectStatus | undefined;
        if (dragged && to && to !== dragged.status) onDrop(dragged, to);
      }}
    >
      <BoardGrid>
        {columns.map((column) => (
          <DropColumn
            key={column.status}
            column={column}
            dragging={dragged !== null}
            open={dragged === null || may(column.status)}
            onMore={onMore}
          >
            {column.projects.map((project) => (
              <li key={project.id} className={dragged?.id === project.id ? 'opacity-40' : ''}>
                <DragCard project={project} card={card} />
              </li>
            ))}
          </DropColumn>
        ))}
      </BoardGrid>
      <DragOverlay dropAnimation={null}>
        {dragged && <div className="float rounded-control">{card(dragged, null)}</div>}
      </DragOverlay>
    </DndContext>
  );
}

interface DropProps {
  column: Column;
  dragging: boolean;
  open: boolean;
  children: ReactNode;
  onMore: (status: ProjectStatus) => void;
}

function DropColumn({ column, dragging, open, children, onMore }: DropProps) {
  const { setNodeRef, isOver } = useDroppable({ id: column.status, disabled: !open });
  const target = !dragging ? undefined : isOver ? 'over' : open ? 'open' : 'closed';
  return (
    <StatusColumn column={column} onMore={onMore} ref={setNodeRef} target={target}>
      {children}
    </StatusColumn>
  );
}

function DragCard({ project, card }: { project: ListedProject; card: FrameProps['card'] }) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef } = useDraggable({
    id: project.id,
    data: { project },
  });
  return (
    <div ref={setNodeRef}>
      {card(
        project,
        project.moves.length > 0 && (
          <CardHandle
            title={project.title}
            ref={setActivatorNodeRef}
            {...attributes}
            {...listeners}
          />
        ),
      )}
    </div>
  );
}
