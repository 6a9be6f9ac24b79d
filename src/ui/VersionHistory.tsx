import { type DependencyList, type ReactNode, useState } from 'react';
import type { AppError } from '#lib/errors.ts';
import { momentText } from '#lib/locale/dates.ts';
import { Button } from './Button.tsx';
import { DialogWindow } from './DialogWindow.tsx';
import { Failure } from './Failure.tsx';
import { Skeleton } from './Skeleton.tsx';
import { useAction } from './use-action.ts';
import { useAnswer } from './use-answer.ts';

/** An earlier version of something that people save. */
interface SavedVersion {
  revision: number;
  /** Null if the account was deleted. */
  saved_by: string | null;
  saved_at: string;
  /** The revision that was restored; null if it was typed. */
  restored_from: number | null;
}

interface HistoryProps<Version extends SavedVersion> {
  title: string;
  description: string;
  /** What the first version is called: "current version". */
  newest: string;
  /** What's said without any versions. */
  empty: string;
  /** Loads a page of versions, newest first; `before` is a revision. Throws an AppError. */
  list: (before?: number) => Promise<Version[]>;
  /** Versions per page. */
  pageSize: number;
  /** When these change, the list is loaded again. */
  on: DependencyList;
  timeZone: string;
  /** Converts what was thrown to an AppError. */
  onError: (thrown: unknown) => AppError;
  /** Null for people who can only read it. Throws an AppError. */
  onRestore: ((revision: number) => Promise<void>) | null;
  onClose: () => void;
  /** What was saved, and what's different now. */
  children: (version: Version) => ReactNode;
  /** A few words that tell a version from others of the same minute. */
  nameOf?: (version: Version) => string;
}

/** A dialog of earlier versions, newest first: who saved them, when, and a way back to each. */
export function VersionHistory<Version extends SavedVersion>(props: HistoryProps<Version>) {
  const { list, on, onError, onRestore, onClose, pageSize, timeZone, nameOf } = props;
  const first = useAnswer(() => list(), onError, on);
  const { pending, failure, run } = useAction(onError);
  const [older, setOlder] = useState<Version[]>([]);
  const [lastPage, setLastPage] = useState(pageSize);
  const [restoring, setRestoring] = useState<number | null>(null);
  const versions = first.answer && [...first.answer, ...older];
  const loadMore = async () => {
    const page = await list(versions?.at(-1)?.revision);
    setOlder([...older, ...page]);
    setLastPage(page.length);
  };
  const restore = async (revision: number) => {
    setRestoring(revision);
    await run(async () => onRestore?.(revision).then(onClose));
    setRestoring(null);
  };
  return (
    <DialogWindow open onOpenChange={onClose} title={props.title} description={props.description}>
      <Failure
        failure={first.failure ?? failure}
        onRetry={first.failure ? first.retry : undefined}
      />
      {!versions && !first.failure && <Loading />}
      {versions?.length === 0 && <p className="text-sm text-muted">{props.empty}</p>}
      <ol className="flex flex-col divide-y divide-line empty:hidden">
        {versions?.map((version, index) => (
          <li key={version.revision} className="flex flex-col gap-2 py-4 first:pt-0">
            <p className="text-sm text-muted">
              <strong className="text-ink">{version.saved_by ?? 'A former member'}</strong>,{' '}
              {momentText(version.saved_at, timeZone)}
              {version.restored_from !== null && ', restored'}
              {index === 0 && ` · ${props.newest}`}
            </p>
            {props.children(version)}
            {onRestore && index > 0 && (
              <Button
                size="small"
                variant="secondary"
                className="self-start"
                pending={restoring === version.revision}
                disabled={pending && restoring !== version.revision}
                onClick={() => void restore(version.revision)}
              >
                Restore this
                <span className="sr-only">
                  {' '}
                  from{' '}
                  {[momentText(version.saved_at, timeZone), nameOf?.(version)]
                    .filter(Boolean)
                    .join(', ')}
                </span>
              </Button>
            )}
          </li>
        ))}
      </ol>
      {first.answer?.length === pageSize && lastPage === pageSize && (
        <Button
          variant="secondary"
          className="self-start"
          pending={pending && restoring === null}
          onClick={() => void run(loadMore)}
        >
          Show older versions
        </Button>
      )}
    </DialogWindow>
  );
}

const Loading = () => (
  <div aria-busy="true" className="flex flex-col gap-3">
    <span className="sr-only" role="status">
      Loading
    </span>
    <Skeleton className="w-40" />
    <Skeleton className="h-16" />
    <Skeleton className="w-40" />
    <Skeleton className="h-16" />
  </div>
);
