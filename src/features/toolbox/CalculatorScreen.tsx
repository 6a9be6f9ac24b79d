import { useEffect, useId, useState } from 'react';
import {
  type CalculatorField,
  type CalculatorKind,
  calculators,
  readField,
} from '#ui/calculators/definitions.ts';
import { Field } from '#ui/forms/Field.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useReady } from '#ui/use-ready.ts';

interface CalculatorProps {
  kind: CalculatorKind;
  /** Whose figures these are: they are kept in this browser for that person only. */
  personId: string;
}

type Typed = Record<string, string>;

const HINTS: Record<CalculatorField['unit'], string> = {
  dollars: 'In dollars.',
  hours: 'In hours.',
  percent: 'In percent.',
  share: 'In percent of the price.',
};

/** A calculator with the person's own figures, which are there again the next time. */
function CalculatorScreen({ kind, personId }: CalculatorProps) {
  const { title, fields, answer } = calculators[kind];
  const key = `trellis-calculator:${personId}:${kind}`;
  const [typed, setTyped] = useState<Typed>({});
  const heading = useId();
  const ready = useReady();
  useEffect(() => setTyped(readTyped(key)), [key]);

  const change = (name: string, value: string) => {
    const next = { ...typed, [name]: value };
    setTyped(next);
    keepTyped(key, next);
  };
  const read = fields.map((field) => ({
    field,
    value: readField(typed[field.name] ?? '', field.unit),
  }));
  const isBlank = (name: string) => (typed[name] ?? '').trim() === '';
  const blank = read.filter(({ field }) => isBlank(field.name)).length;
  const wrong = read.some(({ field, value }) => typeof value === 'string' && !isBlank(field.name));
  const result =
    blank === 0 && !wrong
      ? answer(Object.fromEntries(read.map(({ field, value }) => [field.name, Number(value)])))
      : null;
  return (
    <section aria-labelledby={heading} className="card mb-8 max-w-[68ch] p-5 sm:p-6">
      <h2 id={heading} className="text-lg">
        {title} with your figures
      </h2>
      <div className="mt-4 grid items-end gap-4 sm:grid-cols-2">
        {read.map(({ field, value }) => (
          <Field
            key={field.name}
            label={field.label}
            hint={field.hint ?? HINTS[field.unit]}
            error={typeof value === 'string' && !isBlank(field.name) ? value : undefined}
            inputMode="decimal"
            autoComplete="off"
            disabled={!ready}
            value={typed[field.name] ?? ''}
            onChange={(event) => change(field.name, event.currentTarget.value)}
          />
        ))}
      </div>
      <output className="mt-5 block rounded-control bg-raised px-4 py-3 text-sm" aria-live="polite">
        {result ? (
          <>
            <strong className="block text-xl figures">{result.headline}</strong>
            {result.lines.map((line) => (
              <span key={line} className="block text-muted">
                {line}
              </span>
            ))}
          </>
        ) : (
          <span className="text-muted">
            {wrong
              ? 'Mend the field above, and the answer stands here again.'
              : `The answer stands here once ${blank === 1 ? 'the last field is' : `the ${blank} fields are`} filled in. 0 counts.`}
          </span>
        )}
      </output>
      <p className="mt-3 text-xs text-muted">
        Your figures stay in this browser. Nobody else sees them.
      </p>
    </section>
  );
}

function readTyped(key: string): Typed {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([, text]) => typeof text === 'string'));
  } catch {
    return {};
  }
}

/** A browser that refuses storage keeps them as long as its tab is open. */
function keepTyped(key: string, typed: Typed): void {
  try {
    localStorage.setItem(key, JSON.stringify(typed));
  } catch {
    // Full or denied.
  }
}

export default screen(CalculatorScreen);
