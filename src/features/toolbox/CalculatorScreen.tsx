import { useEffect, useId, useState } from 'react';
import * as v from 'valibot';
import { readStored, writeStored } from '#lib/browser/stored.ts';
import {
  type CalculatorField,
  type CalculatorKind,
  calculators,
  readField,
} from '#ui/calculators/definitions.ts';
import { Field } from '#ui/forms/Field.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { useReady } from '#ui/use-ready.ts';

interface CalculatorProps {
  kind: CalculatorKind;
  /** The user the figures belong to; this browser stores them per user. */
  personId: string;
}

const typedFigures = v.record(v.string(), v.string());
type Typed = v.InferOutput<typeof typedFigures>;

const HINTS: Record<CalculatorField['unit'], string> = {
  dollars: 'In dollars.',
  hours: 'In hours.',
  percent: 'In percent.',
  share: 'In percent of the price.',
};

/** A calculator that keeps the user's figures in this browser for their next visit. */
function CalculatorScreen({ kind, personId }: CalculatorProps) {
  const { title, fields } = calculators[kind];
  const key = `trellis-calculator:${personId}:${kind}`;
  const [typed, setTyped] = useState<Typed>({});
  const ready = useReady();
  useEffect(() => setTyped(readStored(key, typedFigures) ?? {}), [key]);

  const change = (name: string, value: string) => {
    const next = { ...typed, [name]: value };
    setTyped(next);
    writeStored(key, next);
  };
  const figures = fields.map((field) => {
    const text = typed[field.name] ?? '';
    return { field, text, isBlank: text.trim() === '', value: readField(text, field.unit) };
  });
  return (
    <Section
      id={useId()}
      title={`${title} with your numbers`}
      className="card mb-8 max-w-[68ch] p-5 sm:p-6"
    >
      <div className="mt-4 grid items-end gap-4 sm:grid-cols-2">
        {figures.map(({ field, text, isBlank, value }) => (
          <Field
            key={field.name}
            label={field.label}
            hint={field.hint ?? HINTS[field.unit]}
            error={typeof value === 'string' && !isBlank ? value : undefined}
            inputMode="decimal"
            autoComplete="off"
            disabled={!ready}
            value={text}
            onChange={(event) => change(field.name, event.currentTarget.value)}
          />
        ))}
      </div>
      <output className="mt-5 block rounded-control bg-raised px-4 py-3 text-sm" aria-live="polite">
        <Answer kind={kind} figures={figures} />
      </output>
      <p className="mt-3 text-xs text-muted">
        Your numbers stay in this browser. Nobody else sees them.
      </p>
    </Section>
  );
}

interface AnswerProps {
  kind: CalculatorKind;
  /** Each field's value, or a sentence that says what's wrong with it. */
  figures: { field: CalculatorField; isBlank: boolean; value: number | string }[];
}

function Answer({ kind, figures }: AnswerProps) {
  const blank = figures.filter(({ isBlank }) => isBlank).length;
  const isWrong = figures.some(({ value, isBlank }) => typeof value === 'string' && !isBlank);
  if (isWrong || blank > 0) {
    return (
      <span className="text-muted">
        {isWrong
          ? 'Fix the field above to see the answer.'
          : `You’ll see the answer once ${blank === 1 ? 'the last field is' : `the ${blank} blank fields are`} filled in. Zero is fine.`}
      </span>
    );
  }
  const values = figures.map(({ field, value }) => [field.name, Number(value)]);
  const { headline, lines } = calculators[kind].answer(Object.fromEntries(values));
  return (
    <>
      <strong className="block text-xl figures">{headline}</strong>
      {lines.map((line) => (
        <span key={line} className="block text-muted">
          {line}
        </span>
      ))}
    </>
  );
}

export default screen(CalculatorScreen);
