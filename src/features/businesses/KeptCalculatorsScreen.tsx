import { useState } from 'react';
import {
  type CalculatorDocument,
  listCalculatorVersions,
  VERSION_PAGE,
} from '#data/business-worksheets.ts';
import { db } from '#lib/db.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { answerOf, typedFields } from '#ui/calculators/answer.ts';
import { type CalculatorKind, calculators, withSign } from '#ui/calculators/definitions.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { useOpenedPart } from '#ui/use-part.ts';

interface KeptProps {
  /** What was typed into each calculator; null where nothing was. */
  kept: readonly { kind: CalculatorKind; document: CalculatorDocument | null }[];
  businessId: string;
  timeZone: string;
}

const loadHistory = () => import('#ui/calculators/CalculatorHistory.tsx');

/** The calculators that a business keeps, with their results and their history. */
function KeptCalculatorsScreen({ kept, businessId, timeZone }: KeptProps) {
  const [open, setOpen] = useState<CalculatorKind | null>(null);
  const part = useOpenedPart(loadHistory, open !== null, () => setOpen(null));
  const filled = kept.flatMap(({ kind, document }) => (document ? { kind, document } : []));
  if (filled.length === 0) return null;
  return (
    <Section id="calculators" title="Calculators" className="mt-8">
      <ul className="mt-3 grid gap-4 md:grid-cols-2 xl:grid-cols-3">
        {filled.map(({ kind, document }) => {
          const fields = typedFields(kind, document);
          const answer = answerOf(kind, fields);
          return (
            <li key={kind} className="card p-5 text-sm">
              <h3>{calculators[kind].title}</h3>
              <p className="mt-1 font-semibold figures">
                {answer?.headline ?? 'Not filled in completely'}
              </p>
              <dl className="mt-2 text-muted">
                {fields.map(({ field, text }) => (
                  <div key={field.name} className="flex justify-between gap-4">
                    <dt>{field.label}</dt>
                    <dd className="figures [overflow-wrap:anywhere]">
                      {withSign(text, field.unit) || '–'}
                    </dd>
                  </div>
                ))}
              </dl>
              <Button
                size="small"
                variant="secondary"
                className="mt-3"
                needsScript
                onClick={() => setOpen(kind)}
              >
                History<span className="sr-only"> of {calculators[kind].title.toLowerCase()}</span>
              </Button>
            </li>
          );
        })}
      </ul>
      {open && part && (
        <part.CalculatorHistory
          kind={open}
          typed={filled.find(({ kind }) => kind === open)?.document ?? {}}
          list={async (before) => listCalculatorVersions(await db(), businessId, open, before)}
          pageSize={VERSION_PAGE}
          timeZone={timeZone}
          onError={reportError}
          // Figures are changed, and restored, in the calculator.
          onRestore={null}
          onClose={() => setOpen(null)}
        />
      )}
    </Section>
  );
}

export default screen(KeptCalculatorsScreen);
