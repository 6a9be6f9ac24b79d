import type { CalculatorDocument } from '#data/business-worksheets.ts';
import { answerOf, typedFields } from '#ui/calculators/answer.ts';
import { type CalculatorKind, calculators } from '#ui/calculators/definitions.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';

interface KeptProps {
  /** What was typed into each calculator; null where nothing was. */
  kept: readonly { kind: CalculatorKind; document: CalculatorDocument | null }[];
}

/** The calculators that a business keeps, with their results. Rendered on the server only. */
function KeptCalculatorsScreen({ kept }: KeptProps) {
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
                    <dd className="figures [overflow-wrap:anywhere]">{text || '–'}</dd>
                  </div>
                ))}
              </dl>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

export default screen(KeptCalculatorsScreen);
