import { listForecastVersions, VERSION_PAGE } from '#data/business-worksheets.ts';
import { differencesBetween, type Forecast, figuresOf } from '#domain/forecast.ts';
import { db } from '#lib/db.ts';
import { reportError } from '#stores/session.ts';
import { VersionHistory } from '#ui/VersionHistory.tsx';
import { dollars } from './amounts.ts';
import { lowestWords } from './Outlook.tsx';

interface HistoryProps {
  businessId: string;
  /** The forecast as it's shown, to compare with. */
  current: Forecast;
  /** Whether it's for someone of the business. */
  isOwn: boolean;
  timeZone: string;
  /** Null for people who can only read it. Throws an AppError. */
  onRestore: ((revision: number) => Promise<void>) | null;
  onClose: () => void;
}

/** Earlier versions, newest first: who, when, the lowest month, and what's different now. */
export const ForecastHistory = ({ businessId, current, isOwn, ...rest }: HistoryProps) => (
  <VersionHistory
    {...rest}
    title="History of the forecast"
    description="Each person’s last version of each day. Restoring one keeps the rest."
    newest="newest version"
    empty="Nothing saved yet."
    list={async (before) => listForecastVersions(await db(), businessId, before)}
    pageSize={VERSION_PAGE}
    on={[businessId]}
    onError={reportError}
  >
    {({ document }) => (
      <>
        <p className="text-sm">{lowestWords(figuresOf(document), document.floor, isOwn)}</p>
        <Differences before={document} after={current} />
      </>
    )}
  </VersionHistory>
);

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
