import { useStore } from '@nanostores/react';
import { type ReactNode, useRef, useState } from 'react';
import type { ListedProject } from '#data/project-list.ts';
import type { ProjectMove } from '#data/projects.ts';
import { BOARD_STATUSES, moveLabel, type ProjectStatus, STATUS_LABELS } from '#domain/project.ts';
import { classNames } from '#ui/class-names.ts';
import { Failure } from '#ui/Failure.tsx';
import { DOTS, LineIcon } from '#ui/LineIcon.tsx';
import { renderSharedMenu, useSharedMenu } from '#ui/shared-menu.tsx';
import { useDrag } from '#ui/use-drag.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import { loadNoteDialog, noteWords } from '../project/note.ts';
import { type FrameProps, PlainBoard, ProjectCard } from './board-parts.tsx';
import type { ProjectListStore } from './project-list-store.ts';

interface BoardProps {
  store: ProjectListStore;
  today: string;
  manyBusinesses: boolean;
  /** Shown instead of the board if there are no projects. */
  empty: ReactNode;
}

const loadDrag = () => import('./DragBoard.tsx');

/** Projects by status, or why there are none. */
export function ProjectBoard({ empty, ...props }: BoardProps) {
  const { store } = props;
  const { rows } = useStore(store.$page, { ssr: 'initial' });
  const state = useStore(store.$state, { ssr: 'initial' });
  const isLoading = state.name === 'loading';
  return (
    <div aria-busy={isLoading} className="flex flex-col gap-4">
      <p role="status" className="sr-only">
        {state.name === 'ready' && `${rows.length} ${rows.length === 1 ? 'project' : 'projects'}.`}
      </p>
      {state.name === 'failed' && (
        <Failure failure={state.error} onRetry={store.retry} title="We couldn’t load the list" />
      )}
      <div className={classNames('transition-opacity', isLoading && 'opacity-60')}>
        {rows.length === 0 ? empty : <Board {...props} />}
      </div>
    </div>
  );
}

/** Cards can be moved from their menu, by dragging, or by keyboard on their handle. */
function Board({ store, today, manyBusinesses }: Omit<BoardProps, 'empty'>) {
  const { rows: projects, counts } = useStore(store.$page, { ssr: 'initial' });
  const { Frame, around } = useDrag<FrameProps>(PlainBoard, loadDrag);
  const [asking, setAsking] = useState<{ project: ListedProject; step: ProjectMove } | null>(null);
  const note = useOpenedPart(loadNoteDialog, asking !== null, () => setAsking(null));
  const menu = useSharedMenu();
  const [said, setSaid] = useState('');
  // A card that changes columns is mounted again there, so the element with the focus is gone.
  const moved = useRef<string | null>(null);
  const card = useRef({
    focus: () =>
      around.ref.current
        ?.querySelector<HTMLElement>(`[data-project="${moved.current}"] a`)
        ?.focus(),
  });
  useFocusBack(card, projects);
  const move = (project: ListedProject, step: ProjectMove, note: string) => {
    moved.current = project.id;
    setSaid(`${project.title} is now ${STATUS_LABELS[step.to].toLowerCase()}.`);
    void store.move(project, step, note);
  };
  const go = (project: ListedProject, to: ProjectStatus) => {
    const step = project.moves.find((each) => each.to === to);
    if (step?.note) setAsking({ project, step });
    else if (step) move(project, step, '');
  };
  const columns = BOARD_STATUSES.map((status) => {
    const own = projects.filter((project) => project.status === status);
    return { status, projects: own, count: Math.max(counts?.[status] ?? 0, own.length) };
  });
  return (
    <div {...around}>
      <p role="status" className="sr-only">
        {said}
      </p>
      <Frame
        columns={columns}
        onMore={(status) => void store.more(status)}
        onDrop={go}
        card={(project, handle) => (
          <ProjectCard
            project={project}
            today={today}
            manyBusinesses={manyBusinesses}
            handle={handle}
            menu={renderMoves({ project, menu, onMove: (to) => go(project, to) })}
          />
        )}
      />
      {asking && note && (
        <note.NoteDialog
          {...noteWords(asking.step.to)}
          onCancel={() => setAsking(null)}
          onNote={(words) => {
            setAsking(null);
            move(asking.project, asking.step, words);
          }}
        />
      )}
    </div>
  );
}

const DOTS_ICON = LineIcon({ d: DOTS, box: 24, width: 4, className: 'size-4' });

interface MoveProps {
  project: ListedProject;
  menu: ReturnType<typeof useSharedMenu>;
  onMove: (to: ProjectStatus) => void;
}

/** Renders the button of a card's menu. */
function renderMoves({ project, menu, onMove }: MoveProps) {
  const { id, title, status, moves } = project;
  if (moves.length === 0) return null;
  const items = moves.map(({ to }) => ({
    key: to,
    label: moveLabel(status, to),
    danger: to === 'canceled',
    onSelect: () => onMove(to),
  }));
  return renderSharedMenu({
    name: id,
    menu: menu.menuOf(id),
    ask: menu.ask,
    label: `Move ${title}`,
    groups: () => [items],
    trigger: (
      <button
        type="button"
        aria-label={`Move ${title}`}
        data-tooltip="Move"
        className="-my-2 -mr-2 grid size-11 shrink-0 place-items-center rounded-small text-muted hover:bg-raised hover:text-ink lg:-my-1 lg:size-9"
      >
        {DOTS_ICON}
      </button>
    ),
  });
}
