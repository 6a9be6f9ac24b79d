import type { ReactNode } from 'react';
import { hireCost, monthText, type WhatIf } from '#domain/forecast.ts';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { ReadySelect } from '#ui/forms/ready-inputs.tsx';
import { Section } from '#ui/Section.tsx';
import { enabledWhenReady } from '#ui/until-ready.ts';
import { dollars } from './amounts.ts';
import { CentsField, PercentField } from './FigureField.tsx';

interface WhatIfsProps {
  whatIf: WhatIf;
  months: readonly string[];
  /** @param field names what's typed into, so that its changes are undone together */
  onChange: (whatIf: WhatIf, field: string | null) => void;
  /** What they change, in words. */
  children: ReactNode;
}

interface CardProps {
  title: string;
  hint: string;
  on: boolean;
  onSwitch: (on: boolean) => void;
  children: ReactNode;
}

function Card({ title, hint, on, onSwitch, children }: CardProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-4 card p-5">
      <legend className="sr-only">{title}</legend>
      <Checkbox
        label={<strong>{title}</strong>}
        hint={hint}
        checked={on}
        {...enabledWhenReady()}
        onChange={(event) => onSwitch(event.currentTarget.checked)}
      />
      {on && children}
    </fieldset>
  );
}

interface MonthProps {
  label: string;
  value: string;
  months: readonly string[];
  onChange: (month: string) => void;
}

function MonthField({ label, value, months, onChange }: MonthProps) {
  // One that's over by now stays what it is.
  const all = months.includes(value) ? months : [value, ...months];
  return (
    <Field
      label={label}
      as={ReadySelect}
      value={value}
      options={all.map((month) => ({ value: month, label: monthText(month) }))}
      onChange={(event: { currentTarget: { value: string } }) =>
        onChange(event.currentTarget.value)
      }
    />
  );
}

type Change<Layer extends keyof WhatIf> = (change: Partial<WhatIf[Layer]>, field?: string) => void;

interface LayerProps<Layer extends keyof WhatIf> {
  layer: WhatIf[Layer];
  months: readonly string[];
  onChange: Change<Layer>;
}

const Late = ({ layer, onChange }: LayerProps<'late'>) => (
  <Card
    title="Customers pay late"
    hint="Part of each month’s invoices arrives later."
    on={layer.on}
    onSwitch={(on) => onChange({ on })}
  >
    <PercentField
      label="Share of invoices, in percent"
      value={layer.percent}
      least={0}
      most={100}
      onChange={(percent) => onChange({ percent: percent ?? 0 }, 'percent')}
    />
    <Field
      label="How late"
      as={ReadySelect}
      value={String(layer.months)}
      options={[1, 2, 3, 4, 5, 6].map((count) => ({
        value: String(count),
        label: count === 1 ? '1 month' : `${count} months`,
      }))}
      onChange={(event: { currentTarget: { value: string } }) =>
        onChange({ months: Number(event.currentTarget.value) })
      }
    />
  </Card>
);

const Price = ({ layer, months, onChange }: LayerProps<'price'>) => (
  <Card
    title="We change our prices"
    hint="Sales change, and so do costs that go up and down with them."
    on={layer.on}
    onSwitch={(on) => onChange({ on })}
  >
    <MonthField
      label="From"
      value={layer.from}
      months={months}
      onChange={(from) => onChange({ from })}
    />
    <PercentField
      label="Price, in percent"
      hint="5 is 5% more, −5 is 5% less."
      value={layer.percent}
      least={-100}
      most={1000}
      onChange={(percent) => onChange({ percent: percent ?? 0 }, 'percent')}
    />
    <PercentField
      label="How much people buy, in percent"
      hint="−10 if you’d sell a tenth less at that price."
      value={layer.volume}
      least={-100}
      most={1000}
      onChange={(volume) => onChange({ volume: volume ?? 0 }, 'volume')}
    />
  </Card>
);

const Hire = ({ layer, months, onChange }: LayerProps<'hire'>) => (
  <Card
    title="We hire someone"
    hint="Their pay, with your payroll taxes on top."
    on={layer.on}
    onSwitch={(on) => onChange({ on })}
  >
    <MonthField
      label="From"
      value={layer.from}
      months={months}
      onChange={(from) => onChange({ from })}
    />
    <CentsField
      label="Pay per month"
      hint="In dollars, before anything is taken off."
      value={layer.cents}
      isRequired
      onChange={(cents) => onChange({ cents: cents ?? 0 }, 'cents')}
    />
    <PercentField
      label="Your taxes and insurance, in percent of pay"
      hint={`That makes ${dollars(hireCost(layer))} a month.`}
      value={layer.taxes}
      least={0}
      most={100}
      onChange={(taxes) => onChange({ taxes: taxes ?? 0 }, 'taxes')}
    />
  </Card>
);

/** Three layers over the forecast, each of which can be on or off. The forecast itself stays. */
export function WhatIfs({ whatIf, months, onChange, children }: WhatIfsProps) {
  const set =
    <Layer extends keyof WhatIf>(layer: Layer): Change<Layer> =>
    (change, field) =>
      onChange(
        { ...whatIf, [layer]: { ...whatIf[layer], ...change } },
        field ? `${layer}.${field}` : null,
      );
  return (
    <Section id="what-if" title="What if?">
      <p className="mt-1 max-w-[68ch] text-sm text-muted">
        Turn these on to see what they’d do to your balance. Your figures above don’t change.
      </p>
      <div className="mt-4 grid gap-4 lg:grid-cols-3">
        <Late layer={whatIf.late} months={months} onChange={set('late')} />
        <Price layer={whatIf.price} months={months} onChange={set('price')} />
        <Hire layer={whatIf.hire} months={months} onChange={set('hire')} />
      </div>
      <div role="status" className="mt-4 text-sm empty:hidden">
        {children}
      </div>
    </Section>
  );
}
