import { listPlanVersions, VERSION_PAGE } from '#data/business-plans.ts';
import { PLAN_LABELS, type PlanField } from '#domain/plan.ts';
import { db } from '#lib/db.ts';
import { reportError } from '#stores/session.ts';
import { VersionHistory } from '#ui/VersionHistory.tsx';

interface HistoryProps {
  businessId: string;
  field: PlanField;
  timeZone: string;
  /** Null for people who can only read it. Throws an AppError. */
  onRestore: ((revision: number) => Promise<void>) | null;
  onClose: () => void;
}

/** The versions of a field, newest first, with who wrote them and when. */
export const PlanHistory = ({ businessId, field, ...rest }: HistoryProps) => (
  <VersionHistory
    {...rest}
    title={`History of ${PLAN_LABELS[field].title.toLowerCase()}`}
    description="Each version is one person’s edits in one sitting. Restoring one keeps the rest."
    newest="current version"
    empty="Nothing written here yet."
    list={async (before) => listPlanVersions(await db(), businessId, field, before)}
    pageSize={VERSION_PAGE}
    on={[businessId, field]}
    onError={reportError}
    nameOf={({ value }) => value.slice(0, 40)}
  >
    {({ value }) => (
      <p className="text-sm whitespace-pre-line [overflow-wrap:anywhere]">
        {value || <span className="text-muted">(cleared)</span>}
      </p>
    )}
  </VersionHistory>
);
