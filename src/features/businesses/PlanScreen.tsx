import { type ReactNode, useState } from 'react';
import type { Plan } from '#data/business-plans.ts';
import { PLAN_FIELDS, PLAN_LABELS, type PlanField } from '#domain/plan.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { PlanBox } from './plan/PlanBox.tsx';
import { PlanHistory } from './plan/PlanHistory.tsx';
import { PrintedPlan } from './plan/PrintedPlan.tsx';
import { createPlanStore, fieldsOf } from './plan/plan-store.ts';
import { PageState, useAutosave } from './use-autosave.tsx';

export interface PlanInitial {
  plan: Plan;
  userId: string;
  timeZone: string;
}

/** The one-page plan of a business: members edit it, its coach reads it, it prints on one page. */
function PlanScreen({ initial }: { initial: PlanInitial }) {
  const { role, archived } = initial.plan;
  return role !== null && !archived ? <Written initial={initial} /> : <Read initial={initial} />;
}

/** The day of the newest change, as text; today if nothing has been saved. */
function dayOf({ fields }: Plan, timeZone: string): string {
  const [newest] = fields
    .map(({ saved_at }) => saved_at)
    .toSorted()
    .toReversed();
  return dayText(newest ?? new Date().toISOString(), timeZone);
}

function Head({ plan, children }: { plan: Plan; children: ReactNode }) {
  const href = hrefFor('/dashboard/businesses/[id]', { id: plan.business_id });
  return (
    <header className="flex flex-wrap items-start justify-between gap-4 print:hidden">
      <div className="min-w-0">
        <p className="text-sm [overflow-wrap:anywhere]">
          <a className="link" href={href}>
            {plan.name}
          </a>
        </p>
        <h1 className="mt-1">One-page plan</h1>
        <div className="mt-2">{children}</div>
      </div>
      <Button variant="secondary" needsScript onClick={() => window.print()}>
        Print on one page
      </Button>
    </header>
  );
}

interface FrameProps {
  initial: PlanInitial;
  fields: Record<PlanField, { value: string }>;
  status: ReactNode;
  /** Null for people who can only read it. */
  onRestore: ((field: PlanField, revision: number) => Promise<void>) | null;
  children: (showHistory: (field: PlanField) => void) => ReactNode;
}

/** The frame around a plan's fields: heading, print version and the history of a field. */
function Frame({ initial, fields, status, onRestore, children }: FrameProps) {
  const { plan, timeZone } = initial;
  const [history, setHistory] = useState<PlanField | null>(null);
  return (
    <>
      <div className="flex flex-col gap-7 print:hidden">
        <Head plan={plan}>{status}</Head>
        {children(setHistory)}
      </div>
      <PrintedPlan name={plan.name} day={dayOf(plan, timeZone)} fields={fields} />
      {history && (
        <PlanHistory
          businessId={plan.business_id}
          field={history}
          timeZone={timeZone}
          onRestore={onRestore && ((revision) => onRestore(history, revision))}
          onClose={() => setHistory(null)}
        />
      )}
    </>
  );
}

function Written({ initial }: { initial: PlanInitial }) {
  const [store] = useState(() => createPlanStore(initial.plan, initial.userId));
  const { autosave, fields } = useAutosave(() => store.autosave);
  const status = <PageState fields={Object.values(fields)} />;
  return (
    <Frame initial={initial} fields={fields} status={status} onRestore={store.restore}>
      {(showHistory) => (
        <form
          method="post"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            autosave.flush();
          }}
          className="grid gap-x-6 gap-y-4 md:grid-cols-2 xl:grid-cols-3"
        >
          {PLAN_FIELDS.map((field) => (
            <PlanBox
              key={field}
              field={field}
              state={fields[field]}
              onType={(value) => autosave.type(field, value)}
              onChoose={(which) => autosave.choose(field, which)}
              onHistory={() => {
                // The history should include what was just typed.
                autosave.flush();
                showHistory(field);
              }}
            />
          ))}
        </form>
      )}
    </Frame>
  );
}

function Read({ initial }: { initial: PlanInitial }) {
  const { plan } = initial;
  const fields = fieldsOf(plan);
  const status = (
    <p className="text-sm text-muted">
      {plan.archived
        ? 'This business is archived, so its plan is read-only.'
        : 'You’re viewing this as the coach.'}
    </p>
  );
  return (
    <Frame initial={initial} fields={fields} status={status} onRestore={null}>
      {(showHistory) =>
        plan.fields.every(({ value }) => value === '') ? (
          <Notice title="Nothing written yet">The plan will show up here.</Notice>
        ) : (
          <dl className="grid gap-x-6 gap-y-5 md:grid-cols-2 xl:grid-cols-3">
            {PLAN_FIELDS.map((field) => (
              <div key={field} className="card flex flex-col gap-1 p-4">
                <dt className="text-sm font-semibold">{PLAN_LABELS[field].title}</dt>
                <dd className="text-sm whitespace-pre-line [overflow-wrap:anywhere]">
                  {fields[field].value || <span className="text-muted">Not written yet</span>}
                </dd>
                {fields[field].revision > 0 && (
                  <dd className="mt-auto pt-2">
                    <Button
                      size="small"
                      variant="quiet"
                      className="-ml-3"
                      needsScript
                      onClick={() => showHistory(field)}
                    >
                      History<span className="sr-only"> of {PLAN_LABELS[field].title}</span>
                    </Button>
                  </dd>
                )}
              </div>
            ))}
          </dl>
        )
      }
    </Frame>
  );
}

export default screen(PlanScreen);
