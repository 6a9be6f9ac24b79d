import type { SessionProblems } from '#lib/closed-session.ts';
import { CURRENCIES } from '#lib/schemas/figures.ts';
import type { SessionForm } from '#lib/session-form.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { ReadySelect, ReadyTextInput } from '#ui/forms/ready-inputs.tsx';
import type { ClosingStore } from './closing-store.ts';
import { blankFigures } from './start.ts';

interface FiguresProps {
  store: ClosingStore;
  form: SessionForm;
  problems: SessionProblems;
  currency: string;
}

type Figures = NonNullable<SessionForm['figures']>;

/** The business's figures, if they came up and changed. */
export function FigureFields({ store, form, problems, currency }: FiguresProps) {
  const { figures } = form;
  if (!figures) {
    return (
      <Button
        variant="secondary"
        className="self-start"
        needsScript
        onClick={() => store.change({ figures: blankFigures(currency) })}
      >
        Add changed figures
      </Button>
    );
  }
  const set = (part: Partial<Figures>) => store.change({ figures: { ...figures, ...part } });
  const text = (name: Exclude<keyof Figures, 'id' | 'currency'>, label: string) => (
    <Field
      label={label}
      as={ReadyTextInput}
      inputMode={name === 'profit' ? 'text' : 'decimal'}
      error={problems[`figures.${name}`]}
      value={figures[name]}
      onChange={({ target }) => set({ [name]: target.value })}
    />
  );
  const isListed = CURRENCIES.some(({ value }) => value === figures.currency);
  return (
    <section aria-labelledby="figures" className="card p-5 md:p-6">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="figures" className="text-lg">
          Changed figures
        </h2>
        <Button size="small" variant="quiet" onClick={() => store.change({ figures: null })}>
          No change
        </Button>
      </div>
      <p className="mt-1 text-sm text-muted">
        As of the day of the session. Leave out what you don’t know; blank isn’t zero.
      </p>
      <div className="mt-4 grid grid-cols-2 gap-4">
        {text('full_time', 'Full-time staff')}
        {text('part_time', 'Part-time staff')}
      </div>
      <div className="mt-4 grid gap-4 sm:grid-cols-[1fr_1fr_6.5rem]">
        {text('revenue', 'Annual revenue')}
        {text('profit', 'Annual profit')}
        <Field
          label="Currency"
          as={ReadySelect}
          options={
            isListed
              ? CURRENCIES
              : [...CURRENCIES, { value: figures.currency, label: figures.currency }]
          }
          value={figures.currency}
          onChange={({ target }) => set({ currency: target.value })}
        />
      </div>
    </section>
  );
}
