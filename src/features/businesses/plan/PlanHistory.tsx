import { useEffect, useState } from 'react';
import { listPlanVersions, type PlanVersion, VERSION_PAGE } from '#data/business-plans.ts';
import { PLAN_LABELS, type PlanField } from '#domain/plan.ts';
import { momentText } from '#lib/dates.ts';
import { db } from '#lib/db.ts';
import type { AppError } from '#lib/errors.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';

interface HistoryProps {
  businessId: string;
  field: PlanField;
  timeZone: string;
  /** Null where one only reads. Throws an AppError. */
  onRestore: ((revision: number) => Promise<void>) | null;
  onClose: () => void;
}

/** What stood in a field before, with who wrote it and when. */
export function PlanHistory({ businessId, field, timeZone, onRestore, onClose }: HistoryProps) {
  const [versions, setVersions] = useState<PlanVersion[] | null>(null);
  const [more, setMore] = useState(false);
  const [busy, setBusy] = useState<number | 'more' | null>(null);
  const [failure, setFailure] = useState<AppError | null>(null);
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks again
  useEffect(() => {
    let over = false;
    setFailure(null);
    db()
      .then((client) => listPlanVersions(client, businessId, field))
      .then((found) => {
        if (over) return;
        setVersions(found);
        setMore(found.length === VERSION_PAGE);
      })
      .catch((thrown) => !over && setFailure(reportError(thrown)));
    return () => {
      over = true;
    };
  }, [businessId, field, tries]);

  async function loadMore() {
    setBusy('more');
    setFailure(null);
    try {
      const last = versions?.at(-1)?.revision;
      const older = await listPlanVersions(await db(), businessId, field, last);
      setVersions([...(versions ?? []), ...older]);
      setMore(older.length === VERSION_PAGE);
    } catch (thrown) {
      setFailure(reportError(thrown));
    }
    setBusy(null);
  }

  async function restore(revision: number) {
    setBusy(revision);
    setFailure(null);
    try {
      await onRestore?.(revision);
      onClose();
    } catch (thrown) {
      setFailure(reportError(thrown));
      setBusy(null);
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`History of ${PLAN_LABELS[field].title.toLowerCase()}`}
      description="What one person wrote in a stretch is one version. Bringing one back keeps all the others."
    >
      <Failure
        failure={failure}
        onRetry={versions === null ? () => setTries(tries + 1) : undefined}
      />
      {versions === null && !failure && (
        <div aria-busy="true" className="flex flex-col gap-3">
          <span className="sr-only" role="status">
            Loading
          </span>
          <Skeleton className="w-40" />
          <Skeleton className="h-16" />
          <Skeleton className="w-40" />
          <Skeleton className="h-16" />
        </div>
      )}
      {versions?.length === 0 && (
        <p className="text-sm text-muted">Nothing was written here yet.</p>
      )}
      {versions !== null && versions.length > 0 && (
        <ol className="flex flex-col divide-y divide-line">
          {versions.map((version, index) => (
            <li key={version.revision} className="flex flex-col gap-2 py-4 first:pt-0">
              <p className="text-sm text-muted">
                <strong className="text-ink">{version.saved_by ?? 'A former member'}</strong>,{' '}
                {momentText(version.saved_at, timeZone)}
                {version.restored_from !== null && ', brought back'}
                {index === 0 && ' · stands there now'}
              </p>
              <p className="text-sm whitespace-pre-line [overflow-wrap:anywhere]">
                {version.value || <span className="text-muted">(emptied)</span>}
              </p>
              {onRestore && index > 0 && (
                <Button
                  size="small"
                  variant="secondary"
                  className="self-start"
                  pending={busy === version.revision}
                  disabled={busy !== null && busy !== version.revision}
                  onClick={() => void restore(version.revision)}
                >
                  Bring this back
                  <span className="sr-only">
                    {' '}
                    of {momentText(version.saved_at, timeZone)}, {version.value.slice(0, 40)}
                  </span>
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
      {more && (
        <Button
          variant="secondary"
          className="self-start"
          pending={busy === 'more'}
          onClick={() => void loadMore()}
        >
          Show older versions
        </Button>
      )}
    </Dialog>
  );
}
