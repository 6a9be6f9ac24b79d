import { useState } from 'react';
import {
  type ForecastVersion,
  listForecastVersions,
  VERSION_PAGE,
} from '#data/business-worksheets.ts';
import { differencesBetween, type Forecast, figuresOf } from '#domain/forecast.ts';
import { db } from '#lib/db.ts';
import { momentText } from '#lib/locale/dates.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { DialogWindow } from '#ui/DialogWindow.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import { useAction } from '#ui/use-action.ts';
import { useAnswer } from '#ui/use-answer.ts';
import { dollars } from './amounts.ts';
import { lowestWords } from './Outlook.tsx';

interface HistoryProps {
  businessId: string;
  /** The forecast as it's shown, to compare with. */
  current: Forecast;
  timeZone: string;
  /** Null for people who can only read it. Throws an AppError. */
  onRestore: ((revision: number) => Promise<void>) | null;
  onClose: () => void;
}

/** Earlier versions, newest first: who, when, the lowest month, and what's different now. */
export function ForecastHistory(props: HistoryProps) {
  const { businessId, current, timeZone, onRestore, onClose } = props;
  const list = async (before?: number) => listForecastVersions(await db(), businessId, before);
  const first = useAnswer(() => list(), reportError, [businessId]);
  const { pending, failure, run } = useAction(reportError);
  const [older, setOlder] = useState<ForecastVersion[]>([]);
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
    <DialogWindow
      open
      onOpenChange={onClose}
      title="History of the forecast"
      description="Each person’s last version of each day. Restoring one keeps the rest."
    >
      <Failure
        failure={first.failure ?? failure}
        onRetry={first.failure ? first.retry : undefined}
      />
      {!versions && !first.failure && (
        <div aria-busy="true" className="flex flex-col gap-3">
          <span className="sr-only" role="status">
            Loading
          </span>
          <Skeleton className="w-40" />
          <Skeleton className="h-16" />
        </div>
      )}
      {versions?.length === 0 && <p className="text-sm text-muted">Nothing saved yet.</p>}
      <ol className="flex flex-col divide-y divide-line empty:hidden">
        {versions?.map(({ revision, document, saved_at, saved_by, restored_from }, index) => (
          <li key={revision} className="flex flex-col gap-2 py-4 first:pt-0">
            <p className="text-sm text-muted">
              <strong className="text-ink">{saved_by ?? 'A former member'}</strong>,{' '}
              {momentText(saved_at, timeZone)}
              {restored_from !== null && ', restored'}
              {index === 0 && ' · newest version'}
            </p>
            <p className="text-sm">{lowestWords(figuresOf(document), document.floor)}</p>
            <Differences before={document} after={current} />
            {onRestore && index > 0 && (
              <Button
                size="small"
                variant="secondary"
                className="self-start"
                pending={restoring === revision}
                disabled={pending && restoring !== revision}
                onClick={() => void restore(revision)}
              >
                Restore this
                <span className="sr-only"> from {momentText(saved_at, timeZone)}</span>
              </Button>
            )}
          </li>
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
    </DialogWindow>
  );
}

const amount = (cents: number | null) => (cents === null ? 'blank' : dollars(cents));

/** The most differences that are listed. */
const MOST = 50;

function Differences({ before, after }: { before: Forecast; after: Forecast }) {
  const list = differencesBetween(before, after);
  if (list.length === 0) return <p className="text-sm text-muted">The same amounts as now.</p>;
  return (
    <details className="text-sm">
      <summary className="link inline-block py-1 pointer-coarse:py-3">
        {list.length === 1 ? 'One amount is' : `${list.length} amounts are`} different now
      </summary>
      <ul className="mt-1 flex flex-col gap-1">
        {list.slice(0, MOST).map(({ what, before: was, after: is }) => (
          <li key={what} className="[overflow-wrap:anywhere]">
            {what}: {amount(was)} then, {amount(is)} now
          </li>
        ))}
        {list.length > MOST && <li>… and {list.length - MOST} more.</li>}
      </ul>
    </details>
  );
}
