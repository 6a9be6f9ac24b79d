import { type ComponentProps, type ReactNode, useState } from 'react';
import { listPlanVersions, type PlanVersion, VERSION_PAGE } from '#data/business-plans.ts';
import { PLAN_LABELS, type PlanField } from '#domain/plan.ts';
import { db } from '#lib/db.ts';
import { momentText } from '#lib/locale/dates.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import { useAction } from '#ui/use-action.ts';
import { useAnswer } from '#ui/use-answer.ts';

interface HistoryProps {
  businessId: string;
  field: PlanField;
  timeZone: string;
  /** Null for people who can only read it. Throws an AppError. */
  onRestore: ((revision: number) => Promise<void>) | null;
  onClose: () => void;
}

/** The versions of a field, newest first, with who wrote them and when. */
export function PlanHistory({ businessId, field, timeZone, onRestore, onClose }: HistoryProps) {
  const list = async (before?: number) => listPlanVersions(await db(), businessId, field, before);
  const first = useAnswer(() => list(), reportError, [businessId, field]);
  const { pending, failure, run } = useAction(reportError);
  const [older, setOlder] = useState<PlanVersion[]>([]);
  const [lastPage, setLastPage] = useState(VERSION_PAGE);
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
    <Dialog
      open
      onOpenChange={onClose}
      title={`History of ${PLAN_LABELS[field].title.toLowerCase()}`}
      description="Each version is one person’s edits in one sitting. Restoring one keeps the rest."
    >
      <Failure
        failure={first.failure ?? failure}
        onRetry={first.failure ? first.retry : undefined}
      />
      {!versions && !first.failure && <Loading />}
      {versions?.length === 0 && <p className="text-sm text-muted">Nothing written here yet.</p>}
      <ol className="flex flex-col divide-y divide-line empty:hidden">
        {versions?.map((version, index) => (
          <Version key={version.revision} version={version} timeZone={timeZone} isNow={index === 0}>
            {onRestore && index > 0 && (
              <RestoreButton
                of={`${momentText(version.saved_at, timeZone)}, ${version.value.slice(0, 40)}`}
                pending={restoring === version.revision}
                disabled={pending && restoring !== version.revision}
                onClick={() => void restore(version.revision)}
              />
            )}
          </Version>
        ))}
      </ol>
      {first.answer?.length === VERSION_PAGE && lastPage === VERSION_PAGE && (
        <Button
          variant="secondary"
          className="self-start"
          pending={pending && restoring === null}
          onClick={() => void run(loadMore)}
        >
          Show older versions
        </Button>
      )}
    </Dialog>
  );
}

type RestoreProps = Pick<ComponentProps<'button'>, 'disabled' | 'onClick'> & {
  of: string;
  pending: boolean;
};

const RestoreButton = ({ of, ...rest }: RestoreProps) => (
  <Button {...rest} size="small" variant="secondary" className="self-start">
    Restore this<span className="sr-only"> from {of}</span>
  </Button>
);

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

interface VersionProps {
  version: PlanVersion;
  timeZone: string;
  isNow: boolean;
  children: ReactNode;
}

function Version({ version, timeZone, isNow, children }: VersionProps) {
  return (
    <li className="flex flex-col gap-2 py-4 first:pt-0">
      <p className="text-sm text-muted">
        <strong className="text-ink">{version.saved_by ?? 'A former member'}</strong>,{' '}
        {momentText(version.saved_at, timeZone)}
        {version.restored_from !== null && ', restored'}
        {isNow && ' · current version'}
      </p>
      <p className="text-sm whitespace-pre-line [overflow-wrap:anywhere]">
        {version.value || <span className="text-muted">(cleared)</span>}
      </p>
      {children}
    </li>
  );
}
