import { PERIOD_RHYTHM } from '#domain/order.ts';
import { money } from '#lib/locale/money.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { US_STATES } from '#lib/locale/us-states.ts';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Form } from '#ui/forms/Form.tsx';
import { LongSelect } from '#ui/forms/LongSelect.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import {
  type Choices,
  choicesOf,
  GROUP,
  type NewOrderForm,
  type NewOrderProps,
  useNewOrder,
} from './new-order.ts';
import { type Plan, type Totals, totalsOf } from './order-totals.ts';

/** Buys sessions: what, how many, for whom, and who pays how. The price is the database's. */
function NewOrderScreen(props: NewOrderProps) {
  const { prices, plans, fields } = useNewOrder(props);
  const [key, every, quantity, region, taxExempt, businessId, method] = fields.form.watch([
    'plan',
    'every',
    'quantity',
    'region',
    'taxExempt',
    'businessId',
    'method',
  ]);
  const plan = plans.find((each) => each.key === key);
  const choices = choicesOf(plan, { every, businessId, method });
  const totals = totalsOf(prices, {
    plan,
    every: choices.every,
    quantity: choices.isMembership ? 1 : Number(quantity),
    region,
    taxExempt: taxExempt && !choices.isMembership,
  });
  return (
    <div className="flex max-w-2xl flex-col gap-6">
      <header>
        <h1>Buy sessions</h1>
        <p className="mt-2 text-muted">
          Pay by card, or send a purchase order. We’ll make a quote if you need one.
        </p>
      </header>
      <Form
        of={fields}
        submit={choices.byCard ? 'Go to payment' : 'Get the quote'}
        className="gap-6"
      >
        <WhatFields fields={fields} plans={plans} choices={choices} businesses={props.businesses} />
        <PayerFields fields={fields} canBeExempt={!choices.byCard} />
        <Total totals={totals} isTaxKnown={region !== '' || taxExempt} />
      </Form>
    </div>
  );
}

interface WhatProps {
  fields: NewOrderForm;
  plans: Plan[];
  choices: Choices;
  businesses: NewOrderProps['businesses'];
}

/** "Session pack: 3 sessions, $285", or for a membership its name: its prices are chosen next. */
function labelOf({ name, gives, sessions, prices }: Plan): string {
  const price = prices.find(({ every }) => every === 'once');
  const what = [
    gives === 'pack' && sessions > 0 && (sessions === 1 ? '1 session' : `${sessions} sessions`),
    price && money(price.amount_minor, price.currency),
  ].filter(Boolean);
  return what.length > 0 ? `${name}: ${what.join(', ')}` : name;
}

function WhatFields({ fields: { field }, plans, choices, businesses }: WhatProps) {
  const { plan, isMembership, canBeForGroup, canChooseMethod } = choices;
  const forWhom = businesses.map(({ id, name }) => ({ value: id, label: name }));
  if (canBeForGroup) forWhom.push({ value: GROUP, label: 'A group of businesses' });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label="What"
        as={Select}
        options={plans.map((plan) => ({ value: plan.key, label: labelOf(plan) }))}
        {...field('plan')}
      />
      {plan && isMembership ? (
        <Field
          label="How often you pay"
          as={Select}
          options={plan.prices.map(({ every, amount_minor, currency }) => ({
            value: every,
            label: `${every === 'year' ? 'Yearly' : 'Monthly'}, ${money(amount_minor, currency)}`,
          }))}
          {...field('every')}
        />
      ) : (
        <Field
          label="How many"
          inputMode="numeric"
          // Next to the label, so that the fields beside it stay on one line.
          aside={
            plan && (
              <span className="text-muted">
                {plan.fewest} to {wholeText(plan.most)}
              </span>
            )
          }
          {...field('quantity')}
        />
      )}
      {plan?.gives !== 'seat' && (
        <Field
          label="Who it’s for"
          as={Select}
          placeholder="Choose"
          options={forWhom}
          {...field('businessId')}
        />
      )}
      {canChooseMethod && (
        <Field
          label="How you’d like to pay"
          as={Select}
          options={[
            { value: 'card', label: 'By card' },
            { value: 'purchase_order', label: 'By purchase order' },
          ]}
          {...field('method')}
        />
      )}
    </div>
  );
}

function PayerFields({
  fields: { field, form },
  canBeExempt,
}: Pick<WhatProps, 'fields'> & { canBeExempt: boolean }) {
  return (
    <Section id="payer" title="Who pays">
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        <Field label="Name" autoComplete="name" {...field('name')} />
        <Field
          label="Organization"
          optional
          autoComplete="organization"
          {...field('organization')}
        />
        <Field
          label="Email for the invoice"
          type="email"
          autoComplete="email"
          {...field('email')}
        />
        <Field
          label="State"
          as={LongSelect}
          placeholder="Choose"
          options={US_STATES}
          {...field('region')}
        />
      </div>
      <div className="mt-4 flex flex-col gap-4">
        <Field label="Address" as={TextArea} rows={3} {...field('address')} />
        {canBeExempt && (
          <Checkbox
            label="We’re exempt from sales tax"
            hint="We’ll ask for your certificate before we send the quote."
            {...form.register('taxExempt')}
          />
        )}
        <Field label="Anything we should know" optional as={TextArea} rows={3} {...field('note')} />
      </div>
    </Section>
  );
}

interface TotalProps {
  totals: Totals | null;
  /** Whether they've chosen a state, or pay no tax. */
  isTaxKnown: boolean;
}

function Total({ totals, isTaxKnown }: TotalProps) {
  if (!totals) {
    return (
      <p className="card p-5 text-sm" aria-live="polite">
        We’ll send you a price within two business days.
      </p>
    );
  }
  const { every } = totals;
  const total = money(totals.total, totals.currency);
  const rows: [label: string, minor: number][] = [
    ['Before tax', totals.subtotal],
    ...(totals.taxName ? [[totals.taxName, totals.tax] as [string, number]] : []),
    ...(isTaxKnown ? [[`Total${PERIOD_RHYTHM[every]}`, totals.total] as [string, number]] : []),
  ];
  return (
    <div className="card flex flex-col gap-3 p-5" aria-live="polite">
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-2">
        {rows.map(([label, minor]) => (
          <div key={label} className="contents last:font-semibold">
            <dt>{label}</dt>
            <dd className="text-right tabular-nums">{money(minor, totals.currency)}</dd>
          </div>
        ))}
      </dl>
      {!isTaxKnown && (
        <p className="text-sm text-muted">Choose your state to see the tax and the total.</p>
      )}
      {every !== 'once' && (
        <p className="text-sm">
          It renews every {every}: your card is charged {total} until you cancel. You can cancel at
          any time, on your order’s page, and you pay nothing after the {every} you’ve paid for.
        </p>
      )}
    </div>
  );
}

export default screen(NewOrderScreen);
