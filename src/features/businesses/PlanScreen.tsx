import { type ReactNode, useState } from 'react';
import type { Plan, SavedField } from '#data/business-plans.ts';
import { PLAN_FIELDS, PLAN_GROUPS, PLAN_LABELS, type PlanField } from '#domain/plan.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { NotStarted } from './NotStarted.tsx';
import { HistoryButton, PlanBox } from './plan/PlanBox.tsx';
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

interface HeadProps {
  plan: Plan;
  /** Whether there's anything to print. */
  prints: boolean;
  children: ReactNode;
}

function Head({ plan, prints, children }: HeadProps) {
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
      {prints && (
        <Button variant="secondary" needsScript onClick={() => window.print()}>
          Print on one page
        </Button>
      )}
    </header>
  );
}

/** "7 of 14 boxes filled in." */
const filledWords = (fields: Record<PlanField, { value: string }>) =>
  `${PLAN_FIELDS.filter((field) => fields[field].value.trim() !== '').length} of ${PLAN_FIELDS.length} boxes filled in.`;

const BOXES = 'grid gap-x-6 md:grid-cols-2 xl:grid-cols-3';

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
        <Head plan={plan} prints={PLAN_FIELDS.some((field) => fields[field].value !== '')}>
          {status}
        </Head>
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
  const stored = fieldsOf(initial.plan);
  const status = (
    <>
      <p className="text-sm">{filledWords(fields)}</p>
      <PageState fields={Object.values(fields)} />
    </>
  );
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
          className="flex flex-col gap-8"
        >
          {PLAN_GROUPS.map(({ title, fields: own }) => (
            <fieldset key={title}>
              <legend className="font-display text-lg">{title}</legend>
              <div className={classNames(BOXES, 'mt-3 gap-y-4')}>
                {own.map((field) => (
                  <PlanBox
                    key={field}
                    field={field}
                    state={fields[field]}
                    hasHistory={stored[field].revision > 0}
                    onType={(value) => autosave.type(field, value)}
                    onChoose={(which) => autosave.choose(field, which)}
                    onHistory={() => {
                      // The history should include what was just typed.
                      autosave.flush();
                      showHistory(field);
                    }}
                  />
                ))}
              </div>
            </fieldset>
          ))}
        </form>
      )}
    </Frame>
  );
}

function Read({ initial }: { initial: PlanInitial }) {
  const { plan } = initial;
  const fields = fieldsOf(plan);
  const written = PLAN_FIELDS.filter((field) => fields[field].value !== '');
  const status = (
    <p className="text-sm text-muted">
      {plan.archived
        ? 'This business is archived, so its plan is read-only.'
        : 'You’re viewing this as the coach.'}{' '}
      {written.length > 0 && filledWords(fields)}
    </p>
  );
  return (
    <Frame initial={initial} fields={fields} status={status} onRestore={null}>
      {(showHistory) =>
        written.length === 0 ? (
          <NotStarted what="the plan" client={plan.client} />
        ) : (
          <ReadBoxes fields={fields} written={written} onHistory={showHistory} />
        )
      }
    </Frame>
  );
}

interface ReadBoxesProps {
  fields: Record<PlanField, SavedField>;
  written: readonly PlanField[];
  onHistory: (field: PlanField) => void;
}

/** What's written, by group, and what isn't in one line. */
function ReadBoxes({ fields, written, onHistory }: ReadBoxesProps) {
  const missing = PLAN_FIELDS.filter((field) => !written.includes(field));
  return (
    <div className="flex flex-col gap-8">
      {PLAN_GROUPS.map(({ title, fields: all }) => {
        const own = all.filter((field) => written.includes(field));
        return (
          own.length > 0 && (
            <Section key={title} id={title.toLowerCase().replaceAll(' ', '-')} title={title}>
              <dl className={classNames(BOXES, 'mt-3 gap-y-5')}>
                {own.map((field) => (
                  <div key={field} className="card flex flex-col gap-1 p-4">
                    <dt className="text-sm font-semibold">{PLAN_LABELS[field].title}</dt>
                    <dd className="text-sm whitespace-pre-line [overflow-wrap:anywhere]">
                      {fields[field].value}
                    </dd>
                    <dd className="mt-auto pt-2">
                      <HistoryButton field={field} onHistory={() => onHistory(field)} />
                    </dd>
                  </div>
                ))}
              </dl>
            </Section>
          )
        );
      })}
      {missing.length > 0 && (
        <p className="max-w-[68ch] text-sm text-muted">
          Not written yet: {missing.map((field) => PLAN_LABELS[field].title).join('; ')}.
        </p>
      )}
    </div>
  );
}

export default screen(PlanScreen);
