import { useStore } from '@nanostores/react';
import { useRef, useState } from 'react';
import type { ProjectMove } from '#data/projects.ts';
import { isOpenStatus, moveLabel, type ProjectStatus } from '#domain/project.ts';
import type { AppError } from '#lib/errors.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Notice } from '#ui/Notice.tsx';
import { DueMark, StatusMark } from '#ui/project-marks.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import { loadNoteDialog, noteWords } from './note.ts';
import type { ProjectStore } from './project-store.ts';

interface StepsProps {
  store: ProjectStore;
  /** Whether the user may move the project. A coach only sees the status. */
  mayMove: boolean;
  /** The reader's current day. */
  today: string;
  onStep: (from: ProjectStatus, to: ProjectStatus, note: string) => void;
}

/** The project's status, and the moves it can make from there. */
export function ProjectSteps({ store, mayMove, today, onStep }: StepsProps) {
  const { status, blocked_reason, done_count, task_count, due_on } = useStore(store.$project, {
    ssr: 'initial',
  });
  const section = useRef<HTMLElement>(null);
  useFocusBack(section, status);
  const [asking, setAsking] = useState<ProjectMove | null>(null);
  const note = useOpenedPart(loadNoteDialog, asking !== null, () => setAsking(null));
  const [failure, setFailure] = useState<{ error: AppError; again: () => void } | null>(null);

  async function go(step: ProjectMove, note: string) {
    setAsking(null);
    setFailure(null);
    try {
      await store.move(step, note);
      onStep(status, step.to, note);
    } catch (thrown) {
      setFailure({ error: reportError(thrown), again: () => void go(step, note) });
    }
  }

  return (
    <section ref={section} tabIndex={-1} aria-label="Status" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <p role="status">
          <span className="sr-only">Status: </span>
          <StatusMark status={status} />
        </p>
        {due_on && isOpenStatus(status) && (
          <p className="text-sm text-muted">
            <DueMark due={due_on} today={today} open />
          </p>
        )}
        {task_count > 0 && (
          <p className="text-sm text-muted figures">
            {done_count} of {task_count} {task_count === 1 ? 'task' : 'tasks'} done
          </p>
        )}
        {mayMove && (
          <Steps
            store={store}
            onStep={(step) => (step.note ? setAsking(step) : void go(step, ''))}
          />
        )}
      </div>
      {status === 'in_review' && done_count < task_count && (
        <p className="text-sm text-muted">
          {task_count - done_count} {task_count - done_count === 1 ? 'task' : 'tasks'} left. You can
          still mark the project as done.
        </p>
      )}
      {blocked_reason && (
        <Notice tone="caution" title="Blocked">
          <span className="whitespace-pre-line wrap-anywhere">{blocked_reason}</span>
        </Notice>
      )}
      <Failure
        failure={failure?.error}
        onRetry={failure?.error.kind === 'conflict' ? undefined : failure?.again}
        title="The status wasn’t changed"
      />
      {asking && note && (
        <note.NoteDialog
          {...noteWords(asking.to)}
          onCancel={() => setAsking(null)}
          onNote={(note) => void go(asking, note)}
        />
      )}
    </section>
  );
}

interface StepButtonsProps {
  store: ProjectStore;
  onStep: (step: ProjectMove) => void;
}

/**
 * The move that comes next: a finished project's is being done, and one is sent for review once none
 * of its tasks is left. None if it's the tasks that come next.
 */
function forwardOf(moves: readonly ProjectMove[], tasksLeft: number): ProjectMove | undefined {
  const next = moves.find(({ to }) => to !== 'blocked' && to !== 'canceled');
  if (next?.to === 'in_review' && tasksLeft > 0) return undefined;
  return moves.find(({ to }) => to === 'done') ?? next;
}

/** A button for each move. The one that comes next is the primary button. */
function Steps({ store, onStep }: StepButtonsProps) {
  const { status, done_count, task_count } = useStore(store.$project, { ssr: 'initial' });
  const moves = useStore(store.$moves, { ssr: 'initial' });
  const moving = useStore(store.$moving, { ssr: 'initial' });
  const forward = forwardOf(moves, task_count - done_count);
  return (
    <div className="flex flex-wrap gap-2">
      {moves.map((step) => (
        <Button
          key={step.to}
          size="small"
          variant={step === forward ? 'primary' : step.to === 'canceled' ? 'quiet' : 'secondary'}
          needsScript
          pending={moving === step.to}
          onClick={() => onStep(step)}
        >
          {moveLabel(status, step.to)}
        </Button>
      ))}
    </div>
  );
}
